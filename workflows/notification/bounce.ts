import { InvariantBreach } from '../../domain/answer.ts';
import type { LedgerRow } from '../../domain/effect.ts';
import type { TenantId } from '../../domain/ids.ts';
import { noteBounce } from '../../store/ledger.ts';
import type { Store } from '../../store/store.ts';
import { suppress } from '../../store/suppression.ts';

/** The address that the mail was sent to is left alone for a while, the row says so, and an operator is told. */
export async function notificationBounced(store: Store, tenant: TenantId, row: LedgerRow): Promise<void> {
  const { effectId, provider } = row;
  if (!row.request) throw new InvariantBreach('a mail came back that was never built');
  await suppress(store, tenant, (JSON.parse(row.request) as { to: string }).to);
  if (await noteBounce(store, { tenant, provider, effectId }))
    store.log({ alarm: 'officer not reached', effectId, tenant, error: 'the mail came back' });
}
