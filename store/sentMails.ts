import { absent } from '../domain/condition.ts';
import type { EffectId, TenantId } from '../domain/ids.ts';
import { instantOf } from './calendar.ts';
import { keysOf } from './keys.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';

const keptForSeconds = 30 * 24 * 3600;

/** What a mail service has told of its own accord: that it took a mail, and under which id. The first word stays. */
export async function keepSentMail(store: Store, tenant: TenantId, effectId: EffectId, providerMessageId: string) {
  const expiresAt = Math.floor(store.now() / 1000) + keptForSeconds;
  const item = { itemType: 'SentMail', providerMessageId, toldAt: instantOf(store.now()), expiresAt };
  await writeOne(store, { kind: 'put', key: keysOf(tenant).sentMail(effectId), item, when: absent });
}

/** The service's id for a mail; nothing is no evidence that it was not sent. */
export async function sentMail(store: Store, tenant: TenantId, effectId: EffectId): Promise<string | undefined> {
  const [item] = await store.table.batchGet([keysOf(tenant).sentMail(effectId)]);
  return item?.['providerMessageId'] as string | undefined;
}
