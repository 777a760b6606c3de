import { namedBy } from '../domain/effect.ts';
import { ref } from '../domain/refs.ts';
import { readItems } from '../store/read.ts';
import type { Store } from '../store/store.ts';
import { noticeBounced } from './notice/bounce.ts';
import { notificationBounced } from './notification/bounce.ts';

/** A mail came back after it had been accepted. Answers whether it was one of ours. */
export async function receiveBounce(store: Store, messageId: string): Promise<boolean> {
  const named = namedBy(messageId.replace(/^<|@[^@]*$/g, ''));
  if (!named) return false;
  const { tenant, effectId } = named;
  const [row] = await readItems(store, tenant, [ref.effect('mailer', effectId)]);
  if (!row) return false;
  await (row.kind === 'NOTIFICATION' ? notificationBounced(store, tenant, row) : noticeBounced(store, tenant, row));
  return true;
}
