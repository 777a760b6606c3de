/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { aParty, officerId, open, sent, startDesk, type Desk } from './desk.ts';
import type { Ask } from './host.ts';

let desk: Desk;
const opened: string[] = [];
beforeAll(async () => {
  desk = await startDesk();
  const leads = ['ana', 'cat', 'dan'];
  for (let i = 0; i < 30; i++) {
    const classification = i % 3 === 0 ? 'RESTRICTED' : 'STANDARD';
    const priority = i === 29 ? 'URGENT' : 'NORMAL';
    const made = await open(desk.sue, {
      leadOfficerId: officerId(leads[i % 3]!),
      classification,
      priority,
      title: `Case ${i}`,
    });
    opened.push(made.id);
  }
});
afterAll(() => desk.stop());

const listed = `query ($filter: CaseFilter!, $orderBy: CaseOrder! = OLDEST_FIRST, $first: Int!, $after: Cursor) {
  cases(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

type Page = {
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
};

/** Follows endCursor to the end; a walk that repeats or loops fails. */
async function walk(ask: Ask, variables: { filter: object; first: number; orderBy?: string }) {
  const ids: string[] = [];
  let after: string | null = null;
  let pages = 0;
  for (;;) {
    const { data, errors } = await ask(listed, { ...variables, after });
    assert.equal(errors, undefined);
    const page = data.cases as Page;
    ids.push(...page.edges.map(({ node }) => node.id));
    assert.ok(++pages <= 40, 'the walk loops');
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
    assert.ok(after, 'more is promised without saying where');
  }
  assert.equal(new Set(ids).size, ids.length, 'the walk repeats');
  return { ids, pages };
}

describe('a walk through the cases', () => {
  for (const first of [1, 7, 10, 15, 29, 30, 31, 100])
    it(`by pages of ${first} meets each once, oldest first`, async () => {
      const { ids, pages } = await walk(desk.sue, { filter: { status: 'OPEN' }, first });
      assert.deepEqual(ids, opened);
      assert.equal(pages, Math.ceil(30 / first), 'no page is empty, none is promised in vain');
    });

  it('the other way meets the newest first', async () => {
    const { ids } = await walk(desk.sue, {
      filter: { region: 'JKT', status: 'OPEN' },
      first: 8,
      orderBy: 'NEWEST_FIRST',
    });
    assert.equal(ids.length, 30);
    const byStatus = await walk(desk.sue, { filter: { status: 'OPEN' }, first: 8, orderBy: 'NEWEST_FIRST' });
    assert.deepEqual(byStatus.ids, [...opened].reverse());
  });

  it('by a lead meets the lead’s cases', async () => {
    const { ids } = await walk(desk.sue, { filter: { leadOfficerId: officerId('cat'), status: 'OPEN' }, first: 4 });
    assert.deepEqual(
      ids,
      opened.filter((_, i) => i % 3 === 1),
    );
  });

  it('of who may not see some of them passes over those and promises nothing in their place', async () => {
    const eve = await desk.host.as('eve', ['CASE_OFFICER']);
    const { ids } = await walk(eve, { filter: { status: 'OPEN' }, first: 5 });
    assert.deepEqual(
      ids,
      opened.filter((_, i) => i % 3 !== 0),
    );
  });

  it('that looks for a rare one may be told to go on, and finds it', async () => {
    const filter = { status: 'OPEN', priority: 'URGENT' };
    const { data } = await desk.sue(listed, { filter, first: 1 });
    assert.deepEqual([data.cases.edges, data.cases.pageInfo.hasNextPage], [[], true]);
    const { ids } = await walk(desk.sue, { filter, first: 1 });
    assert.deepEqual(ids, [opened[29]]);
  });

  it('goes on from any edge, not only from the last', async () => {
    const { data } = await desk.sue(listed, { filter: { status: 'OPEN' }, first: 10 });
    const { data: rest } = await desk.sue(listed, {
      filter: { status: 'OPEN' },
      first: 1,
      after: data.cases.edges[3].cursor,
    });
    assert.equal(rest.cases.edges[0].node.id, opened[4]);
    assert.equal(rest.cases.pageInfo.hasPreviousPage, true);
  });

  it('does not repeat or lose what stands still while other cases move', async () => {
    const { data } = await desk.sue(listed, { filter: { region: 'JKT' }, first: 12 });
    await open(desk.sue, { region: 'SBY' });
    const rest = await walk(desk.sue, { filter: { region: 'JKT' }, first: 100 });
    const seen: string[] = data.cases.edges.map((edge: { node: { id: string } }) => edge.node.id);
    assert.deepEqual(rest.ids.slice(0, 12), seen);
  });
});

describe('cursors', () => {
  const ask = (who: Ask, filter: object, after: string, orderBy = 'OLDEST_FIRST') =>
    who(listed, { filter, first: 2, after, orderBy });

  it('used anywhere but where they were given are refused with one code', async () => {
    const filter = { status: 'OPEN' };
    const { data } = await desk.sue(listed, { filter, first: 2 });
    const cursor: string = data.cases.pageInfo.endCursor;
    const other = await desk.host.as('sue', ['SUPERVISOR'], { tenant: 'other' });
    const replies = [
      await ask(desk.sue, { status: 'CLOSED' }, cursor),
      await ask(desk.sue, { ...filter, priority: 'NORMAL' }, cursor),
      await ask(desk.sue, filter, cursor, 'NEWEST_FIRST'),
      await ask(other, filter, cursor),
      await ask(desk.sue, filter, `${cursor.slice(0, -2)}AA`),
      await ask(desk.sue, filter, 'x'),
      await ask(desk.sue, filter, '\0'),
      await desk.sue('query ($c: Cursor) { officers(after: $c) { edges { cursor } } }', { c: cursor }),
    ];
    for (const { errors, data } of replies) {
      assert.deepEqual([errors?.length, errors?.[0]?.extensions], [1, { code: 'BAD_CURSOR' }]);
      assert.equal(data, null);
    }
    assert.equal((await ask(desk.sue, filter, cursor)).errors, undefined);
  });

  it('an empty one is as bad as any other, and none is the first page', async () => {
    assert.equal(
      (await desk.sue(listed, { filter: { status: 'OPEN' }, first: 1, after: null })).data.cases.edges[0].node.id,
      opened[0],
    );
  });
});

describe('pages below a case', () => {
  it('hold each child once', async () => {
    const { id: caseId } = await open(desk.ana, { leadOfficerId: officerId('ana') });
    const made: string[] = [];
    for (let version = 1; version <= 7; version++)
      made.push((await sent(desk.ana, 'addParty', { caseId, expectedVersion: version, ...aParty })).createdIds[0]);
    const query = `query ($id: ID!, $after: Cursor, $since: Cursor) { case(id: $id) {
      parties(first: 3, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } }
      timeline(first: 5, after: $since) { edges { node { seq } } pageInfo { hasNextPage endCursor } } } }`;
    const found: string[] = [];
    const seqs: number[] = [];
    let at: { after?: string; since?: string } = {};
    for (let pages = 0; pages < 3; pages++) {
      const { data } = await desk.ana(query, { id: caseId, ...at });
      found.push(...data.case.parties.edges.map((edge: { node: { id: string } }) => edge.node.id));
      if (pages < 2) seqs.push(...data.case.timeline.edges.map((edge: { node: { seq: number } }) => edge.node.seq));
      assert.equal(data.case.parties.pageInfo.hasNextPage, pages < 2);
      at = {
        after: data.case.parties.pageInfo.endCursor,
        ...(pages === 0 && { since: data.case.timeline.pageInfo.endCursor }),
      };
    }
    assert.deepEqual(found.sort(), made.sort());
    assert.deepEqual(seqs, [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('of officers hold each officer once', async () => {
    const query =
      'query ($after: Cursor) { officers(first: 4, after: $after) { edges { node { name } } pageInfo { hasNextPage endCursor } } }';
    const first = await desk.ana(query);
    const second = await desk.ana(query, { after: first.data.officers.pageInfo.endCursor });
    const names = [...first.data.officers.edges, ...second.data.officers.edges].map(
      (edge: { node: { name: string } }) => edge.node.name,
    );
    assert.deepEqual(
      names,
      ['ana', 'ben', 'cat', 'dan', 'eve', 'sue'].map((name) => `Officer ${name}`),
    );
    assert.equal(second.data.officers.pageInfo.hasNextPage, false);
  });
});
