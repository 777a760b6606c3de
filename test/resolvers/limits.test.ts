/* eslint-disable @typescript-eslint/no-unsafe-member-access --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { limits } from '../../resolvers/limits.ts';
import { startHost, startIssuer, untouchable, type Ask, type Host, type TestIssuer } from './host.ts';

/** Everything here is answered before anything is read: the store of these hosts cannot be. */
let tokens: TestIssuer;
let host: Host;
let ana: Ask;
let log: Record<string, unknown>[];
let bearer: { authorization: string };

beforeAll(async () => {
  tokens = await startIssuer();
  log = [];
  const store = untouchable(log);
  // Who asks is looked up in every request; nobody is registered here.
  store.table.batchGet = (keys) => Promise.resolve(keys.map(() => undefined));
  host = await startHost(store, tokens);
  ana = await host.as('ana', ['CASE_OFFICER', 'SUPERVISOR']);
  bearer = { authorization: `Bearer ${await tokens.token({ sub: 'ana', roles: ['CASE_OFFICER'] })}` };
});
afterAll(() => host.stop());

const codeOf = ({ errors }: { errors: { extensions: Record<string, unknown> }[] | undefined }) =>
  errors?.[0]?.extensions['code'];

describe('limits hold at n and not at n + 1', () => {
  /** Fields inside fields, the last of them at the given depth below where it starts. */
  const chain = (depth: number, name = 'activeAction'): string =>
    depth === 1 ? 'id' : `${name} { ${chain(depth - 1, name === 'case' ? 'activeAction' : 'case')} }`;
  const deep = (n: number) => `{ case(id: "x") { ${chain(n - 1)} } }`;
  const accepted = async (query: string, variables = {}) => {
    const reply = await ana(query, variables);
    return reply.errors === undefined || codeOf(reply) === 'INTERNAL' ? 'accepted' : codeOf(reply);
  };

  it('depth', async () => {
    assert.equal(await accepted(deep(limits.depth)), 'accepted');
    assert.equal(await accepted(deep(limits.depth + 1)), 'GRAPHQL_VALIDATION_FAILED');
  });

  it('depth through fragments', async () => {
    const query = (n: number) => `{ case(id: "x") { ...F } } fragment F on Case { ${chain(n - 1)} }`;
    assert.equal(await accepted(query(limits.depth)), 'accepted');
    assert.equal(await accepted(query(limits.depth + 1)), 'GRAPHQL_VALIDATION_FAILED');
  });

  it('aliases', async () => {
    const query = (n: number) => `{ ${Array.from({ length: n }, (_, i) => `a${i}: viewer { subject }`).join(' ')} }`;
    assert.equal(await accepted(query(limits.aliases)), 'accepted');
    assert.equal(await accepted(query(limits.aliases + 1)), 'GRAPHQL_VALIDATION_FAILED');
  });

  it('directives', async () => {
    const query = (n: number) =>
      `{ viewer { ${Array.from({ length: n }, () => 'subject @include(if: true)').join(' ')} } }`;
    assert.equal(await accepted(query(limits.directives)), 'accepted');
    assert.equal(await accepted(query(limits.directives + 1)), 'GRAPHQL_VALIDATION_FAILED');
  });

  it('tokens', async () => {
    // Twelve tokens and the ids; as many ids as that are refused too, but by what they cost.
    const padded = (n: number) => `{ nodes(ids: [${'1 '.repeat(n - 12)}]) { id } }`;
    assert.equal(await accepted(padded(limits.tokens)), 'TOO_COSTLY');
    assert.equal(await accepted(padded(limits.tokens + 1)), 'GRAPHQL_PARSE_FAILED');
  });

  it('page size, also through variables', async () => {
    const query = 'query ($n: Int!) { officers(first: $n) { edges { cursor } } }';
    assert.equal(await accepted(query, { n: limits.pageSize }), 'accepted');
    for (const n of [limits.pageSize + 1, 0, -1]) assert.equal(await accepted(query, { n }), 'BAD_USER_INPUT');
  });

  it('ids at once', async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const ids = (n: number) => ({ ids: Array.from({ length: n }, () => 'x') });
    assert.equal(await accepted(query, ids(limits.listItems)), 'accepted');
    assert.equal(await accepted(query, ids(limits.listItems + 1)), 'BAD_USER_INPUT');
  });

  it('length of an idempotency key', async () => {
    const query = 'query ($k: IdempotencyKey!) { commandRun(idempotencyKey: $k) { status } }';
    for (const k of ['k'.repeat(16), 'k'.repeat(128)]) assert.equal(await accepted(query, { k }), 'accepted');
    for (const k of ['k'.repeat(15), 'k'.repeat(129), `${'k'.repeat(16)} `, 'é'.repeat(20), 12345678901234567890, ''])
      assert.equal(await accepted(query, { k }), 'BAD_USER_INPUT');
  });

  it('body', async () => {
    const body = (n: number) => {
      const text = JSON.stringify({ query: '{ viewer { subject } }', x: '' });
      return text.replace('"x":""', `"x":"${'x'.repeat(n - text.length)}"`);
    };
    assert.equal((await host.post(body(limits.bodyBytes), bearer)).data.viewer.subject, 'ana');
    const over = await host.post(body(limits.bodyBytes + 1), bearer);
    assert.deepEqual([over.status, codeOf(over)], [413, 'PAYLOAD_TOO_LARGE']);
  });

  it('body that does not say its length', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(
        host.url,
        { method: 'POST', headers: { ...bearer, 'content-type': 'application/json' } },
        (answer) => resolve(answer.statusCode!),
      );
      sent.on('error', reject);
      const push = (left: number) => {
        if (left > 0) sent.write('x'.repeat(64 * 1024), () => push(left - 1));
      };
      push(8);
    });
    assert.equal(status, 413);
  });
});
