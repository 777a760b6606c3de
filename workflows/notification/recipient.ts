import { InvariantBreach } from '../../domain/answer.ts';
import type { LedgerRow } from '../../domain/effect.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Officer } from '../../domain/officer/officer.ts';
import { ref } from '../../domain/refs.ts';
import { readItems } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import { isSuppressed } from '../../store/suppression.ts';

/** Whoever the mail is for, as they are known now. */
export async function recipientOf(store: Store, tenant: TenantId, row: LedgerRow): Promise<Officer | undefined> {
  if (!row.recipientId) throw new InvariantBreach('a notification for nobody');
  const [officer] = await readItems(store, tenant, [ref.officer(row.recipientId)]);
  return officer;
}

/** Whether mail for the officer would arrive, for all that is known. */
export async function reachable(store: Store, tenant: TenantId, row: LedgerRow): Promise<boolean> {
  const officer = await recipientOf(store, tenant, row);
  if (!officer || officer.state === 'INACTIVE') return false;
  return !(await isSuppressed(store, tenant, officer.email));
}
