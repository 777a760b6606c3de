import { InvariantBreach, Busy } from '../domain/answer.ts';
import { itemOf } from './dynamo.ts';
import { outcomeOf } from './outcome.ts';
import type { Store } from './store.ts';
import type { Item, Write } from './table-port.ts';

export type Written = { kind: 'written'; after: Item | undefined } | { kind: 'failed'; old: Item | undefined };

const triesOfOneWrite = 8;

/**
 * One conditional write outside a business transaction, repeated where its answer is ambiguous. A failed condition after
 * an ambiguous answer may be the work of this very write, so callers compare the old image with what they wrote
 * (commands.md §5); `Busy` where the database stays out of reach.
 */
export async function writeOne(store: Store, write: Write): Promise<Written> {
  for (let attempt = 0; attempt < triesOfOneWrite; attempt++) {
    try {
      return { kind: 'written', after: (await store.table.write(write)).after };
    } catch (error) {
      if ((error as Error).name === 'ConditionalCheckFailedException') return { kind: 'failed', old: oldImage(error) };
      const outcome = outcomeOf(error, 1);
      if (outcome.kind === 'broken')
        throw new InvariantBreach(`a write was refused: ${outcome.what}`, { cause: error });
      await store.sleep(store.random() * Math.min(25 * 2 ** attempt, 1_000));
    }
  }
  throw new Busy('the database did not answer in time', 'UNAVAILABLE');
}

function oldImage(error: unknown): Item | undefined {
  const wire = (error as { Item?: Parameters<typeof itemOf>[0] }).Item;
  return wire && Object.keys(wire).length > 0 ? itemOf(wire) : undefined;
}
