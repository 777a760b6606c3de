/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-explicit-any --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKey } from '../store/world.ts';
import { officerId, send, startDesk, type Desk } from './desk.ts';

let desk: Desk;
beforeAll(async () => void (desk = await startDesk()));
afterAll(() => desk.stop());

const aCase = {
  ...{ caseType: 'COMPLAINT', title: 'Unlicensed storage', summary: 'Chemicals.', classification: 'STANDARD' },
  ...{ priority: 'NORMAL', region: 'JKT' },
};
const opened = async (lead: string): Promise<string> =>
  (await send(desk.ana, 'openCase', { ...aCase, leadOfficerId: officerId(lead) })).case.id;

type Seen = { officer: { id: string; version: number }; digest: string } & Record<string, any>;
async function preview(of: string, ...to: string[]): Promise<Seen> {
  const query = `query ($of: ID!, $to: [ID!]!) { caseloadPreview(officerId: $of, toOfficerIds: $to) {
    officer { id version } leads reviews memberships tasks digest
    items(first: 50) { edges { node { kind case { id } toOfficer { id } allowed refusal } } pageInfo { hasNextPage } } } }`;
  const reply = await desk.sue(query, { of: officerId(of), to: to.map(officerId) });
  expect(reply.errors).toBeUndefined();
  return reply.data.caseloadPreview;
}
const accept = (
  { officer, digest }: { officer: { id: string; version: number }; digest: string },
  ...to: string[]
) => ({
  ...{ officerId: officer.id, expectedVersion: officer.version, toOfficerIds: to.map(officerId) },
  ...{ previewDigest: digest, reason: 'a new post' },
});
const runFields = `command status total done refusal
  results(first: 10) { edges { node { kind status case { id } toOfficer { id } refusal } } }`;
const runOf = async (idempotencyKey: string) =>
  (
    await desk.sue(`query ($key: IdempotencyKey!) { commandRun(idempotencyKey: $key) { ${runFields} } }`, {
      key: idempotencyKey,
    })
  ).data.commandRun;

describe('the preview of a caseload', () => {
  it('counts what the officer has, and says of each part who takes it over and whether they may', async () => {
    const cases = [await opened('dan'), await opened('dan')];
    await send(desk.sue, 'setOfficerLimit', {
      officerId: officerId('eve'),
      expectedVersion: 1,
      maxLoad: 1,
      reason: 'part time',
    });
    const seen = await preview('dan', 'eve');
    expect(seen).toMatchObject({
      leads: 2,
      reviews: 0,
      memberships: 0,
      tasks: 0,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const items = seen.items.edges.map(({ node }: { node: unknown }) => node);
    expect(items.map(({ case: { id } }: { case: { id: string } }) => id).sort()).toEqual(cases.sort());
    expect(items).toMatchObject([
      { kind: 'LEAD', toOfficer: { id: officerId('eve') }, allowed: true, refusal: null },
      { kind: 'LEAD', toOfficer: { id: officerId('eve') }, allowed: false, refusal: 'LIMIT_REACHED' },
    ]);
  });

  it('is another one for others, or once there is more', async () => {
    const [one, other] = [await preview('dan', 'eve'), await preview('dan', 'cat')];
    await opened('dan');
    const later = await preview('dan', 'eve');
    expect(new Set([one.digest, other.digest, later.digest]).size).toBe(3);
    expect((await preview('dan', 'eve')).digest).toBe(later.digest);
  });

  it('is for supervisors, and of nobody there is none', async () => {
    const query = 'query ($of: ID!) { caseloadPreview(officerId: $of, toOfficerIds: [$of]) { digest } }';
    expect((await desk.ana(query, { of: officerId('dan') })).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
    expect((await desk.sue(query, { of: officerId('nobody') })).data.caseloadPreview).toBeNull();
  });
});

describe('moving a caseload', () => {
  it('is answered with its run, which its key shows again, and to nobody else', async () => {
    const idempotencyKey = newKey().slice(0, 64);
    const input = { idempotencyKey, ...accept(await preview('dan', 'cat'), 'cat') };
    const query = `mutation ($input: MoveCaseloadInput!) { moveCaseload(input: $input) {
      officer { id state } appliedVersion replayed run { ${runFields} } errors { code } } }`;
    const first = (await desk.sue(query, { input })).data.moveCaseload;
    expect(first).toMatchObject({
      ...{ officer: { id: officerId('dan'), state: 'ACTIVE' }, replayed: false, errors: [] },
      run: { command: 'moveCaseload', status: 'IN_PROGRESS', total: 0, done: 0, refusal: null },
    });
    expect((await desk.sue(query, { input })).data.moveCaseload).toEqual({ ...first, replayed: true });
    expect(await runOf(idempotencyKey)).toEqual(first.run);
    const others = await desk.ana(`query ($key: IdempotencyKey!) { commandRun(idempotencyKey: $key) { status } }`, {
      key: idempotencyKey,
    });
    expect(others.data.commandRun).toBeNull();
  });

  it('is refused for nobody, for oneself, for too many, and for somebody who is not there', async () => {
    const good = accept(await preview('dan', 'cat'), 'cat');
    const codes = async (toOfficerIds: string[]) => {
      const { errors } = await send(desk.sue, 'moveCaseload', { ...good, toOfficerIds });
      return errors.map(({ code, rule, name }: Record<string, string>) => `${code}(${rule ?? name})`);
    };
    expect(await codes([])).toEqual(['VALIDATION_FAILED(REQUIRED)']);
    expect(await codes([officerId('dan')])).toEqual(['VALIDATION_FAILED(NOT_ONESELF)']);
    expect(await codes([officerId('cat'), officerId('cat')])).toEqual(['VALIDATION_FAILED(DISTINCT)']);
    expect(await codes(Array.from({ length: 21 }, (_, i) => officerId(`p${i}`)))).toEqual([
      'VALIDATION_FAILED(AT_MOST)',
    ]);
    expect(await codes([officerId('nobody')])).toEqual(['REFERENCE_INVALID(toOfficerIds)']);
  });

  it('leaves an officer LEAVING at once, to whom nothing is given any more', async () => {
    const idempotencyKey = newKey().slice(0, 64);
    const input = { idempotencyKey, ...accept(await preview('ben', 'cat'), 'cat') };
    await send(desk.sue, 'deactivateOfficer', input);
    const { data } = await desk.sue('query ($id: ID!) { officer(id: $id) { state } }', { id: officerId('ben') });
    expect(data.officer.state).toBe('LEAVING');
    const refused = await send(desk.ana, 'openCase', { ...aCase, leadOfficerId: officerId('ben') });
    expect(refused.errors).toMatchObject([{ code: 'PRECONDITION_FAILED', name: 'OFFICER_NOT_ACTIVE' }]);
    const next = await send(desk.sue, 'moveCaseload', accept(await preview('dan', 'ben'), 'ben'));
    expect(next.errors).toMatchObject([{ code: 'PRECONDITION_FAILED', name: 'OFFICER_NOT_ACTIVE' }]);
  });
});
