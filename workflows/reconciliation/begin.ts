import type { TenantId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { calendar, instantOf } from '../../store/calendar.ts';
import { reconciliationNameOf } from '../../store/identity.ts';
import { readItems } from '../../store/read.ts';
import type { Deps } from '../task.ts';
import { shardsOfPass } from './pass.ts';

/** Begins the pass of the tenant's own day; begun before, it is the same one. */
export async function beginReconciliation({ store, stateMachines }: Deps, tenant: TenantId): Promise<void> {
  const [settings] = await readItems(store, tenant, [ref.tenant()]);
  if (!settings) return store.log({ alarm: 'reconciliation of nobody', tenant });
  const date = calendar.dateIn(settings.zone, instantOf(store.now()));
  const name = reconciliationNameOf(tenant, date);
  const input = { tenant, date, correlationId: name, shards: shardsOfPass };
  await stateMachines.start('reconciliation', name, JSON.stringify(input));
}

/** Milliseconds from one instant until it is 04:15 in a zone. A day on which clocks are changed is off by their change. */
export function untilQuarterPastFour(zone: string, nowMs: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  }).formatToParts(nowMs);
  const part = (type: string) => Number(parts.find((one) => one.type === type)!.value);
  const seconds = part('hour') * 3600 + part('minute') * 60 + part('second');
  const wait = (4 * 3600 + 15 * 60 - seconds + 24 * 3600) % (24 * 3600);
  return (wait === 0 ? 24 * 3600 : wait) * 1000 - (nowMs % 1000);
}
