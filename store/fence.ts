import { InvariantBreach } from '../domain/answer.ts';
import type { AnyCommand, Given } from '../domain/command.ts';
import type { Attempts } from './attempts.ts';
import { itemOf } from './dynamo.ts';
import { keysOf } from './keys.ts';
import { outcomeOf } from './outcome.ts';
import { fenced, liveRecord, type CommandRecord } from './record.ts';
import type { Store } from './store.ts';

export type Fenced =
  /** None of this request's sends can commit any more. */
  | { kind: 'fenced' }
  /** One did, or another request with the key has spoken. */
  | { kind: 'record'; record: CommandRecord }
  | { kind: 'unknown' };

/** Rule 8 of commands.md §4: before "no" or "not done" is said, make sure that no lost send can land later. */
export async function fence(
  store: Store,
  command: AnyCommand,
  given: Given,
  generation: number,
  attempts: Attempts,
): Promise<Fenced> {
  const put = fenced(given, command.type, generation);
  while (attempts.hasTimeToFence()) {
    try {
      await store.table.write(put);
      return { kind: 'fenced' };
    } catch (error) {
      const failed = (error as Error).name === 'ConditionalCheckFailedException';
      const record = failed && (await recordIn(error, store, given).catch(() => undefined));
      if (record) {
        attempts.saw(record);
        const settled = record.status !== 'FAILED_RETRYABLE' || !attempts.anyUnresolved();
        return settled ? { kind: 'record', record } : { kind: 'unknown' };
      }
      const outcome = outcomeOf(error, 1);
      if (!failed && outcome.kind === 'broken')
        throw new InvariantBreach(`the fence was refused: ${outcome.what}`, { cause: error });
      // A conflict may be the lost send itself; a record that is gone, or could not be read, has to be met again.
      await attempts.pauseToFence(outcome.kind === 'pause' ? outcome.why : 'AMBIGUOUS');
    }
  }
  return { kind: 'unknown' };
}

async function recordIn(error: unknown, store: Store, given: Given): Promise<CommandRecord | undefined> {
  const old = (error as { Item?: Parameters<typeof itemOf>[0] }).Item;
  if (old && Object.keys(old).length > 0) return liveRecord(itemOf(old), store.now());
  return readRecord(store, given);
}

/** Consistently; nothing where it is absent or has expired. */
export async function readRecord(store: Store, given: Given): Promise<CommandRecord | undefined> {
  const [item] = await store.table.batchGet([keysOf(given.tenant).command(given.commandId)]);
  return liveRecord(item, store.now());
}
