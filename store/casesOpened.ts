import { always } from '../domain/condition.ts';
import type { LocalDate, TenantId } from '../domain/ids.ts';
import { heardOnce } from './inbox.ts';
import { keysOf } from './keys.ts';
import type { Store } from './store.ts';

/** One case more that was opened in a region on a day, once for the event that told it. */
export async function countOpened(
  store: Store,
  tenant: TenantId,
  { eventId, region, on }: { eventId: string; region: string; on: LocalDate },
): Promise<void> {
  const key = keysOf(tenant).casesOpened(region, on);
  const update = { set: { itemType: 'Tally' }, add: { count: 1 } };
  await heardOnce(store, tenant, { consumer: 'casesOpened', eventId }, [{ kind: 'update', key, update, when: always }]);
}

/** How many cases were opened in each region on a day, as far as it has been told. */
export async function casesOpened(store: Store, tenant: TenantId, regions: readonly string[], on: LocalDate) {
  const items = await store.table.batchGet(regions.map((region) => keysOf(tenant).casesOpened(region, on)));
  return items.map((item) => (item?.['count'] as number | undefined) ?? 0);
}
