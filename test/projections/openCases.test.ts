import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseId, TenantId } from '../../domain/ids.ts';
import type { PublishedEvent } from '../../domain/ports.ts';
import { applyOpenCase, projectedOpenCases, rebuildOpenCases } from '../../store/openCases.ts';
import { consumersOf, tellEach } from '../../workflows/consumers/consumers.ts';
import { publish } from '../../workflows/publish.ts';
import { sweep } from '../../workflows/sweep.ts';
import { consumerEvents } from '../../gateways/consumerEvents.ts';
import { ana, demo, done, openCase, startWorld, sue, type World } from '../store/world.ts';
import { machines } from '../workflows/publisher.ts';
import { addParty, ben, registerOfficer } from '../store/world.ts';
import { fakeDocuments } from '../workflows/parties.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  for (const { id } of [ana, ben, sue]) await done(world, sue, registerOfficer(id, { maxLoad: 500 }));
});
afterAll(() => world.stop());

const regions = ['WEST', 'EAST'] as const;
let tenants = 0;
const newTenant = () => `t${++tenants}` as TenantId;

/** One case's life: whether it is open after each of its events. */
type Life = { region: (typeof regions)[number]; open: boolean[] };
const life: fc.Arbitrary<Life> = fc.record({
  region: fc.constantFrom(...regions),
  open: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
});
const eventsOf = (tenant: TenantId, caseId: string, { region, open }: Life): PublishedEvent[] =>
  open.map((isOpen, i) => ({
    ...{ eventId: `${caseId}-${i}`, type: 'CaseChanged', tenant, aggregateType: 'Case', aggregateId: caseId },
    ...{ aggregateVersion: i, seq: i + 1, at: '2026-03-02T12:00:00.000Z', correlationId: 'test' },
    payload: { caseId, region, status: isOpen ? 'OPEN' : 'CLOSED' },
  }));
const recount = (lives: Life[]) =>
  Object.fromEntries(
    regions.map((region) => [region, lives.filter((one) => one.region === region && one.open.at(-1)).length]),
  );

describe('open cases by region', () => {
  it('equal a recount, whatever comes twice and in whatever order', { timeout: 60_000 }, async () => {
    const lives = fc.array(life, { minLength: 1, maxLength: 5 });
    const told = lives.chain((all) => {
      const tenant = newTenant();
      const events = all.flatMap((one, i) => eventsOf(tenant, `c${i}`, one));
      const order = fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 });
      return fc.tuple(fc.constant(all), order, fc.integer({ min: 1, max: 4 }));
    });
    await fc.assert(
      fc.asyncProperty(told, async ([all, order, atOnce]) => {
        const tenant = newTenant();
        const mine = order.map((event) => ({ ...event, tenant }));
        for (let i = 0; i < mine.length; i += atOnce)
          await Promise.all(mine.slice(i, i + atOnce).map((event) => tellEach(consumersOf(world.store), event)));
        expect(await projectedOpenCases(world.store, tenant, regions)).toEqual(recount(all));
      }),
      { numRuns: 40 },
    );
  });

  it('count an event once whose answer was lost', async () => {
    const tenant = newTenant();
    const { table } = world.store;
    let lost = 0;
    const store = {
      ...world.store,
      table: {
        ...table,
        transactWrite: async (...asked: Parameters<typeof table.transactWrite>) => {
          await table.transactWrite(...asked);
          if (lost++ === 0) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        },
      },
    };
    await applyOpenCase(store, tenant, 'c1' as CaseId, { region: 'WEST', open: true, sourceVersion: 1 });
    expect([await projectedOpenCases(world.store, tenant, ['WEST']), lost]).toEqual([{ WEST: 1 }, 1]);
  });

  it('follow real cases from their opening to their closing', async () => {
    const events = consumerEvents(consumersOf(world.store));
    const publisher = { store: world.store, stateMachines: machines(), documents: fakeDocuments(), events };
    const region = 'NORTH';
    const ids = [];
    for (let i = 0; i < 3; i++)
      ids.push((await done(world, ana, openCase({ region, leadOfficerId: ana.id }))).aggregateId);
    const caseId = ids[0]!;
    const on = async (actor: typeof ana, type: string, expectedVersion: number, more: object = {}) =>
      done(world, actor, { type, caseId, expectedVersion, ...more });
    await done(world, ana, { ...addParty(caseId), expectedVersion: 1 });
    const { created } = await on(ana, 'recordContravention', 2, {
      provision: 'Act 1',
      date: '2026-02-01',
      partyIds: [],
    });
    const contraventionId = created['contravention'];
    await on(ana, 'setContraventionFinding', 3, { contraventionId, finding: 'NOT_SUBSTANTIATED' });
    await on(ana, 'submitForReview', 4, { recommendation: 'Close it.' });
    await on(sue, 'assignReviewer', 5, { reviewerId: ben.id });
    await on(ben, 'rejectCase', 6, { reason: 'no ground', outcome: 'NO_BREACH' });
    await on(ana, 'closeCase', 7, { reason: 'nothing left' });

    await sweep(publisher, -1);
    expect(await projectedOpenCases(world.store, demo.id, [region])).toEqual({ [region]: 2 });
    await publish(publisher, []);
    const { regions: compared } = await rebuildOpenCases(world.store, demo.id);
    expect(compared).toContainEqual({ region, counted: 2, projected: 2 });
  });

  it('are built anew from the cases themselves, beside events that come late', async () => {
    const region = 'SOUTH';
    const { aggregateId } = await done(world, ana, openCase({ region }));
    await done(world, ana, openCase({ region }));
    const before = await rebuildOpenCases(world.store, demo.id);
    expect(before.regions).toContainEqual({ region, counted: 2, projected: 2 });
    const late = { region, open: false, sourceVersion: 0 };
    await applyOpenCase(world.store, demo.id, aggregateId as CaseId, late);
    expect(await rebuildOpenCases(world.store, demo.id)).toEqual(before);
  });
});
