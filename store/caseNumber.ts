import type { TenantId } from '../domain/ids.ts';
import { keysOf } from './keys.ts';
import type { Store } from './store.ts';

/**
 * Draws the next number of a year: one atomic ADD. Gaps are allowed (an answer may be lost, a request refused), reuse
 * is not: the transaction also claims the number's sentinel.
 */
export async function drawCaseNumber(store: Store, tenant: TenantId, year: string): Promise<string> {
  const { after } = await store.table.write({
    kind: 'update',
    key: keysOf(tenant).caseNumbers(year),
    update: { add: { last: 1 } },
    when: { is: 'all', of: [] },
  });
  return `${year}-${String(after!['last']).padStart(6, '0')}`;
}
