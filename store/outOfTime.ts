import { InvariantBreach } from '../domain/answer.ts';
import type { Attempts } from './attempts.ts';
import { outcomeOf } from './outcome.ts';

/** No attempt may start any more. Never leaves execute.ts: it ends in "not done" or in a fence. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/**
 * A read, or the drawing of a number: nothing of it can have changed the case, so it is asked again until it answers or
 * time is up.
 */
export async function answered<T>(attempts: Attempts, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof InvariantBreach || error instanceof TypeError) throw error;
      const outcome = outcomeOf(error, 0);
      if (outcome.kind === 'broken')
        throw new InvariantBreach(`the database refused a read: ${outcome.what}`, { cause: error });
      await attempts.pause(outcome.kind === 'pause' ? outcome.why : 'NOT_SENT');
      if (!attempts.mayTry()) throw new OutOfTime();
    }
  }
}
