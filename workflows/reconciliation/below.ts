import type { TenantId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { keysOf } from '../../store/keys.ts';
import { entityOf } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import type { Item, Key } from '../../store/table-port.ts';

/** An aggregate's own item and everything below it, as they stood at one moment. */
export type Partition<Aggregate> = { item: Item; aggregate: Aggregate; below: Item[] };

const tries = 3;

/**
 * Reads a whole partition. A query is not a snapshot; but everything below an aggregate moves its own item, so where that
 * stands before and after as it did, nothing moved in between. 'restless': it never stood still.
 */
export async function partitionAt<Aggregate extends object>(
  store: Store,
  own: Key,
  moves: (aggregate: Aggregate) => unknown,
): Promise<Partition<Aggregate> | 'absent' | 'restless'> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const [before] = await store.table.batchGet([own]);
    if (!before) return 'absent';
    const below = await allBelow(store, own.pk);
    const [after] = await store.table.batchGet([own]);
    if (!after) continue;
    const aggregate = entityOf<Aggregate>(after)!;
    if (moves(entityOf<Aggregate>(before)!) === moves(aggregate))
      return { item: after, aggregate, below: below.filter(({ sk }) => sk !== own.sk) };
  }
  return 'restless';
}

async function allBelow(store: Store, partition: string): Promise<Item[]> {
  const items: Item[] = [];
  let after: Record<string, string> | undefined;
  do {
    const page = await store.table.query({ partition, forward: true, limit: 500, after, consistent: true });
    items.push(...page.items);
    after = page.lastKey;
  } while (after);
  return items;
}

/** The items below whose sort key begins so, as what they are. */
export const ofKind = <Entity>(below: readonly Item[], prefix: string): Entity[] =>
  below.filter(({ sk }) => sk.startsWith(prefix)).map((item) => entityOf<Entity>(item)!);

export const keyOfCase = (tenant: TenantId, caseId: string): Key => keysOf(tenant).of(ref.case(caseId as never));
