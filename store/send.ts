import { InvariantBreach } from '../domain/answer.ts';
import type { Attempts } from './attempts.ts';
import { failedAlone, outcomeOf } from './outcome.ts';
import type { Store } from './store.ts';
import type { Item } from './table-port.ts';
import type { Plan } from './writes.ts';

export type Sent =
  | { kind: 'committed' }
  | { kind: 'recordFound'; record: Item }
  /** `alone`: the database gave a reason for every write, and no other write had one. */
  | { kind: 'moved'; failed: number[]; alone: boolean }
  /** The database knows the token with other bytes: a bug of ours, but the record may tell what was done. */
  | { kind: 'mismatched' }
  | { kind: 'outOfTime' };

/**
 * Sends one plan until its answer says something: an ambiguous or throttled answer is met with the same bytes under the
 * same token, never with a new plan. Rules 1-6 of commands.md §4.
 */
export async function send(store: Store, plan: Plan, attempts: Attempts): Promise<Sent> {
  while (attempts.mayTry() && attempts.mayResend(plan)) {
    try {
      await store.table.transactWrite(plan.writes, plan.token);
      attempts.resolved(plan);
      store.retries?.give();
      return { kind: 'committed' };
    } catch (error) {
      if ((error as Error).name === 'IdempotentParameterMismatchException') return { kind: 'mismatched' };
      const outcome = outcomeOf(error, plan.writes.length);
      switch (outcome.kind) {
        case 'recordFound':
          return outcome;
        case 'moved':
          await attempts.pause('CONTENTION');
          return { ...outcome, alone: failedAlone(error, plan.writes.length) };
        case 'pause':
          store.count?.(
            outcome.why === 'CONTENTION' ? 'command.transaction_conflict.count' : 'command.throttled.count',
          );
          await attempts.pause(outcome.why);
          break;
        case 'notSent':
          await attempts.pause('NOT_SENT');
          break;
        case 'ambiguous':
          store.count?.('command.ambiguous_timeout.count');
          attempts.unresolved(plan);
          await attempts.pause(outcome.inProgress ? 'IN_PROGRESS' : 'AMBIGUOUS');
          break;
        case 'broken':
          throw new InvariantBreach(`the database refused a plan: ${outcome.what}`, { cause: error });
      }
    }
  }
  return { kind: 'outOfTime' };
}
