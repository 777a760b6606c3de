/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import type { APIGatewayProxyEventV2, Context as LambdaContext } from 'aws-lambda';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { lambdaHandler, type LambdaHandler } from '../../resolvers/lambda.ts';
import { limits } from '../../resolvers/limits.ts';
import { createApi } from '../../resolvers/server.ts';
import { aCase, startDesk, type Desk } from './desk.ts';
import { issuer, untouchable } from './host.ts';
import { fakeDocuments } from '../workflows/parties.ts';

let desk: Desk;
let handler: LambdaHandler;
let authorization: string;
const options = { issuer, documents: fakeDocuments(), cursorKey: Buffer.alloc(32, 7), development: false };
beforeAll(async () => {
  desk = await startDesk();
  handler = lambdaHandler(createApi({ ...options, store: desk.world.store, keySet: desk.tokens.keySet }), (code) => {
    throw new Error(`ended with ${code}`);
  });
  authorization = `Bearer ${await desk.tokens.token({ sub: 'ana', roles: ['CASE_OFFICER'] })}`;
});
afterAll(() => desk.stop());

const eventOf = (body: string | undefined, headers: Record<string, string>, more: object = {}) =>
  ({
    version: '2.0',
    routeKey: 'POST /graphql',
    rawPath: '/graphql',
    rawQueryString: '',
    headers: { 'content-type': 'application/json', ...headers },
    requestContext: { http: { method: 'POST', path: '/graphql' } },
    isBase64Encoded: false,
    body,
    ...more,
  }) as unknown as APIGatewayProxyEventV2;
const runtime = { getRemainingTimeInMillis: () => 10_000 } as LambdaContext;
const ids = /"(errorId)":"[^"]+"/g;

describe('the handler behind API Gateway', () => {
  const bodies: [string, string, Record<string, string>?][] = [
    ['a query', '{"query":"{ viewer { subject roles } }"}'],
    ['a query without a token', '{"query":"{ viewer { subject } }"}', { authorization: '' }],
    ['a query with a bad token', '{"query":"{ viewer { subject } }"}', { authorization: 'Bearer x.y.z' }],
    [
      'a forbidden mutation',
      '{"query":"mutation { registerOfficer(input: { idempotencyKey: \\"k234567890123456\\", officerId: \\"x\\", name: \\"x\\", email: \\"x\\", region: \\"x\\" }) { replayed } }"}',
    ],
    ['a document that does not parse', '{"query":"{"}'],
    ['the same for strict clients', '{"query":"{"}', { accept: 'application/graphql-response+json' }],
    ['no JSON', '{"query":'],
    ['no request', '12'],
    ['a list', '[{"query":"{ viewer { subject } }"}]'],
    ['nothing', ''],
    ['a form', '{"query":"{ viewer { subject } }"}', { 'content-type': 'text/plain' }],
    ['an unknown answer', '{"query":"{ viewer { subject } }"}', { accept: 'text/csv' }],
    ['a body over the limit', `{"query":"{ viewer { subject } }","x":"${'x'.repeat(limits.bodyBytes)}"}`],
  ];
  for (const [what, body, headers] of bodies)
    it(`answers ${what} as the HTTP host does`, async () => {
      const sent = { authorization, 'x-correlation-id': 'trace-000001', ...headers };
      const http = await desk.host.post(body, sent);
      for (const event of [
        eventOf(body, sent),
        eventOf(Buffer.from(body).toString('base64'), sent, { isBase64Encoded: true }),
      ]) {
        const { statusCode, headers, body: answer } = await handler(event, runtime);
        assert.deepEqual([statusCode, answer?.replace(ids, '')], [http.status, http.text.replace(ids, '')]);
        for (const name of ['content-type', 'www-authenticate', 'cache-control', 'x-correlation-id'])
          assert.equal(headers?.[name] ?? null, http.headers.get(name), name);
        assert.ok(Array.isArray((JSON.parse(answer!) as { errors?: unknown }).errors ?? []));
      }
    });

  it('runs a mutation, and both hosts know the key', async () => {
    const input = { ...aCase, idempotencyKey: 'through-the-gateway-1' };
    const body = JSON.stringify({
      query: 'mutation ($input: OpenCaseInput!) { openCase(input: $input) { replayed case { number } } }',
      variables: { input },
    });
    const first = JSON.parse((await handler(eventOf(body, { authorization }), runtime)).body!);
    const again = await desk.host.post(body, { authorization });
    assert.deepEqual([first.data.openCase.replayed, again.data.openCase.replayed], [false, true]);
    assert.equal(first.data.openCase.case.number, again.data.openCase.case.number);
  });

  it('begins nothing when no time is left', async () => {
    const body = JSON.stringify({
      query: 'mutation ($input: OpenCaseInput!) { openCase(input: $input) { replayed } }',
      variables: { input: { ...aCase, idempotencyKey: 'without-any-time-left' } },
    });
    const late = { getRemainingTimeInMillis: () => 400 } as LambdaContext;
    const { errors } = JSON.parse((await handler(eventOf(body, { authorization }), late)).body!);
    assert.deepEqual([errors[0].extensions.code, errors[0].extensions.retryable], ['CONTENTION', true]);
  });

  it('ends the instance that cannot start, and masks what it still answers', async () => {
    const api = createApi({ ...options, store: untouchable(), keySet: desk.tokens.keySet });
    api.server.addPlugin({ serverWillStart: () => Promise.reject(new Error('secret')) });
    const ended: number[] = [];
    const broken = lambdaHandler(api, (code) => ended.push(code));
    const { statusCode, body } = await broken(
      eventOf('{"query":"{ viewer { subject } }"}', { authorization }),
      runtime,
    );
    assert.deepEqual([ended, statusCode], [[1], 500]);
    assert.match(body!, /"INTERNAL"/);
    assert.ok(!body!.includes('secret'));
  });
});
