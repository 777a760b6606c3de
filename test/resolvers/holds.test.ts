/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chainFaults } from '../../store/audit.ts';
import { listEvents } from '../../store/lists.ts';
import { readItems } from '../../store/read.ts';
import { ref } from '../../domain/refs.ts';
import type { CaseId } from '../../domain/ids.ts';
import { newKey } from '../store/world.ts';
import { officerId, open, register, send, sent, startDesk, type Desk } from './desk.ts';
import type { Ask } from './host.ts';

let desk: Desk;
let leo: Ask;
let lea: Ask;
let eve: Ask;
let caseId: string;
beforeAll(async () => {
  desk = await startDesk();
  leo = await desk.host.as('leo', ['LEGAL_OFFICER']);
  lea = await desk.host.as('lea', ['LEGAL_OFFICER']);
  eve = await desk.host.as('eve', ['CASE_OFFICER']);
  await register(desk.sue, 'leo');
  caseId = (await open(desk.sue, { leadOfficerId: officerId('ana') })).id;
});
afterAll(() => desk.stop());

const matter = { matterReference: '12/2026 PN Jkt', reason: 'The court has asked for the file.' };
const placed = async (id = caseId) => (await sent(leo, 'placeHold', { caseId: id, ...matter })).hold;
const over = ({ id, version }: { id: string; version: number }) => ({
  holdId: id,
  expectedVersion: version,
  reason: 'The appeal is over.',
});

/** How many holds the case says are active, and which it lists, by status. */
async function holdsOf(ask: Ask, id: string) {
  const query = `query ($id: ID!) { case(id: $id) { version counts { activeHolds }
    holds(first: 100) { edges { node { id status } } } } }`;
  const { data } = await ask(query, { id });
  const listed = data.case.holds.edges.map(({ node }: { node: { status: string } }) => node.status).sort();
  return { version: data.case.version, active: data.case.counts.activeHolds, listed };
}

describe('a hold', () => {
  it('is placed, seen on the case and as a node, and released by another', async () => {
    const hold = await placed();
    assert.deepEqual(await holdsOf(eve, caseId), { version: 1, active: 1, listed: ['ACTIVE'] });
    const query = `query ($id: ID!) { node(id: $id) { ... on Hold { status matterReference reason version releasedAt
      placedBy { name } case { id } availableActions { command allowed refusal } } } }`;
    const asLeo = await leo(query, { id: hold.id });
    assert.deepEqual(asLeo.data.node, {
      ...{ status: 'ACTIVE', ...matter, version: 1, releasedAt: null, placedBy: { name: 'Officer leo' } },
      case: { id: caseId },
      availableActions: [{ command: 'releaseHold', allowed: false, refusal: 'SEPARATION_OF_DUTIES' }],
    });
    const refusal = await send(leo, 'releaseHold', over(hold));
    assert.deepEqual([refusal.errors[0].code, refusal.hold.status], ['SEPARATION_OF_DUTIES', 'ACTIVE']);
    const { data } = await lea(query, { id: hold.id });
    assert.deepEqual(data.node.availableActions, [{ command: 'releaseHold', allowed: true, refusal: null }]);
    const released = await sent(lea, 'releaseHold', over(hold));
    assert.deepEqual([released.hold.status, released.hold.version, released.case.version], ['RELEASED', 2, 1]);
    assert.deepEqual(await holdsOf(eve, caseId), { version: 1, active: 0, listed: ['RELEASED'] });
  });

  it('of fifty releases at once is released once, with one key or with many; the case counts it once', async () => {
    const id = (await open(desk.sue)).id;
    const [first] = [await placed(id), await placed(id)];
    const oneKey = { idempotencyKey: newKey(), ...over(first) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => send(lea, 'releaseHold', i % 2 ? oneKey : over(first))),
    );
    const done = answers.filter(({ errors }) => errors.length === 0);
    assert.equal(done.filter(({ replayed }) => !replayed).length, 1);
    assert.ok(done.length === 1 || done.length === 25, 'either the one key has won, or one of the others');
    const codes = new Set(answers.flatMap(({ errors }) => errors.map(({ code }: { code: string }) => code)));
    assert.deepEqual([...codes], ['VERSION_CONFLICT']);
    assert.deepEqual(await holdsOf(eve, id), { version: 1, active: 1, listed: ['ACTIVE', 'RELEASED'] });
    await chainHolds(id, ['openCase', 'placeHold', 'placeHold', 'releaseHold']);
  });

  it('of ten placed at once is ten, each counted', async () => {
    const id = (await open(desk.sue)).id;
    await Promise.all(Array.from({ length: 10 }, () => placed(id)));
    const { active, listed } = await holdsOf(eve, id);
    assert.deepEqual([active, listed.length], [10, 10]);
  });

  it('is hidden with its case', async () => {
    const hidden = (await open(desk.sue, { classification: 'RESTRICTED' })).id;
    const hold = await placed(hidden);
    const { data } = await eve('query ($id: ID!) { node(id: $id) { id } }', { id: hold.id });
    assert.deepEqual(data, { node: null });
    const asLegal = await lea('query ($id: ID!) { node(id: $id) { id } }', { id: hold.id });
    assert.deepEqual(asLegal.data, { node: { id: hold.id } });
  });

  it('is listed a page at a time', async () => {
    const id = (await open(desk.sue)).id;
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await placed(id)).id);
    const query = `query ($id: ID!, $after: Cursor) { case(id: $id) { holds(first: 2, after: $after) {
      edges { node { id } } pageInfo { hasNextPage endCursor } } } }`;
    const first = (await eve(query, { id })).data.case.holds;
    const rest = (await eve(query, { id, after: first.pageInfo.endCursor })).data.case.holds;
    const seen = [...first.edges, ...rest.edges].map(({ node }: { node: { id: string } }) => node.id);
    assert.deepEqual(seen.sort(), ids.sort());
    assert.deepEqual([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage], [true, false]);
  });
});

async function chainHolds(id: string, types: string[]): Promise<void> {
  const named = Buffer.from(id, 'base64url').toString('utf8').split(':')[1] as CaseId;
  const [current] = await readItems(desk.world.store, 'demo' as never, [ref.case(named)]);
  const { items } = await listEvents(desk.world.store, 'demo' as never, { of: 'case', caseId: named }, 100, true);
  const events = items.map(({ item }) => item);
  assert.deepEqual(
    events.map(({ type }) => type),
    types,
  );
  assert.deepEqual(chainFaults(events, current!), []);
}
