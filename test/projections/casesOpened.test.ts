import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalDate, TenantId } from '../../domain/ids.ts';
import type { PublishedEvent } from '../../domain/ports.ts';
import { casesOpened } from '../../store/casesOpened.ts';
import { keysOf } from '../../store/keys.ts';
import { seedTenant } from '../../store/tenants.ts';
import { consumersOf, tellEach } from '../../workflows/consumers/consumers.ts';
import { faultsBefore, type Faults } from '../store/faults.ts';
import { demo, startWorld, type World } from '../store/world.ts';

let world: World;
let faults: Faults;
beforeAll(async () => {
  world = await startWorld();
  faults = faultsBefore(world.clients.writer);
});
afterAll(() => world.stop());

let tenants = 0;
async function newTenant(): Promise<TenantId> {
  const id = `u${++tenants}` as TenantId;
  await seedTenant(world.store, { ...demo, id });
  return id;
}
const opened = (tenant: TenantId, n: number, region: string, at: string): PublishedEvent => ({
  ...{ eventId: `event-${n}`, type: 'CaseOpened', tenant, aggregateType: 'Case', aggregateId: `c${n}` },
  ...{ aggregateVersion: 1, seq: 1, at, correlationId: 'test', payload: { caseId: `c${n}`, region, status: 'OPEN' } },
});
const tell = (event: PublishedEvent) => tellEach(consumersOf(world.store), event);
const on = (day: string) => day as LocalDate;
const regions = ['WEST', 'EAST'];
const days = ['2026-03-01', '2026-03-02'];

describe('cases opened by region and day', () => {
  it('are each counted once, whatever comes twice, at once and in whatever order', { timeout: 60_000 }, async () => {
    const cases = fc.array(fc.record({ region: fc.constantFrom(...regions), day: fc.constantFrom(...days) }), {
      minLength: 1,
      maxLength: 5,
    });
    const told = cases.chain((all) => {
      const twice = [...all.keys(), ...all.keys()];
      const order = fc.shuffledSubarray(twice, { minLength: twice.length });
      return fc.tuple(fc.constant(all), order, fc.integer({ min: 1, max: 4 }));
    });
    await fc.assert(
      fc.asyncProperty(told, async ([all, order, atOnce]) => {
        const tenant = await newTenant();
        const events = order.map((n) => opened(tenant, n, all[n]!.region, `${all[n]!.day}T05:00:00.000Z`));
        for (let i = 0; i < events.length; i += atOnce) await Promise.all(events.slice(i, i + atOnce).map(tell));
        for (const day of days)
          expect(await casesOpened(world.store, tenant, regions, on(day))).toEqual(
            regions.map((region) => all.filter((one) => one.region === region && one.day === day).length),
          );
      }),
      { numRuns: 15 },
    );
  });

  it('count on the day on which they were opened where the tenant is, however late they are told', async () => {
    const tenant = await newTenant(); // Jakarta: seven hours ahead
    await tell(opened(tenant, 2, 'WEST', '2026-03-02T01:00:00.000Z'));
    await tell(opened(tenant, 1, 'WEST', '2026-03-01T18:00:00.000Z')); // the 2nd there already
    expect(await casesOpened(world.store, tenant, ['WEST'], on('2026-03-02'))).toEqual([2]);
    expect(await casesOpened(world.store, tenant, ['WEST'], on('2026-03-01'))).toEqual([0]);
  });

  it('are counted once where the answer of the database is lost', async () => {
    const tenant = await newTenant();
    let asked = 0; // every other request
    for (const lost of ['lose', 'drop'] as const) {
      faults.next = (command) => (command === 'TransactWriteItemsCommand' && ++asked % 2 ? lost : undefined);
      for (let n = 0; n < 4; n++) await tell(opened(tenant, n, 'WEST', '2026-03-02T05:00:00.000Z'));
    }
    faults.next = [];
    expect(await casesOpened(world.store, tenant, ['WEST'], on('2026-03-02'))).toEqual([4]);
  });

  it('are remembered for thirty days', async () => {
    const tenant = await newTenant();
    await tell(opened(tenant, 1, 'WEST', '2026-03-02T05:00:00.000Z'));
    const [heard] = await world.store.table.batchGet([keysOf(tenant).inbox('casesOpened', 'event-1')]);
    const left = (heard!['expiresAt'] as number) - Date.now() / 1000;
    expect(Math.round(left / 86_400)).toBe(30);
  });

  it('are nothing but opened cases', async () => {
    const tenant = await newTenant();
    await tell({ ...opened(tenant, 1, 'WEST', '2026-03-02T05:00:00.000Z'), type: 'CaseApproved' });
    expect(await casesOpened(world.store, tenant, ['WEST'], on('2026-03-02'))).toEqual([0]);
  });
});
