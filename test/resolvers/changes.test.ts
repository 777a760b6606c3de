/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { LocalDate } from '../../domain/ids.ts';
import { countOpened } from '../../store/casesOpened.ts';
import { demo } from '../store/world.ts';
import { aParty, officerId, open, register, send, sent, startDesk, type Desk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const led = () => open(desk.ana, { leadOfficerId: officerId('ana') });
const caseFields = async (id: string, fields: string) => {
  const { data, errors } = await desk.sue(`query ($id: ID!) { case(id: $id) { ${fields} } }`, { id });
  assert.equal(errors, undefined);
  return data.case;
};
const reason = 'As the file shows.';

describe('a case', () => {
  it('is updated in the fields that are named, and a due date is taken away by null', async () => {
    const { id: caseId } = await led();
    await sent(desk.ana, 'updateCase', { caseId, expectedVersion: 1, title: 'Another', dueAt: '2033-07-06' });
    const seen = await caseFields(caseId, 'title summary dueAt version contentVersion');
    assert.deepEqual(seen, {
      title: 'Another',
      summary: 'Chemicals stored beside a school.',
      dueAt: '2033-07-06',
      version: 2,
      contentVersion: 2,
    });
    await sent(desk.ana, 'updateCase', { caseId, expectedVersion: 2, title: null, dueAt: null });
    assert.deepEqual(await caseFields(caseId, 'title dueAt contentVersion'), {
      title: 'Another',
      dueAt: null,
      contentVersion: 2,
    });
  });

  it('has its parties updated', async () => {
    const { id: caseId } = await led();
    const [partyId] = (await sent(desk.ana, 'addParty', { caseId, expectedVersion: 1, ...aParty })).createdIds;
    const change = { partyId, expectedVersion: 2, role: 'WITNESS', identifiers: [{ scheme: 'NPWP', value: '1' }] };
    await sent(desk.ana, 'updateParty', change);
    const seen = await caseFields(
      caseId,
      'counts { subjects } parties { edges { node { role name identifiers { value } } } }',
    );
    assert.deepEqual(seen.counts, { subjects: 0 });
    assert.deepEqual(seen.parties.edges[0].node, { role: 'WITNESS', name: 'PT Contoh', identifiers: [{ value: '1' }] });
    const stale = await send(desk.ana, 'updateParty', { ...change, role: 'SUBJECT' });
    assert.deepEqual([stale.errors[0].code, stale.errors[0].changedFields], ['VERSION_CONFLICT', ['parties']]);
  });

  it('is suspended and resumed, and its deadline waits', async () => {
    const { id: caseId } = await led();
    const on = (expectedVersion: number, more: object) => ({ caseId, expectedVersion, ...more });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await sent(desk.ana, 'updateCase', on(1, { dueAt: '2033-07-06' }));
    await sent(desk.sue, 'suspendCase', on(2, { until: inDays(30), reason }));
    const resting = await caseFields(caseId, 'suspendedUntil dueAt');
    assert.equal(resting.suspendedUntil, inDays(30));
    assert.ok(resting.dueAt > '2033-07-06');
    const refusal = (await send(desk.ana, 'updateCase', on(3, { title: 'No' }))).errors[0];
    assert.deepEqual([refusal.code, refusal.name], ['PRECONDITION_FAILED', 'SUSPENDED']);
    await sent(desk.sue, 'resumeCase', on(3, { reason }));
    assert.deepEqual(await caseFields(caseId, 'suspendedUntil dueAt'), { suspendedUntil: null, dueAt: '2033-07-06' });
  });

  it('is linked, closed as a duplicate, and taken up again', async () => {
    const { ana, sue } = desk;
    const [{ id: caseId }, { id: otherCaseId, number }] = [await led(), await led()];
    await sent(ana, 'linkCases', { caseId, otherCaseId, nature: 'DUPLICATE_OF' });
    const links = 'links { edges { node { nature direction case { id } linkedBy { name } } } }';
    const link = (direction: string, id: string) => ({
      edges: [{ node: { nature: 'DUPLICATE_OF', direction, case: { id }, linkedBy: { name: 'Officer ana' } } }],
    });
    assert.deepEqual((await caseFields(caseId, links)).links, link('TO', otherCaseId));
    assert.deepEqual((await caseFields(otherCaseId, links)).links, link('FROM', caseId));

    const on = (expectedVersion: number, more: object) => ({ caseId, expectedVersion, ...more });
    await sent(sue, 'closeCaseAsDuplicate', on(1, { duplicateOfCaseId: otherCaseId, reason }));
    const closed = await caseFields(caseId, 'status outcome closure { duplicateOf { number } }');
    assert.deepEqual(closed, { status: 'CLOSED', outcome: 'DUPLICATE', closure: { duplicateOf: { number } } });

    const reopened = await sent(sue, 'reopenCase', on(2, { ground: 'ENDED_IN_ERROR', reason }));
    assert.deepEqual([reopened.case.status, reopened.appliedVersion], ['OPEN', 3]);
    const seen = await caseFields(caseId, 'outcome closure { closedAt } reopenCount leadOfficer { name }');
    assert.deepEqual(seen, { outcome: null, closure: null, reopenCount: 1, leadOfficer: { name: 'Officer ana' } });
  });

  it('shows no link to a case that the viewer may not see', async () => {
    const { id: caseId } = await led();
    const { id: hidden } = await open(desk.sue, { classification: 'RESTRICTED' });
    const link = { caseId, otherCaseId: hidden, nature: 'RELATED' };
    const blind = (await send(desk.ana, 'linkCases', link)).errors[0];
    assert.deepEqual([blind.code, blind.name], ['REFERENCE_INVALID', 'otherCaseId']);
    await sent(desk.sue, 'linkCases', link);
    const query = 'query ($id: ID!) { case(id: $id) { links { edges { node { nature } } pageInfo { hasNextPage } } } }';
    const shown = async (ask: Desk['ana']) => (await ask(query, { id: caseId })).data.case.links;
    assert.deepEqual(await shown(desk.ana), { edges: [], pageInfo: { hasNextPage: false } });
    assert.equal((await shown(desk.sue)).edges.length, 1);
  });
});

describe('an officer', () => {
  const officer = async (subject: string, fields: string) =>
    (await desk.sue(`query ($id: ID!) { officer(id: $id) { ${fields} } }`, { id: officerId(subject) })).data.officer;
  const on = (subject: string, expectedVersion: number, more: object) => ({
    officerId: officerId(subject),
    expectedVersion,
    ...more,
  });

  it('gets another address, and may take the old one back, which nobody else may', async () => {
    await register(desk.sue, 'gil');
    await sent(desk.sue, 'changeOfficerEmail', on('gil', 1, { email: 'gil@new.example' }));
    const refusal = (await send(desk.sue, 'changeOfficerEmail', on('dan', 1, { email: 'GIL@regulator.example' })))
      .errors[0];
    assert.deepEqual([refusal.code, refusal.field, refusal.holder], ['UNIQUE_VIOLATION', 'email', null]);
    await sent(desk.sue, 'changeOfficerEmail', on('gil', 2, { email: 'Gil@regulator.example' }));
    await sent(desk.sue, 'changeOfficerEmail', on('gil', 3, { email: 'gil@Regulator.example' }));
    assert.deepEqual(await officer('gil', 'email version'), { email: 'gil@Regulator.example', version: 4 });
    const held = (await send(desk.sue, 'changeOfficerEmail', on('dan', 1, { email: 'gil@regulator.example' })))
      .errors[0];
    assert.deepEqual([held.code, held.holder], ['UNIQUE_VIOLATION', officerId('gil')]);
  });

  it('gets a limit that holds from then on', async () => {
    await register(desk.sue, 'hal');
    await open(desk.sue, { leadOfficerId: officerId('hal') });
    await sent(desk.sue, 'setOfficerLimit', on('hal', 1, { maxLoad: 1, reason }));
    const { errors } = await send(desk.sue, 'openCase', {
      caseType: 'COMPLAINT',
      title: 'One more',
      summary: 'One more.',
      region: 'JKT',
      leadOfficerId: officerId('hal'),
    });
    assert.deepEqual([errors[0].code, errors[0].limit, errors[0].count], ['LIMIT_REACHED', 1, 1]);
  });

  it('is absent, and back', async () => {
    await register(desk.sue, 'ivy');
    const absence = { from: '2033-01-01', to: '2033-02-01', delegateId: officerId('dan') };
    await sent(desk.sue, 'setOfficerAbsence', on('ivy', 1, { absence }));
    const fields = 'absence { from to delegate { name } }';
    const seen = { from: '2033-01-01', to: '2033-02-01', delegate: { name: 'Officer dan' } };
    assert.deepEqual(await officer('ivy', fields), { absence: seen });
    const wrong = { absence: { from: '2033-02-01', to: '2033-01-01' } };
    const refusal = (await send(desk.sue, 'setOfficerAbsence', on('ivy', 2, wrong))).errors[0];
    assert.deepEqual([refusal.rule, refusal.path], ['ENDS_BEFORE_IT_BEGINS', ['absence', 'to']]);
    await sent(desk.sue, 'setOfficerAbsence', on('ivy', 2, {}));
    assert.deepEqual(await officer('ivy', fields), { absence: null });
  });
});

describe('openCaseCounts', () => {
  const ask = (regions: string[]) =>
    desk.sue('query ($r: [String!]!) { openCaseCounts(regions: $r) { region count } }', { r: regions });

  it('counts what is open in each region, in the order of the question', async () => {
    for (let i = 0; i < 3; i++) await open(desk.ana, { region: 'BALI' });
    desk.world.calls.reset();
    const { data } = await ask(['BALI', 'NOWHERE', 'BALI']);
    const counts = data.openCaseCounts.map(({ region, count }: Record<string, unknown>) => [region, count]);
    assert.deepEqual(counts, [
      ['BALI', 3],
      ['NOWHERE', 0],
      ['BALI', 3],
    ]);
    assert.equal(desk.world.calls.count, 2, 'who asks, and one batch');
  });

  it('is for ten regions at most, and for regions only', async () => {
    const codeOf = async (regions: string[]) => (await ask(regions)).errors?.[0]?.extensions['code'];
    assert.equal(await codeOf(Array.from({ length: 10 }, (_, i) => `R${i}`)), undefined);
    assert.equal(await codeOf(Array.from({ length: 11 }, (_, i) => `R${i}`)), 'BAD_USER_INPUT');
    assert.equal(await codeOf(['a#b']), 'BAD_USER_INPUT');
  });
});

describe('casesOpened', () => {
  it('shows what was told of a day, in the order of the question, in one batch', async () => {
    const on = '2026-03-02' as LocalDate;
    for (const eventId of ['told-1', 'told-2', 'told-1'])
      await countOpened(desk.world.store, demo.id, { eventId, region: 'BALI', on });
    desk.world.calls.reset();
    const query = 'query ($r: [String!]!) { casesOpened(regions: $r, on: "2026-03-02") { region on count } }';
    const { data } = await desk.sue(query, { r: ['NOWHERE', 'BALI'] });
    assert.deepEqual(JSON.parse(JSON.stringify(data.casesOpened)), [
      { region: 'NOWHERE', on, count: 0 },
      { region: 'BALI', on, count: 2 },
    ]);
    assert.equal(desk.world.calls.count, 2, 'who asks, and one batch');
    const many = await desk.sue(query, { r: Array.from({ length: 11 }, (_, i) => `R${i}`) });
    assert.equal(many.errors?.[0]?.extensions['code'], 'BAD_USER_INPUT');
  });
});
