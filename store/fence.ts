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
      if ((error as Error).name === 'ConditionalCheckFailedException') {
        const record = await recordIn(error, store, given);
        if (!record) continue; // it expired and was deleted in between: put again
        attempts.saw(record);
        if (record.status !== 'FAILED_RETRYABLE') return { kind: 'record', record };
        return attempts.anyUnresolved() ? { kind: 'unknown' } : { kind: 'fenced' };
      }
      const outcome = outcomeOf(error, 1);
      if (outcome.kind === 'broken')
        throw new InvariantBreach(`the fence was refused: ${outcome.what}`, { cause: error });
      await attempts.pause(outcome.kind === 'pause' ? outcome.why : 'AMBIGUOUS'); // a conflict may be the lost send itself
    }
  }
  return { kind: 'unknown' };
}

async function recordIn(error: unknown, store: Store, given: Given): Promise<CommandRecord | undefined> {
  const old = (error as { Item?: Parameters<typeof itemOf>[0] }).Item;
  if (old && Object.keys(old).length > 0) return itemOf(old) as unknown as CommandRecord;
  return readRecord(store, given);
}

export async function readRecord(store: Store, given: Given): Promise<CommandRecord | undefined> {
  const [item] = await store.table.batchGet([keysOf(given.tenant).command(given.commandId)]);
  return liveRecord(item, store.now());
}
