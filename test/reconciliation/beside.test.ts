import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweep } from '../../workflows/sweep.ts';
import { addParty, ana, ben, done, openCase, sue } from '../store/world.ts';
import { cai, startGround } from './ground.ts';

let ground: Awaited<ReturnType<typeof startGround>>;
beforeAll(async () => void (ground = await startGround()));
afterAll(() => ground.stop());

/** Cases are opened, worked on and passed on, in two regions. */
async function work(cases: number) {
  const { world } = ground.stage;
  for (let i = 0; i < cases; i++) {
    const region = i % 2 ? 'JKT' : 'BDG';
    const { aggregateId: caseId } = await done(world, ana, openCase({ leadOfficerId: ana.id, region }));
    await done(world, ana, addParty(caseId, { expectedVersion: 1 }));
    await done(world, ana, { type: 'addInvestigator', caseId, officerId: ben.id });
    const moved = { expectedLeadOfficerId: ana.id, leadOfficerId: cai.id, expectedVersion: 2, reason: 'leave' };
    if (i < 3) await done(world, sue, { type: 'reassignLead', caseId, ...moved });
  }
}

it('finds nothing beside commands that go on, and nothing after them', { timeout: 90_000 }, async () => {
  let working = true;
  const works = work(24).finally(() => (working = false));
  let passes = 0;
  for (; working; passes++) expect(await ground.reconcile()).toMatchObject({ open: [], repaired: [] });
  await works;
  expect(passes).toBeGreaterThan(1);
  for (let left = 0; left < 2; left++) await sweep(ground.host.publisher, -1);
  expect(await ground.reconcile()).toMatchObject({ open: [], repaired: [], unproven: 0 });
});
