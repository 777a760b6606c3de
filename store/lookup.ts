import { InvariantBreach } from '../domain/answer.ts';
import type { Given } from '../domain/command.ts';
import type { Attempts, PauseReason } from './attempts.ts';
import { readRecord } from './fence.ts';
import { newSalt } from './given.ts';
import { answered, OutOfTime } from './outOfTime.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { liveRecord, unspoken, type CommandRecord } from './record.ts';
import type { Store } from './store.ts';

/**
 * Rule 7 of commands.md §4: asks the record once more before a refusal, as a transaction of one check. A plain read
 * would not do. The items of a transaction become visible one by one, so what was refused may be the half of a
 * duplicate's commit whose record is yet to appear: a check is in conflict with that commit until all of it is there.
 */
export async function recordBeforeRefusal(
  store: Store,
  given: Given,
  attempts: Attempts,
): Promise<CommandRecord | undefined> {
  const check = unspoken(given, store.now());
  for (;;) {
    try {
      await store.table.transactWrite([check], newSalt()); // a token of its own each time: each asks anew
      return undefined;
    } catch (error) {
      const outcome = outcomeOf(error, 1);
      if (outcome.kind === 'recordFound') return liveRecord(outcome.record, store.now());
      // It is there, and all of it: only its image was not told. Without reasons it may as well be a conflict.
      if (outcome.kind === 'moved' && outcome.failed.length > 0)
        return answered(attempts, () => readRecord(store, given));
      if (outcome.kind === 'broken')
        throw new InvariantBreach(`the database refused a check: ${outcome.what}`, { cause: error });
      await attempts.pause(reasonOf(outcome));
      if (!attempts.mayTry()) throw new OutOfTime();
    }
  }
}

function reasonOf(outcome: Outcome): PauseReason {
  if (outcome.kind === 'pause') return outcome.why;
  return outcome.kind === 'moved' ? 'CONTENTION' : 'NOT_SENT';
}
