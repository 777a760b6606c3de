/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { limits } from '../../resolvers/limits.ts';
import { officerId, open, sent, startDesk, type Desk } from './desk.ts';

let desk: Desk;
let caseId: string;
/** As long as a text may be, in letters of four bytes. */
const longest = '\u{1D4CD}'.repeat(limits.textLength);
beforeAll(async () => {
  desk = await startDesk();
  caseId = (await open(desk.sue, { leadOfficerId: officerId('ana'), summary: longest })).id;
});
afterAll(() => desk.stop());

const ask = async (query: string, variables: object = {}) => {
  desk.world.calls.reset();
  const { text, errors, data } = await desk.sue(query, variables);
  const { extensions } = JSON.parse(text) as { extensions?: { cost: { asked: number; limit: number } } };
  const codes = [...new Set(errors?.map((error) => error.extensions['code']))];
  return { data, codes, errors, cost: extensions?.cost, reads: desk.world.calls.count, bytes: text.length };
};
const costs = async (query: string, variables?: object) => (await ask(query, variables)).cost?.asked;

describe('the cost of a request', () => {
  it('is told in every answer', async () => {
    const { cost, codes } = await ask('{ viewer { subject } }');
    assert.deepEqual([cost, codes], [{ asked: 1, limit: limits.cost }, []]);
  });

  it('is the same by a literal, a variable, the default of one, the default of the field, and a fragment', async () => {
    const page = (size: string) => `officers${size} { edges { node { name } } }`;
    const asked = await Promise.all([
      costs(`{ ${page('(first: 25)')} }`),
      costs(`query ($n: Int!) { ${page('(first: $n)')} }`, { n: 25 }),
      costs(`query ($n: Int! = 25) { ${page('(first: $n)')} }`),
      costs(`{ ${page('')} }`),
      costs(`{ ...Q } fragment Q on Query { ${page('')} }`),
      costs(`{ ... on Query { ${page('')} } }`),
      costs(
        `query ($no: Boolean!) { ${page('')} cases(filter: { status: OPEN }) @skip(if: $no) { edges { cursor } } }`,
        {
          no: true,
        },
      ),
    ]);
    assert.deepEqual(new Set(asked), new Set([51]));
  });

  it('multiplies pages inside pages, and ids', async () => {
    const timeline = 'timeline(first: 10) { edges { cursor } }';
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Case { ${timeline} } } }`;
    assert.equal(await costs(query, { ids: [caseId, caseId, caseId] }), 3 * (2 + 1 + 10));
  });

  it('counts a fragment that spreads another twice, thirty times over, at once', async () => {
    const bomb = Array.from(
      { length: 9 },
      (_, i) => `fragment F${i} on Viewer { ${i < 8 ? `...F${i + 1} ...F${i + 1}` : 'officer { name }'} }`,
    );
    assert.equal(await costs(`{ viewer { ...F0 } } ${bomb.join(' ')}`), 1 + 2 ** 8);
  });

  const tooMuch: [string, string, object][] = [
    [
      'timelines of a hundred ids',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Case { timeline(first: 100) { edges { node { details { name value } } } } } } }',
      {},
    ],
    [
      'the same case under many names',
      `query ($ids: [ID!]!) { ${Array.from({ length: 29 }, (_, i) => `a${i}: nodes(ids: $ids) { ...F }`).join(' ')} } fragment F on Case { summary }`,
      {},
    ],
    [
      'pages inside pages by a variable',
      'query ($n: Int!) { cases(filter: { status: OPEN }, first: $n) { edges { node { timeline(first: $n) { edges { cursor } } } } } }',
      { n: 100 },
    ],
  ];
  for (const [what, query, variables] of tooMuch)
    it(`is refused before anything is read where it is too much: ${what}`, async () => {
      const ids = query.includes('$ids') ? { ids: Array.from({ length: 100 }, () => caseId) } : {};
      const { codes, data, reads, cost } = await ask(query, { ...variables, ...ids });
      assert.deepEqual([codes, data], [['TOO_COSTLY'], undefined]);
      assert.ok(cost!.asked > limits.cost && reads <= 1, `${reads} reads beside the door's`);
    });

  it('of the pages that screens show is far below the limit', async () => {
    const query = `{ cases(filter: { status: OPEN }, first: 25) { edges { cursor node { number title leadOfficer { name }
      openedBy { name } activeAction { status notice { status } } availableActions { command allowed reason } } } } }`;
    const { codes, cost } = await ask(query);
    assert.deepEqual(codes, []);
    assert.ok(cost!.asked < limits.cost / 4, `${cost!.asked}`);
  });
});

describe('the text of an answer', () => {
  it('ends at a bound, is one error, and leaves the host with what the rest needs', async () => {
    const all = Array.from({ length: 20 }, (_, i) => `s${i}: summary`).join(' ');
    const ids = Array.from({ length: 100 }, () => caseId);
    const { errors, bytes } = await ask(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Case { ${all} } } }`, {
      ids,
    });
    assert.deepEqual(
      errors?.map(({ extensions }) => extensions['code']),
      ['TOO_COSTLY'],
    );
    assert.ok(bytes < 2 * limits.answerBytes);
  });

  it('has room for the longest page of what is longest', async () => {
    for (let i = 1; i < 60; i++)
      await sent(desk.sue, 'updateCase', {
        caseId,
        expectedVersion: i,
        summary: `${longest.slice(0, -4)}${String(i).padStart(2, '0')}`,
      });
    const audit = await desk.host.as('tom', ['SUPERVISOR', 'AUDITOR']);
    const { data, errors } = await audit(
      'query ($id: ID!) { case(id: $id) { timeline(first: 100) { edges { node { type details { name value } } } } } }',
      { id: caseId },
    );
    assert.deepEqual([errors, data.case.timeline.edges.length], [undefined, 60]);
  });
});
