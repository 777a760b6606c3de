/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-argument --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { newKey } from '../store/world.ts';
import type { Ask } from './host.ts';
import { aCase, officerId, open, register, send, sent, startDesk, type Desk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const codeOf = ({ errors }: Awaited<ReturnType<Ask>>) => errors?.[0]?.extensions['code'];

describe('an event that speaks of another case', () => {
  const details = async (ask: Ask, id: string, type: string) => {
    const query = 'query ($id: ID!) { case(id: $id) { timeline { edges { node { type details { name value } } } } } }';
    const { data, errors } = await ask(query, { id });
    assert.equal(errors, undefined);
    return data.case.timeline.edges
      .map(({ node }: { node: { type: string } }) => node)
      .find((event: { type: string }) => event.type === type).details;
  };

  it('shows its details to those only who may see that case: what is linked, why, and of what it is a duplicate', async () => {
    const mia = await desk.host.as('mia', ['CASE_OFFICER']);
    const sue = await desk.host.as('sue', ['SUPERVISOR']);
    const secret = await open(sue, { classification: 'RESTRICTED' });
    const plain = await open(sue, { leadOfficerId: officerId('ana') });
    const known = await open(sue, { leadOfficerId: officerId('ana') });
    const link = (otherCaseId: string, nature: string) =>
      sent(sue, 'linkCases', { caseId: plain.id, otherCaseId, nature, reason: 'The same minister.' });
    await link(known.id, 'RELATED');
    const seen = await details(mia, plain.id, 'linkCases');
    const sees = async (id: string) => (await mia('query ($id: ID!) { case(id: $id) { id } }', { id })).data.case;
    assert.ok(await sees(plain.id));
    assert.ok(seen.some(({ name }: { name: string }) => name === 'otherCaseId'));

    const other = await open(sue, { leadOfficerId: officerId('ana') });
    await sent(sue, 'linkCases', { caseId: other.id, otherCaseId: secret.id, nature: 'DUPLICATE_OF', reason: 'Why.' });
    await sent(sue, 'closeCaseAsDuplicate', {
      ...{ caseId: other.id, expectedVersion: 1, duplicateOfCaseId: secret.id, reason: 'The same.' },
    });
    assert.equal(await sees(secret.id), null);
    for (const name of ['linkCases', 'closeCaseAsDuplicate']) {
      assert.equal(await details(mia, other.id, name), null);
      assert.ok((await details(sue, other.id, name)).length > 0);
    }
  });
});

describe('what is sent in bad faith or by mistake', () => {
  it('bounds of time that cross are refused, and seconds without a fraction begin where they begin', async () => {
    const opa = await desk.host.as('opa', ['OPERATOR']);
    const between = (from: string, to: string) =>
      opa(
        `{ operations { executions(filter: { machine: "notice", startedFrom: "${from}", startedTo: "${to}" }) { edges { cursor } } } }`,
      );
    assert.equal(codeOf(await between('2026-02-01T00:00:00Z', '2026-01-01T00:00:00Z')), 'BAD_USER_INPUT');
    assert.equal(codeOf(await between('2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z')), 'BAD_USER_INPUT');
    for (const same of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z'])
      assert.equal(codeOf(await between(same, '2026-01-01T00:00:00.000Z')), undefined);
  });

  it('an empty cursor is a bad one, in every list', async () => {
    const lists = [
      '{ officers(after: "") { edges { cursor } } }',
      '{ cases(filter: { status: OPEN }, after: "") { edges { cursor } } }',
      '{ tasks(filter: { mine: true }, after: "") { edges { cursor } } }',
    ];
    for (const list of lists) assert.equal(codeOf(await desk.sue(list)), 'BAD_CURSOR');
    const { errors } = await desk.sue('query ($a: Cursor) { officers(after: $a) { edges { cursor } } }', { a: null });
    assert.equal(errors, undefined);
  });

  it('an automatic persisted query is told that there are none, so that its client sends the document', async () => {
    const authorization = `Bearer ${await desk.tokens.token({ sub: 'sue', roles: ['SUPERVISOR'] })}`;
    const persistedQuery = { version: 1, sha256Hash: 'a'.repeat(64) };
    const reply = await desk.host.post(JSON.stringify({ extensions: { persistedQuery } }), { authorization });
    assert.deepEqual(
      [reply.status, codeOf(reply), reply.errors?.[0]?.message],
      [200, 'PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported'],
    );
  });

  it('an officer whose subject is an address is in no line of the log', async () => {
    const subject = 'jane.roe@example.org';
    desk.world.log.length = 0;
    await register(desk.sue, subject, { email: 'j@regulator.example' });
    const again = { officerId: subject, name: 'J', email: 'k@regulator.example', region: 'JKT' };
    assert.ok((await send(desk.sue, 'registerOfficer', again)).errors.length > 0);
    assert.ok(desk.world.log.length >= 2 && !JSON.stringify(desk.world.log).includes('jane'));
    const { id } = await open(desk.sue);
    assert.ok(id && desk.world.log.some(({ aggregateId }) => typeof aggregateId === 'string'));
  });

  for (const ms of ['0', '1', '1999', '2000'])
    it(`a command that may take ${ms} ms is tried once`, async () => {
      const query = 'mutation ($input: OpenCaseInput!) { openCase(input: $input) { case { id } } }';
      const input = { ...aCase, idempotencyKey: newKey().slice(0, 128) };
      const { errors, data } = await desk.sue(query, { input }, { 'docket-timeout-ms': ms });
      assert.deepEqual([errors, typeof data.openCase.case.id], [undefined, 'string']);
    });
});
