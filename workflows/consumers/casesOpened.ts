import type { Instant, TenantId } from '../../domain/ids.ts';
import type { PublishedEvent } from '../../domain/ports.ts';
import { ref } from '../../domain/refs.ts';
import { calendar } from '../../store/calendar.ts';
import { countOpened } from '../../store/casesOpened.ts';
import { readItems } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';

/** Cases opened by region and day, the day being that of the event where the tenant is, however late it is told. */
export async function casesOpened(store: Store, { tenant, type, payload, eventId, at }: PublishedEvent): Promise<void> {
  const { region } = payload as { region?: string };
  if (type !== 'CaseOpened' || !region) return;
  const [settings] = await readItems(store, tenant as TenantId, [ref.tenant()]);
  const on = calendar.dateIn(settings?.zone ?? 'UTC', at as Instant);
  await countOpened(store, tenant as TenantId, { eventId, region, on });
}
