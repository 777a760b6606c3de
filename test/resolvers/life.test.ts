/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { aCase, aParty, officerId, open, register, send, sent, startDesk, type Desk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

describe('a case through the API', () => {
  it('lives from its opening to its closing', async () => {
    const { ana, ben, sue } = desk;
    const { id: caseId, number } = await open(ana, { leadOfficerId: officerId('ana') });
    const at = async () =>
      (await ana('query ($id: ID!) { case(id: $id) { version } }', { id: caseId })).data.case.version;
    const now = async (more: object) => ({ caseId, expectedVersion: await at(), ...more });

    const {
      createdIds: [partyId],
    } = await sent(ana, 'addParty', await now(aParty));
    const {
      createdIds: [contraventionId],
    } = await sent(
      ana,
      'recordContravention',
      await now({ provision: 'Act 12, s. 4', date: '2026-01-15', partyIds: [partyId] }),
    );
    await sent(ana, 'setContraventionFinding', {
      contraventionId,
      expectedVersion: await at(),
      finding: 'SUBSTANTIATED',
    });
    await sent(ana, 'addInvestigator', { caseId, officerId: officerId('cat') });
    await sent(ana, 'submitForReview', await now({ recommendation: 'A compliance notice.' }));
    await sent(sue, 'assignReviewer', await now({ reviewerId: officerId('ben') }));
    const approved = await sent(ben, 'approveCase', await now({ reason: 'Well documented.' }));
    assert.equal(approved.case.status, 'APPROVED');

    const started = await sent(
      ana,
      'startEnforcement',
      await now({ type: 'ADVICE', partyId, contraventionIds: [contraventionId] }),
    );
    assert.deepEqual([started.action.status, started.createdIds], ['DRAFT', [started.action.id]]);
    const issued = await sent(sue, 'issueEnforcementAction', {
      actionId: started.action.id,
      expectedVersion: 1,
      complyBy: '2099-01-01',
    });
    assert.deepEqual(
      [issued.action.status, issued.action.notice],
      ['ISSUED', { id: issued.createdIds[0], status: 'REQUESTED', document: null }],
    );

    const early = await send(ana, 'serveNotice', {
      actionId: started.action.id,
      expectedVersion: issued.action.version,
      method: 'IN_PERSON',
      date: '2026-01-20',
      evidence: 'Signed receipt.',
    });
    assert.deepEqual(early.errors[0].code, 'ILLEGAL_TRANSITION');
    assert.equal(early.errors[0].from, 'REQUESTED');

    const withdrawn = await sent(sue, 'withdrawEnforcementAction', {
      actionId: started.action.id,
      expectedVersion: issued.action.version,
      reason: 'Settled.',
    });
    assert.deepEqual([withdrawn.action.status, withdrawn.case.status], ['WITHDRAWN', 'APPROVED']);
    const closed = await sent(sue, 'closeCase', await now({ outcome: 'RESOLVED_INFORMALLY', reason: 'Settled.' }));
    assert.equal(closed.case.status, 'CLOSED');

    const { data, errors } = await ana(wholeCase, { number });
    assert.equal(errors, undefined);
    const found = data.caseByNumber;
    assert.equal(found.outcome, 'RESOLVED_INFORMALLY');
    assert.deepEqual(found.closure.closedBy, { name: 'Officer sue' });
    assert.deepEqual(found.decision, {
      reason: 'Well documented.',
      decidedBy: { name: 'Officer ben' },
      review: { decision: 'APPROVED' },
    });
    assert.equal(found.activeAction, null);
    assert.equal(found.parties.edges[0].node.name, 'PT Contoh');
    assert.equal(found.contraventions.edges[0].node.parties[0].id, partyId);
    assert.equal(found.investigators.edges[0].node.name, 'Officer cat');
    assert.equal(found.investigators.edges[0].addedBy.name, 'Officer ana');
    assert.equal(found.actions.edges[0].node.case.number, number);
    assert.equal(found.notices.edges[0].node.action.id, started.action.id);
    assert.deepEqual(
      found.timeline.edges.map((edge: { node: { seq: number } }) => edge.node.seq),
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
    assert.deepEqual([found.timeline.edges[0].node.type, found.timeline.edges[11].node.to], ['openCase', 'CLOSED']);
    assert.ok(found.timeline.edges[7].node.details.some((d: object) => 'value' in d && d.value === 'Well documented.'));
    assert.ok(found.availableActions.every((action: { allowed: boolean }) => !action.allowed));
  });

  it('gives a repeated key the same answer, and reads the case afresh', async () => {
    const idempotencyKey = 'once-and-once-only-0001';
    const first = await sent(desk.ana, 'openCase', { ...aCase, idempotencyKey, leadOfficerId: officerId('dan') });
    const moved = await sent(desk.sue, 'reassignLead', {
      caseId: first.case.id,
      expectedVersion: 1,
      expectedLeadOfficerId: officerId('dan'),
      leadOfficerId: null,
      reason: 'Leave.',
    });
    const again = await sent(desk.ana, 'openCase', { ...aCase, idempotencyKey, leadOfficerId: officerId('dan') });
    assert.deepEqual(
      [again.replayed, again.case.id, again.appliedVersion, again.case.version],
      [true, first.case.id, 1, moved.case.version],
    );
    const other = await send(desk.ana, 'openCase', { ...aCase, idempotencyKey, title: 'Another' });
    assert.deepEqual([other.errors[0].__typename, other.errors[0].retry], ['IdempotencyKeyReused', 'NEW_KEY']);

    const run = await desk.ana(
      'query ($k: IdempotencyKey!) { commandRun(idempotencyKey: $k) { command status appliedVersion aggregate { id } } }',
      { k: idempotencyKey },
    );
    assert.deepEqual(run.data.commandRun, {
      command: 'openCase',
      status: 'COMPLETED',
      appliedVersion: 1,
      aggregate: { id: first.case.id },
    });
    const theirs = await desk.sue('query ($k: IdempotencyKey!) { commandRun(idempotencyKey: $k) { command } }', {
      k: idempotencyKey,
    });
    assert.deepEqual(theirs.data, { commandRun: null });
  });

  it('refuses a stale version beside the case as it stands', async () => {
    const { id: caseId } = await open(desk.ana, { leadOfficerId: officerId('ana') });
    await sent(desk.ana, 'addParty', { caseId, expectedVersion: 1, ...aParty });
    const late = await send(desk.ana, 'addParty', { caseId, expectedVersion: 1, ...aParty });
    assert.deepEqual(late.case.version, 2);
    assert.deepEqual(
      { ...late.errors[0], message: '' },
      {
        __typename: 'VersionConflict',
        code: 'VERSION_CONFLICT',
        message: '',
        path: null,
        retry: 'AFTER_REFRESH',
        expected: 1,
        actual: 2,
        changedFields: ['parties'],
      },
    );
  });

  it('runs several mutations of one document in order, each for itself', async () => {
    const { data } = await desk.ana(
      `mutation ($a: OpenCaseInput!, $b: OpenCaseInput!, $c: OpenCaseInput!) {
        a: openCase(input: $a) { case { number } errors { code } }
        b: openCase(input: $b) { case { number } errors { code } }
        c: openCase(input: $c) { case { number } errors { code } } }`,
      {
        a: { ...aCase, idempotencyKey: 'several-in-one-0001' },
        b: { ...aCase, title: '', idempotencyKey: 'several-in-one-0002' },
        c: { ...aCase, idempotencyKey: 'several-in-one-0003' },
      },
    );
    assert.deepEqual([data.a.errors, data.b.errors, data.c.errors], [[], [{ code: 'VALIDATION_FAILED' }], []]);
    assert.ok(data.a.case.number < data.c.case.number);
  });

  it('tells who holds a taken value to those who may see them', async () => {
    const externalReference = { sourceSystem: 'PORTAL', value: 'REG-2026-0001' };
    const held = await open(desk.sue, { externalReference, classification: 'RESTRICTED' });
    const told = (await send(desk.sue, 'openCase', { ...aCase, externalReference })).errors[0];
    assert.deepEqual([told.__typename, told.field, told.holder], ['UniqueViolation', 'externalReference', held.id]);
    const hidden = (await send(desk.ana, 'openCase', { ...aCase, externalReference })).errors[0];
    assert.deepEqual([hidden.field, hidden.holder], ['externalReference', null]);
    const officer = await send(desk.sue, 'registerOfficer', {
      officerId: 'ana',
      name: 'Ana',
      email: 'x@regulator.example',
      region: 'JKT',
    });
    assert.deepEqual(officer.errors[0].holder, officerId('ana'));
  });

  it('answers bounds with the limit and the count', async () => {
    await register(desk.sue, 'max', { maxLoad: 1 });
    await open(desk.sue, { leadOfficerId: officerId('max') });
    const no = (await send(desk.sue, 'openCase', { ...aCase, leadOfficerId: officerId('max') })).errors[0];
    assert.deepEqual([no.__typename, no.limit, no.count], ['LimitReached', 1, 1]);
  });
});

const wholeCase = `query ($number: String!) { caseByNumber(number: $number) {
  outcome closure { closedBy { name } retention { permanent disposeAfter } }
  decision { reason decidedBy { name } review { decision } } activeAction { id }
  parties { edges { node { name identifiers { scheme } addressLines email } } }
  contraventions { edges { node { finding parties { id } } } }
  investigators { edges { node { name } addedAt addedBy { name } } }
  reviews { edges { node { recommendation reviewer { name } submittedBy { name } } } }
  actions { edges { node { type status party { name } contraventions { id } case { number } availableActions { command allowed } } } }
  notices { edges { node { status action { id } } } }
  timeline { edges { node { seq type from to actor { name } actorId details { name value } hash previousHash } } }
  availableActions { command allowed refusal reason }
} }`;
