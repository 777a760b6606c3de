import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyCommand } from '../../domain/command.ts';
import type { CaseId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { chainFaults } from '../../store/audit.ts';
import { listEvents } from '../../store/lists.ts';
import { readItems } from '../../store/read.ts';
import {
  addParty,
  ana,
  asActor,
  ben,
  demo,
  done,
  newKey,
  openCase,
  registerOfficer,
  run,
  startWorld,
  sue,
} from './world.ts';
import type { World } from './world.ts';

let world: World;
const fiftyOfficers = Array.from({ length: 50 }, (_, i) => `officer-${i}`);

beforeAll(async () => {
  world = await startWorld();
  for (const officer of ['ana', 'ben', ...fiftyOfficers])
    await done(world, sue, registerOfficer(officer, { maxLoad: 99 }));
});
afterAll(() => world.stop());

const fifty = <T>(work: (i: number) => Promise<T>) => Promise.all(Array.from({ length: 50 }, (_, i) => work(i)));
const won = <T extends { kind: string }>(answers: T[]) => answers.filter((answer) => answer.kind === 'done');
const refusals = (answers: { kind: string }[]) =>
  answers.flatMap((answer) => ('code' in answer ? [(answer as unknown as { code: string }).code] : []));

const read = async (caseId: string) => (await readItems(world.store, demo.id, [ref.case(caseId as CaseId)]))[0]!;
const events = async (caseId: string) => {
  const page = await listEvents(world.store, demo.id, { of: 'case', caseId: caseId as CaseId }, 1000, true);
  return page.items.map(({ item }) => item);
};

/** A case with a subject and a substantiated contravention, led by ana. */
async function investigated() {
  const { aggregateId: caseId } = await done(world, ana, openCase({ leadOfficerId: 'ana' }));
  const party = await done(world, ana, addParty(caseId, { expectedVersion: 1 }));
  const recorded = await done(world, ana, {
    type: 'recordContravention',
    caseId,
    expectedVersion: party.appliedVersion,
    provision: 'Section 12',
    date: '2026-06-30',
    partyIds: [party.created['party']!],
  });
  const contraventionId = recorded.created['contravention']!;
  const found = await done(world, ana, {
    type: 'setContraventionFinding',
    caseId,
    contraventionId,
    expectedVersion: recorded.appliedVersion,
    finding: 'SUBSTANTIATED',
  });
  return { caseId, partyId: party.created['party']!, contraventionId, version: found.appliedVersion };
}

async function underReview() {
  const made = await investigated();
  const { caseId } = made;
  const submitted = await done(world, ana, {
    type: 'submitForReview',
    caseId,
    expectedVersion: made.version,
    recommendation: 'A warning.',
  });
  const assigned = await done(world, ben, {
    type: 'assignReviewer',
    caseId,
    expectedVersion: submitted.appliedVersion,
    reviewerId: 'ben',
  });
  return { ...made, version: assigned.appliedVersion };
}

const approve = (caseId: string, expectedVersion: number): AnyCommand => ({
  type: 'approveCase',
  caseId,
  expectedVersion,
  reason: 'Well founded.',
});

describe('fifty at once', () => {
  it('adds three of fifty investigators, and tells the others the limit', async () => {
    const { caseId } = await investigated();
    const answers = await fifty((i) =>
      run(world, ana, { type: 'addInvestigator', caseId, officerId: fiftyOfficers[i]! }),
    );
    expect(won(answers)).toHaveLength(3);
    expect(new Set(refusals(answers))).toEqual(new Set(['LIMIT_REACHED']));
    const [guard] = await readItems(world.store, demo.id, [ref.investigatorGuard(caseId as CaseId)]);
    expect(guard!.activeCount).toBe(3);
    expect(guard!.officerIds!.size).toBe(3);
  });

  it('applies one approval for fifty sends of one key, half of them at once', async () => {
    const { caseId, version } = await underReview();
    const idempotencyKey = newKey();
    const send = () => done(world, ben, approve(caseId, version), { idempotencyKey });
    const parallel = await Promise.all(Array.from({ length: 25 }, send));
    const sequential = [];
    for (let i = 0; i < 25; i++) sequential.push(await send());
    const answers = [...parallel, ...sequential];

    const results = answers.map(({ aggregateId, appliedVersion, created }) => ({
      aggregateId,
      appliedVersion,
      created,
    }));
    for (const result of results) expect(result).toEqual(results[0]);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect((await events(caseId)).filter((event) => event.type === 'approveCase')).toHaveLength(1);
    expect((await read(caseId)).version).toBe(version + 1);
  });

  it('starts one of fifty enforcement actions', async () => {
    const { caseId, version, partyId, contraventionId } = await underReview();
    const approved = await done(world, ben, approve(caseId, version));
    const answers = await fifty(() =>
      run(world, sue, {
        type: 'startEnforcement',
        caseId,
        expectedVersion: approved.appliedVersion,
        actionType: 'WARNING',
        partyId,
        contraventionIds: [contraventionId],
      }),
    );
    expect(won(answers)).toHaveLength(1);
    const [guard] = await readItems(world.store, demo.id, [ref.enforcementGuard(caseId as CaseId)]);
    expect(guard).toBeDefined();
    expect(chainFaults(await events(caseId), await read(caseId))).toEqual([]);
  });

  it('lets one of fifty supervisors change the lead, and tells the others what they missed', async () => {
    const { caseId, version } = await investigated();
    const answers = await fifty((i) =>
      run(world, asActor(`sue-${i}`, 'SUPERVISOR'), {
        type: 'reassignLead',
        caseId,
        expectedVersion: version,
        expectedLeadOfficerId: 'ana',
        leadOfficerId: fiftyOfficers[i]!,
        reason: 'Balance of work.',
      }),
    );
    expect(won(answers)).toHaveLength(1);
    expect(new Set(refusals(answers))).toEqual(new Set(['LEAD_CHANGED']));
    const loads = await readItems(
      world.store,
      demo.id,
      ['ana', ...fiftyOfficers].map((id) => ref.load(id as never, caseId as CaseId)),
    );
    expect(loads.filter((load) => load !== undefined)).toHaveLength(1);
  });
});
