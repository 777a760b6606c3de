import type { Tenant } from '../domain/tenant.ts';
import { keysOf } from './keys.ts';
import type { Store } from './store.ts';

/** Stores a tenant's settings unless it has some. Settings are configuration, not a record: no audit chain. */
export async function seedTenant(store: Store, tenant: Tenant): Promise<void> {
  const key = keysOf(tenant.id).of({ of: 'tenant' });
  try {
    await store.table.write({ kind: 'put', key, item: { itemType: 'Tenant', ...tenant }, when: { is: 'absent' } });
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
  }
}
