import type { Found, Reads, Ref } from '../domain/refs.ts';
import type { TenantId } from '../domain/ids.ts';
import type { OpenTask } from '../domain/task/task.ts';
import { keysOf } from './keys.ts';
import type { Store } from './store.ts';
import type { Item } from './table-port.ts';

/** One consistent batch, in the order of the refs; `undefined` where nothing is stored. */
export async function readItems<Item>(
  store: Store,
  tenant: TenantId,
  refs: readonly Ref<Item>[],
): Promise<(Item | undefined)[]> {
  const keys = keysOf(tenant);
  const items = await store.table.batchGet(refs.map((ref) => keys.of(ref)));
  return items.map((item) => entityOf<Item>(item));
}

/** A named read set, found by the same names. */
export async function readSet<R extends Reads>(store: Store, tenant: TenantId, reads: R): Promise<Found<R>> {
  const all = Object.entries(reads);
  const keyed = all.filter(([, wanted]) => wanted.of !== 'openTasks');
  const listed = all.filter(([, wanted]) => wanted.of === 'openTasks');
  const [items, lists] = await Promise.all([
    keyed.length > 0 ? readItems(store, tenant, refsIn(keyed)) : [],
    Promise.all(refsIn(listed).map((wanted) => openTasksIn(store, tenant, wanted))),
  ]);
  return Object.fromEntries([
    ...keyed.map(([name], i) => [name, items[i]] as const),
    ...listed.map(([name], i) => [name, lists[i]] as const),
  ]) as Found<R>;
}

const refsIn = (named: [string, Ref][]) => named.map(([, wanted]) => wanted);

/** One consistent query: what they are stands in no key that could be known. A case has few enough for one page. */
async function openTasksIn(store: Store, tenant: TenantId, wanted: Ref): Promise<OpenTask[]> {
  const { pk: partition, sk: prefix } = keysOf(tenant).of(wanted);
  const { items } = await store.table.query({ partition, prefix, forward: true, limit: 100, consistent: true });
  return items.map((item) => entityOf<OpenTask>(item)!);
}

/** Without what only storage needs: keys, index attributes and the item's type. */
export function entityOf<Entity>(item: Item | undefined): Entity | undefined {
  if (!item) return undefined;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !storageAttributes.has(name))) as Entity;
}

const storageAttributes = new Set([
  'pk',
  'sk',
  'itemType',
  'byStatusPk',
  'byStatusSk',
  'byLeadPk',
  'byLeadSk',
  'byRegionPk',
  'byRegionSk',
  'pendingPk',
  'pendingSk',
]);
