/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { CaseId, OfficerId } from '../../domain/ids.ts';
import { loadersOf } from '../../resolvers/loaders.ts';
import { decoded } from '../../resolvers/nodeId.ts';
import type { Table } from '../../store/table-port.ts';
import { demo } from '../store/world.ts';
import { enforced, officerId, open, startDesk, type Desk } from './desk.ts';

let desk: Desk;
const opened: string[] = [];
beforeAll(async () => {
  desk = await startDesk();
  for (let i = 0; i < 30; i++) opened.push((await open(desk.sue, { leadOfficerId: officerId('ana') })).id);
  for (let i = 0; i < 3; i++) await enforced(desk);
});
afterAll(() => desk.stop());

describe('reads', () => {
  const count = async (query: string, variables: object = {}) => {
    desk.world.calls.reset();
    const { errors } = await desk.sue(query, variables);
    assert.equal(errors, undefined);
    return desk.world.calls.count;
  };

  for (const status of ['OPEN', 'ENFORCEMENT'])
    it(`of a page of 25 cases that are ${status}, with officers, active action and available actions, are at most 4`, async () => {
      const calls = await count(
        `query ($s: CaseStatus!) { cases(filter: { status: $s }, first: 25) { edges { node {
          number leadOfficer { name } openedBy { name } activeAction { status } availableActions { command allowed } } } } }`,
        { s: status },
      );
      assert.ok(calls <= 4, `${calls} reads`);
    });

  it('of one case, its lead and its buttons are three', async () => {
    const query = 'query ($id: ID!) { case(id: $id) { leadOfficer { name } availableActions { allowed } } }';
    assert.equal(await count(query, { id: opened[0] }), 3);
  });

  it('of the same thing on several paths are one', async () => {
    const query =
      'query ($id: ID!) { a: case(id: $id) { number } b: node(id: $id) { id } c: nodes(ids: [$id, $id]) { id } }';
    assert.equal(await count(query, { id: opened[0] }), 2);
  });

  it('of lists inside lists end at a number, not at the database', async () => {
    const lists = (n: number) =>
      ['parties', 'contraventions', 'investigators', 'reviews', 'actions', 'notices', 'timeline']
        .map((name) => `${name} { edges { cursor } }`)
        .flatMap((list) => Array.from({ length: n }, (_, i) => `a${i}: ${list.replace(' {', `(first: ${i + 1}) {`)}`))
        .map((field, i) => field.replace(/^a\d+/, `f${i}`))
        .join(' ');
    const ask = (n: number) =>
      desk.sue(`{ cases(filter: { status: OPEN }, first: 30) { edges { node { ${lists(n)} } } } }`);
    assert.equal((await ask(1)).errors, undefined);
    desk.world.calls.reset();
    const { errors } = await ask(2);
    assert.ok(errors!.every((error) => error.extensions['code'] === 'TOO_COSTLY'));
    assert.ok(desk.world.calls.count < 310);
  });

  const troubles: [object, string][] = [
    [{ name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } }, 'OVERLOADED'],
    [{ name: 'InternalServerError', $metadata: { httpStatusCode: 500 } }, 'UNAVAILABLE'],
    [{ name: 'TimeoutError' }, 'UNAVAILABLE'],
    [{ code: 'ECONNREFUSED' }, 'UNAVAILABLE'],
    [{ name: 'ValidationException', $metadata: { httpStatusCode: 400 } }, 'INTERNAL'],
    [{}, 'INTERNAL'],
  ];
  for (const [trouble, code] of troubles)
    it(`that meet ${JSON.stringify(trouble)} say ${code}`, async () => {
      const { table } = desk.world.store;
      const whole = { ...table };
      const fail = () => Promise.reject(Object.assign(new Error('no'), trouble));
      try {
        table.query = fail;
        const list = await desk.sue('{ officers { edges { cursor } } }');
        table.batchGet = fail;
        const door = await desk.sue('{ viewer { subject } }');
        for (const { errors } of [list, door])
          assert.deepEqual(
            [errors?.[0]?.extensions['code'], errors?.[0]?.extensions['retryable']],
            [code, code !== 'INTERNAL'],
          );
      } finally {
        Object.assign(table, whole);
      }
    });

  it('that fail leave the rest of the answer', async () => {
    const { table } = desk.world.store;
    const batchGet = table.batchGet.bind(table);
    let calls = 0;
    table.batchGet = (keys) => (++calls === 2 ? Promise.reject(new Error('throttled')) : batchGet(keys));
    try {
      const { data, errors } = await desk.sue(
        `query ($id: ID!) { a: case(id: $id) { number } nodes(ids: []) { id } }`,
        { id: opened[0] },
      );
      assert.deepEqual([errors?.length, data.a], [1, null]);
    } finally {
      table.batchGet = batchGet;
    }
  });

  it('are asked for again within the same request, where they failed', async () => {
    const { store } = desk.world;
    let fails = true;
    const batchGet: Table['batchGet'] = (keys) =>
      fails ? Promise.reject(new Error('throttled')) : store.table.batchGet(keys);
    const reads = { ...store, table: { ...store.table, batchGet } };
    const loaders = loadersOf(reads, demo.id, { id: 'sue' as OfficerId, roles: ['SUPERVISOR'] });
    const caseId = decoded(opened[0]!)!.ids[0] as CaseId;
    await assert.rejects(loaders.case(caseId), /throttled/);
    fails = false;
    assert.equal((await loaders.case(caseId))?.id, caseId);
  });
});
