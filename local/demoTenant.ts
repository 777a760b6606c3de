import type { TenantId } from '../domain/ids.ts';
import type { Tenant } from '../domain/tenant.ts';

/** The tenant that the embedded host begins with. */
export const demoTenant: Tenant = {
  id: 'demo' as TenantId,
  name: 'Demonstration regulator',
  zone: 'Asia/Jakarta',
  workingDays: [1, 2, 3, 4, 5],
  holidays: [],
  limits: { investigators: 3, openTasks: 40, defaultMaxLoad: 40 },
  penaltyAuthority: { minorUnits: 5_000_000_000, currency: 'IDR' },
  retention: { NO_BREACH: 2, NO_FURTHER_ACTION: 5, RESOLVED_INFORMALLY: 5, ENFORCED: 'PERMANENT', DUPLICATE: 2 },
};
