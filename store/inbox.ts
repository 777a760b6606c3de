import { absent } from '../domain/condition.ts';
import type { TenantId } from '../domain/ids.ts';
import { instantOf } from './calendar.ts';
import { keysOf } from './keys.ts';
import type { Store } from './store.ts';
import type { Write } from './table-port.ts';
import { applied } from './transact.ts';

/** Longer than any event is told again. */
const keptForSeconds = 30 * 24 * 3600;

/**
 * A consumer's own writes and the note that it has heard the event, in one transaction: told again, however late and in
 * whatever order, it changes nothing. For consumers that add up; who keeps the newest needs only its sourceVersion.
 * Answers whether the event was new. `Busy` where that could not be stored.
 */
export function heardOnce(
  store: Store,
  tenant: TenantId,
  heard: { consumer: string; eventId: string },
  writes: Write[],
): Promise<boolean> {
  const at = instantOf(store.now());
  const expiresAt = Math.floor(store.now() / 1000) + keptForSeconds;
  const key = keysOf(tenant).inbox(heard.consumer, heard.eventId);
  return applied(store, [{ kind: 'put', key, item: { itemType: 'Inbox', at, expiresAt }, when: absent }, ...writes]);
}
