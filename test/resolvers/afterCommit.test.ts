/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { newKey } from '../store/world.ts';
import { aCase, aParty, officerId, open, sendRaw, startDesk, type Desk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const throttled = () =>
  Promise.reject(Object.assign(new Error('x'), { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } }));

/** From the moment something is committed, every read but the first few is throttled. */
async function readsFailAfterCommit<T>(work: () => Promise<T>, goodReads = 0): Promise<T> {
  const { table } = desk.world.store;
  const whole = { ...table };
  let committed = false;
  let left = goodReads;
  const fails = () => committed && left-- <= 0;
  table.transactWrite = async (writes, token) => {
    await whole.transactWrite(writes, token);
    committed = true;
  };
  table.batchGet = (keys) => (fails() ? throttled() : whole.batchGet(keys));
  table.query = (request) => (fails() ? throttled() : whole.query(request));
  try {
    return await work();
  } finally {
    Object.assign(table, whole);
  }
}

describe('what is committed is answered as done, though nothing of it can be read', () => {
  const lead = { leadOfficerId: officerId('ana') };
  const commands: [string, string, () => Promise<object>][] = [
    ['case', 'openCase', () => Promise.resolve({ ...aCase, ...lead })],
    ['case', 'addParty', async () => ({ caseId: (await open(desk.sue, lead)).id, expectedVersion: 1, ...aParty })],
    ['task', 'createTask', async () => ({ caseId: (await open(desk.sue, lead)).id, title: 'Ask.' })],
  ];
  for (const [shown, name, input] of commands)
    it(`${name}, and its repeat`, async () => {
      const sent = { ...(await input()), idempotencyKey: newKey().slice(0, 128) };
      const first = await readsFailAfterCommit(() => sendRaw(desk.sue, name, sent));
      const answer = first.data?.[name];
      assert.deepEqual([first.errors, answer?.[shown], answer?.errors], [undefined, null, []], first.text);
      const repeat = await sendRaw(desk.sue, name, sent);
      const again = repeat.data[name];
      assert.ok(again[shown].id);
      assert.deepEqual(
        [again.replayed, again.appliedVersion, again.createdIds],
        [true, answer.appliedVersion, answer.createdIds],
      );
    });

  it('registerOfficer, whose officer is at hand and needs no read', async () => {
    const input = { officerId: 'after', name: 'A', email: 'after@regulator.example', region: 'JKT' };
    const { errors, data } = await readsFailAfterCommit(() => sendRaw(desk.sue, 'registerOfficer', input));
    assert.deepEqual([errors, data.registerOfficer.errors, data.registerOfficer.appliedVersion], [undefined, [], 1]);
  });

  it('a replay', async () => {
    const sent = { ...aCase, idempotencyKey: newKey().slice(0, 128) };
    const done = (await sendRaw(desk.sue, 'openCase', sent)).data.openCase;
    const { table } = desk.world.store;
    const batchGet = table.batchGet.bind(table);
    let reads = 0;
    table.batchGet = (keys) => (++reads > 2 ? throttled() : batchGet(keys)); // the door and the record
    try {
      const { data, errors } = await sendRaw(desk.sue, 'openCase', sent);
      assert.deepEqual([errors, data.openCase.case, data.openCase.replayed], [undefined, null, true]);
      assert.equal(data.openCase.appliedVersion, done.appliedVersion);
    } finally {
      table.batchGet = batchGet;
    }
  });

  it('with the answers of earlier mutations of the document', async () => {
    const input = () => ({ ...aCase, idempotencyKey: newKey().slice(0, 128) });
    const query = `mutation ($a: OpenCaseInput!, $b: OpenCaseInput!) {
      a: openCase(input: $a) { case { id } errors { code } } b: openCase(input: $b) { case { id } errors { code } } }`;
    const { table } = desk.world.store;
    const whole = { ...table };
    let commits = 0;
    let left = 1; // the second command's own
    table.transactWrite = async (writes, token) => {
      await whole.transactWrite(writes, token);
      if (++commits === 2) left = 0;
    };
    table.batchGet = (keys) => (commits === 2 && left <= 0 ? throttled() : whole.batchGet(keys));
    try {
      const { data, errors } = await desk.sue(query, { a: input(), b: input() });
      assert.equal(errors, undefined);
      assert.ok(data.a.case.id);
      assert.deepEqual(data.b, { case: null, errors: [] });
    } finally {
      Object.assign(table, whole);
    }
  });

  it('and a field below it that cannot be read never says that nothing was done', async () => {
    const query = `mutation ($i: OpenCaseInput!) { openCase(input: $i) {
      case { timeline { edges { cursor } } } appliedVersion errors { code } } }`;
    const variables = { i: { ...aCase, idempotencyKey: newKey().slice(0, 128) } };
    const reply = await readsFailAfterCommit(() => desk.sue(query, variables), 1);
    assert.deepEqual(reply.data?.openCase, { case: null, appliedVersion: 1, errors: [] }, reply.text);
    assert.deepEqual(
      reply.errors?.map(({ message, extensions }) => [message, extensions['code']]),
      [['It could not be read; ask for it again.', 'OVERLOADED']],
    );
  });
});
