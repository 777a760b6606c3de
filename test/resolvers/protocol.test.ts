/* eslint-disable @typescript-eslint/no-unsafe-assignment --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, it } from 'vitest';
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

const json = 'application/graphql-response+json';
const modern = { accept: json };
const codeOf = ({ errors }: { errors: { extensions: Record<string, unknown> }[] | undefined }) =>
  errors?.[0]?.extensions['code'];

describe('the door', () => {
  it('asks the anonymous for a token', async () => {
    const { status, headers, errors, data } = await host.anyone('{ viewer { subject } }');
    assert.equal(status, 401);
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="docket"');
    assert.deepEqual([errors?.length, errors?.[0]?.extensions, data], [1, { code: 'UNAUTHENTICATED' }, undefined]);
  });

  it('lets a token in and says who it is', async () => {
    const { data } = await ana('{ viewer { subject tenant roles permissions officer { id } } }');
    assert.deepEqual(data, {
      viewer: {
        subject: 'ana',
        tenant: 'demo',
        roles: ['CASE_OFFICER', 'SUPERVISOR'],
        permissions: [
          'CASE_READ',
          'CASE_WRITE',
          'CASE_DECIDE',
          'CASE_SUPERVISE',
          'ENFORCE',
          'AUDIT_READ',
          'OFFICER_READ',
          'OFFICER_MANAGE',
        ],
        officer: null,
      },
    });
  });

  it('never lets an answer be stored', async () => {
    for (const reply of [
      await host.anyone('{ viewer { subject } }'),
      await ana('{ viewer { subject } }'),
      await ana('{'),
    ])
      assert.equal(reply.headers.get('cache-control'), 'no-store');
  });

  it('takes a correlation id along, and gives one to who has none', async () => {
    const given = await ana('{ viewer { subject } }', {}, { 'x-correlation-id': 'trace-000001' });
    assert.equal(given.headers.get('x-correlation-id'), 'trace-000001');
    const odd = await ana('{ viewer { subject } }', {}, { 'x-correlation-id': 'x y' });
    assert.match(odd.headers.get('x-correlation-id')!, /^[0-9a-f-]{36}$/);
  });

  it('answers preflights of the frontends and says nothing to others', async () => {
    const ask = (origin: string) => fetch(host.url, { method: 'OPTIONS', headers: { origin } });
    const ours = await ask('https://desk.example');
    assert.equal(ours.headers.get('access-control-allow-origin'), 'https://desk.example');
    const theirs = await ask('https://desk.example.evil.example');
    assert.equal(theirs.headers.get('access-control-allow-origin'), null);
  });

  it('refuses what a form on another page could send', async () => {
    const reply = await host.post('{"query":"{ viewer { subject } }"}', { ...bearer, 'content-type': 'text/plain' });
    assert.deepEqual([reply.status, codeOf(reply)], [400, 'BAD_REQUEST']);
    const get = await fetch(`${host.url}?query={viewer{subject}}`, { headers: bearer });
    assert.equal(get.status, 400);
  });
});

describe('documents', () => {
  const refused: [string, string, string][] = [
    ['that do not parse', '{', 'GRAPHQL_PARSE_FAILED'],
    ['that are not of the schema', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['without the operation that is named', 'query A { __typename }', 'OPERATION_RESOLUTION_FAILURE'],
    ['with variables of another type', 'query ($id: ID!) { case(id: $id) { id } }', 'BAD_USER_INPUT'],
  ];
  for (const [what, query, code] of refused)
    it(`${what} are a 400 for clients of ${json}, a 200 for those of application/json`, async () => {
      const body = JSON.stringify({
        query,
        variables: { id: [{}] },
        ...(code === 'OPERATION_RESOLUTION_FAILURE' && { operationName: 'B' }),
      });
      const strict = await host.post(body, { ...bearer, ...modern });
      const plain = await host.post(body, { ...bearer, accept: 'application/json' });
      assert.deepEqual([strict.status, codeOf(strict)], [400, code]);
      assert.deepEqual([plain.status, codeOf(plain)], [200, code]);
      assert.match(strict.headers.get('content-type')!, /^application\/graphql-response\+json/);
      assert.equal(strict.data, undefined);
    });

  it('learn nothing of the schema by guessing', async () => {
    const reply = await ana(
      '{ viewer { subjec } case(idd: 1) { id } } query B { cases(filter: { status: OPE }) { edges { cursor } } }',
    );
    assert.ok(reply.errors!.length >= 3);
    assert.ok(!reply.text.includes('Did you mean'), reply.text);
    const byVariable = await ana('query ($s: CaseStatus!) { cases(filter: { status: $s }) { edges { cursor } } }', {
      s: 'OPE',
    });
    assert.equal(codeOf(byVariable), 'BAD_USER_INPUT');
    assert.ok(!byVariable.text.includes('Did you mean'), byVariable.text);
  });

  it('introspect in development only', async () => {
    assert.equal(codeOf(await ana(getIntrospectionQuery())), 'GRAPHQL_VALIDATION_FAILED');
    const open = await startHost(untouchable(), tokens, { development: true });
    const reply = await open.anyone(getIntrospectionQuery(), {}, bearer);
    await open.stop();
    // Even then a token is needed, and the store of this host fails: what comes out is masked.
    assert.equal(codeOf(reply), 'INTERNAL');
  });

  it('come one at a time', async () => {
    const reply = await host.post('[{"query":"{ viewer { subject } }"}]', bearer);
    assert.deepEqual([reply.status, codeOf(reply)], [400, 'BAD_REQUEST']);
  });

  it('come whole: a hash instead of a text is not looked up', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const reply = await host.post(JSON.stringify({ extensions }), bearer);
    assert.ok(reply.errors);
    assert.equal(reply.data, undefined);
  });
});

describe('what goes wrong on our side', () => {
  it('is not told, in whatever place it happens', async () => {
    const secret = 'T#demo#CASE#secret';
    const broken = untouchable(log);
    broken.table.batchGet = () => Promise.reject(new Error(secret));
    const dead = await startHost(broken, tokens);
    const inContext = await dead.anyone('{ viewer { subject } }', {}, bearer);
    await dead.stop();
    const inResolver = await ana('{ officers { edges { cursor } } }');
    for (const reply of [inContext, inResolver]) {
      assert.equal(reply.errors!.length, 1);
      assert.deepEqual(Object.keys(reply.errors![0]!.extensions).sort(), ['code', 'errorId', 'retryable']);
      assert.equal(codeOf(reply), 'INTERNAL');
      assert.ok(!/secret|touched|Error|stack|node_modules/.test(reply.text), reply.text);
      const { errorId } = reply.errors![0]!.extensions;
      const line = log.find((entry) => entry['errorId'] === errorId);
      assert.ok(line, 'the log knows the error by its id');
      assert.ok(!JSON.stringify(line).includes(secret));
    }
    assert.equal(inContext.status, 500);
  });

  for (const [what, body] of [
    ['no JSON', '{"query":'],
    ['a secret in no JSON', 'secret'],
    ['text that is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['JSON that is no request', '12'],
    ['a null', 'null'],
    ['nothing', ''],
    ['a document that is an object', '{"query":{"kind":"Document"}}'],
    ['variables that are a list', '{"query":"{ viewer { subject } }","variables":[1]}'],
  ] as const)
    it(`${what} in a body is a 400 in the shape of GraphQL`, async () => {
      const reply = await host.post(body, bearer);
      assert.deepEqual([reply.status, codeOf(reply)], [400, 'BAD_REQUEST'], reply.text);
      assert.ok(!/secret|position|Unexpected|token/.test(reply.text), reply.text);
    });

  it('comes in one line per operation, with what it cost and how it ended', async () => {
    log.length = 0;
    await ana('query Who { viewer { subject officer { id } } }', {}, { 'x-correlation-id': 'trace-000002' });
    const line = log.find((entry) => entry['operationName'] === 'Who')!;
    assert.deepEqual(Object.keys(line).sort(), [
      'correlationId',
      'durationMs',
      'dynamoDbCalls',
      'graphql',
      'operationName',
      'tenant',
    ]);
    assert.deepEqual([line['correlationId'], line['graphql'], line['dynamoDbCalls']], ['trace-000002', 'query', 2]);
    await ana('query Bad { officers { edges { cursor } } }');
    const bad = log.find((entry) => entry['operationName'] === 'Bad')!;
    assert.deepEqual([bad['codes'], (bad['errorIds'] as string[]).length], [['INTERNAL'], 1]);
  });
});
