import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Refusal } from './contract.ts';
import { aCase, approved, newKey, openOffice, register, send, sent, underReview, type Office } from './office.ts';
import { auditVerifies, timelineOf } from './outcome.ts';
import { startTarget, type Target } from './target.ts';

let target: Target;
let office: Office;
beforeAll(async () => {
  target = await startTarget();
  office = await openOffice(target);
});
afterAll(() => target?.stop());

const fifty = <T>(work: (i: number) => Promise<T>) => Promise.all(Array.from({ length: 50 }, (_, i) => work(i)));
const won = <T extends { errors: Refusal[] }>(answers: T[]) => answers.filter(({ errors }) => errors.length === 0);
const refusals = (answers: { errors: Refusal[] }[]) => answers.flatMap(({ errors }) => errors);
const codes = (answers: { errors: Refusal[] }[]) => [...new Set(refusals(answers).map(({ code }) => code))];

const officersOf = (prefix: string, maxLoad?: number) =>
  fifty((i) => register(office.sue, `${prefix}-${i}-${randomUUID().slice(0, 8)}`, maxLoad));

describe('fifty at once', () => {
  it('open one case for one external reference, and learn which', async () => {
    const externalReference = { sourceSystem: 'INTAKE', value: `REG-${randomUUID()}` };
    const answers = await fifty(() => send(office.ana, 'openCase', { ...aCase, externalReference }));
    const [winner, ...more] = won(answers);
    expect(more).toEqual([]);
    const losers = refusals(answers);
    expect(losers).toHaveLength(49);
    const told = new Set(losers.map(({ code, holder }) => `${code} ${holder}`));
    expect([...told]).toEqual([`UNIQUE_VIOLATION ${winner!.case!.id}`]);
    await auditVerifies(target, office.sue, { caseId: winner!.case!.id, number: winner!.case!.number });
  });

  it('add three investigators, and tell the others the limit', async () => {
    const officers = await officersOf('member');
    const { id: caseId, number } = (await sent(office.sue, 'openCase', aCase)).case!;
    const answers = await fifty((i) => send(office.sue, 'addInvestigator', { caseId, officerId: officers[i] }));
    expect(won(answers)).toHaveLength(3);
    expect(codes(answers)).toEqual(['LIMIT_REACHED']);
    expect(new Set(refusals(answers).map(({ limit, count }) => `${count} of ${limit}`))).toEqual(new Set(['3 of 3']));
    const query = 'query ($id: ID!) { case(id: $id) { investigators(first: 100) { edges { node { id } } } } }';
    const { case: now } = (await office.sue(query, { id: caseId })) as { case: { investigators: { edges: object[] } } };
    expect(now.investigators.edges).toHaveLength(3);
    const events = await auditVerifies(target, office.sue, { caseId, number });
    expect(events.map(({ type }) => type)).toEqual(['openCase', ...Array<string>(3).fill('addInvestigator')]);
  });

  it('start one enforcement action', async () => {
    const matter = await approved(office);
    const { caseId, version, partyId, contraventionId } = matter;
    const input = { caseId, expectedVersion: version, type: 'WARNING', partyId, contraventionIds: [contraventionId] };
    const answers = await fifty((i) => send(i % 2 ? office.ana : office.sue, 'startEnforcement', input));
    expect(won(answers)).toHaveLength(1);
    expect(codes(answers).filter((code) => !['VERSION_CONFLICT', 'LIMIT_REACHED'].includes(code))).toEqual([]);
    const query = 'query ($id: ID!) { case(id: $id) { status actions(first: 100) { edges { node { id } } } } }';
    const { case: now } = (await office.sue(query, { id: caseId })) as { case: { actions: { edges: object[] } } };
    expect(now).toMatchObject({
      status: 'ENFORCEMENT',
      actions: { edges: [{ node: { id: won(answers)[0]!.action!.id } }] },
    });
    expect(now.actions.edges).toHaveLength(1);
    await auditVerifies(target, office.sue, matter);
  });

  it('send one approval with one key, half of them together: it is done once and answered fifty times', async () => {
    const matter = await underReview(office);
    const { caseId, version } = matter;
    const approval = { idempotencyKey: newKey(), caseId, expectedVersion: version, reason: 'Well founded.' };
    const together = await Promise.all(Array.from({ length: 25 }, () => sent(office.ben, 'approveCase', approval)));
    const answers = [...together];
    for (let i = 0; i < 25; i++) answers.push(await sent(office.ben, 'approveCase', approval));

    const first = { ...answers[0]!, replayed: true };
    for (const answer of answers) expect({ ...answer, replayed: true }).toEqual(first);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(first).toMatchObject({ appliedVersion: version + 1, case: { status: 'APPROVED', version: version + 1 } });
    const approvals = (await timelineOf(office.sue, caseId)).filter(({ type }) => type === 'approveCase');
    expect(approvals).toHaveLength(1);
    await auditVerifies(target, office.sue, matter);
  });

  it('give an officer with room for two exactly two cases, and the load agrees', async () => {
    const busy = await register(office.sue, `busy-${randomUUID().slice(0, 8)}`, 2);
    const cases = await fifty(async () => (await sent(office.sue, 'openCase', aCase)).case!);
    const answers = await fifty((i) =>
      send(office.sue, 'reassignLead', {
        caseId: cases[i]!.id,
        expectedVersion: 1,
        expectedLeadOfficerId: null,
        leadOfficerId: busy,
        reason: 'Balance of work.',
      }),
    );
    expect(won(answers)).toHaveLength(2);
    expect(codes(answers)).toEqual(['LIMIT_REACHED']);
    const query =
      'query ($id: ID!) { officer(id: $id) { activeLoad maxLoad } cases(filter: { leadOfficerId: $id }) { edges { node { id } } } }';
    const { officer, cases: led } = (await office.sue(query, { id: busy })) as {
      officer: object;
      cases: { edges: { node: { id: string } }[] };
    };
    expect(officer).toEqual({ activeLoad: 2, maxLoad: 2 });
    expect(led.edges.map(({ node }) => node.id).sort()).toEqual(
      won(answers)
        .map((answer) => answer.case!.id)
        .sort(),
    );
  });

  it('change the lead once, and each of the others learns that it has changed', async () => {
    const officers = await officersOf('lead');
    const { id: caseId, number } = (
      await sent(office.ana, 'openCase', { ...aCase, leadOfficerId: office.officers.ana })
    ).case!;
    const answers = await fifty((i) =>
      send(office.sue, 'reassignLead', {
        caseId,
        expectedVersion: 1,
        expectedLeadOfficerId: office.officers.ana,
        leadOfficerId: officers[i],
        reason: 'Balance of work.',
      }),
    );
    expect(won(answers)).toHaveLength(1);
    expect(codes(answers)).toEqual(['LEAD_CHANGED']);
    await auditVerifies(target, office.sue, { caseId, number });
  });

  it('register one officer for one e-mail address', async () => {
    const email = `one-${randomUUID()}@regulator.example`;
    const answers = await fifty((i) =>
      send(office.sue, 'registerOfficer', {
        officerId: randomUUID(),
        name: 'Officer',
        email: i % 2 ? email : email.toUpperCase(),
        region: 'JKT',
      }),
    );
    expect(won(answers)).toHaveLength(1);
    expect(codes(answers)).toEqual(['UNIQUE_VIOLATION']);
  });
});
