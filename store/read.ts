import type { Found, Reads, Ref } from '../domain/refs.ts';
import type { TenantId } from '../domain/ids.ts';
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
  const names = Object.keys(reads);
  const items = await readItems(
    store,
    tenant,
    names.map((name) => reads[name]!),
  );
  return Object.fromEntries(names.map((name, i) => [name, items[i]])) as Found<R>;
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
