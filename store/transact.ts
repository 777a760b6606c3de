import { randomUUID } from 'node:crypto';
import { Busy } from '../domain/answer.ts';
import { outcomeOf } from './outcome.ts';
import type { Store } from './store.ts';
import type { Write } from './table-port.ts';

const tries = 10;

/**
 * One transaction outside the commands, under a token that no other call has: its answer says whether this very call was
 * applied. What is ambiguous or held up is sent again as it is; `Busy` where the database stays out of reach, so that
 * whoever asked asks again.
 */
export async function applied(store: Store, writes: Write[], token: string = randomUUID()): Promise<boolean> {
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      await store.table.transactWrite(writes, token);
      return true;
    } catch (error) {
      const outcome = outcomeOf(error, writes.length);
      if (outcome.kind === 'moved' || outcome.kind === 'recordFound') return false;
      if (outcome.kind === 'broken') throw error;
      await store.sleep(store.random() * Math.min(25 * 2 ** attempt, 1_000));
    }
  }
  throw new Busy('it could not be stored', 'CONTENTION');
}
