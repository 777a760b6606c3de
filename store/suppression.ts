import type { Instant, TenantId } from '../domain/ids.ts';
import { always } from '../domain/condition.ts';
import { instantOf } from './calendar.ts';
import { keysOf } from './keys.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';

/** An address from which a mail came back. Seconds, so that the table forgets it; past it, it is tried again. */
type Suppression = { suppressedAt: Instant; expiresAt: number };

const days = 24 * 3_600_000;
const suppressedForMs = 30 * days;

/** Nothing is sent to the address for thirty days: whoever takes mail that comes back for mail that arrived, stops looking. */
export async function suppress(store: Store, tenant: TenantId, address: string): Promise<void> {
  const now = store.now();
  const set: Suppression = { suppressedAt: instantOf(now), expiresAt: Math.floor((now + suppressedForMs) / 1000) };
  const key = keysOf(tenant).suppression(address);
  await writeOne(store, { kind: 'update', key, update: { set: { itemType: 'Suppression', ...set } }, when: always });
}

export async function isSuppressed(store: Store, tenant: TenantId, address: string): Promise<boolean> {
  const [item] = await store.table.batchGet([keysOf(tenant).suppression(address)]);
  return item !== undefined && (item as unknown as Suppression).expiresAt > Math.floor(store.now() / 1000);
}
