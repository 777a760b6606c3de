import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GraphQLError } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { serviceSubject } from '../../domain/command.ts';
import { authenticator } from '../../resolvers/authenticate.ts';
import { keySetFetcher } from '../../resolvers/keySet.ts';
import { issuer, startIssuer, type TestIssuer } from './host.ts';

let tokens: TestIssuer;
beforeEach(async () => {
  tokens = await startIssuer();
});

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => assert.fail('was let in'),
    (thrown: GraphQLError) => thrown,
  );
  const { code, http } = error.extensions as { code: string; http: { status: number; headers?: Map<string, string> } };
  return { code, status: http.status, challenge: http.headers?.get('www-authenticate') };
};

const invalidToken = {
  code: 'UNAUTHENTICATED',
  status: 401,
  challenge: 'Bearer realm="docket", error="invalid_token"',
};
const now = () => Math.floor(Date.now() / 1000);

describe('a bearer token', () => {
  const good = { sub: 'ana', roles: ['CASE_OFFICER'] };
  const check = async (token: string) => authenticator(issuer, tokens.keySet)(`Bearer ${token}`);

  it('says who asks, for which tenant, in which roles', async () => {
    assert.deepEqual(await check(await tokens.token(good)), {
      tenant: 'demo',
      actor: { id: 'ana', roles: ['CASE_OFFICER'] },
    });
  });

  const otherShapes: [string, object, readonly string[]][] = [
    [
      'custom claims of Cognito',
      { 'custom:tenant': 'demo', 'custom:roles': 'REVIEWER, AUDITOR' },
      ['REVIEWER', 'AUDITOR'],
    ],
    ['groups, of which some are for others', { 'cognito:groups': ['SUPERVISOR', 'canteen'] }, ['SUPERVISOR']],
    ['roles named twice', { roles: ['REVIEWER', 'REVIEWER'] }, ['REVIEWER']],
  ];
  for (const [what, claims, roles] of otherShapes)
    it(`may carry ${what}`, async () => {
      const { actor } = await check(await tokens.token({ sub: 'ana', ...claims }));
      assert.deepEqual(actor.roles, roles);
    });

  it('may name the client instead of an audience, as access tokens of Cognito do', async () => {
    const check = authenticator({ ...issuer, audience: ['desk-client'] }, tokens.keySet);
    const token = await tokens.token({ ...good, client_id: 'desk-client', aud: 'something' });
    assert.equal((await check(`Bearer ${token}`)).actor.id, 'ana');
  });

  it('may be as old and as early as the clocks may differ', async () => {
    await check(await tokens.token({ ...good, exp: now() - 20 }));
    await check(await tokens.token({ ...good, nbf: now() + 20 }));
  });

  it('cannot be kept alive by a careless skew', async () => {
    const check = authenticator({ ...issuer, clockSkewSeconds: 1e9 }, tokens.keySet);
    assert.deepEqual(await refusal(check(`Bearer ${await tokens.token({ ...good, exp: now() - 310 })}`)), invalidToken);
  });

  const bad: [string, object, object?][] = [
    ['expired', { exp: now() - 60 }],
    ['for later', { nbf: now() + 600 }],
    ['for another audience', { aud: 'payroll' }],
    ['for another use', { token_use: 'id' }],
    ['of no use at all', { token_use: undefined }],
    ['without a subject', { sub: undefined }],
    ['with a subject that could be part of a key', { sub: 'ana#META' }],
    ['with a very long subject', { sub: 'a'.repeat(129) }],
    ['without a tenant', { tenant: undefined }],
    ['with a tenant that is a list', { tenant: ['demo'] }],
    ['with a tenant that could be part of a key', { tenant: 'demo#CASE' }],
    ['without roles', { roles: undefined }],
    ['with a role we do not have', { roles: ['CASE_OFFICER', 'KING'] }],
    ['with roles of another shape', { roles: { CASE_OFFICER: true } }],
    ['with a role in a list', { roles: [['SUPERVISOR']] }],
    ['of a workflow', { roles: ['SERVICE'] }],
    ['with the subject of the workflows', { sub: serviceSubject, roles: ['SUPERVISOR'] }],
    ['signed with an unknown key', {}, { kid: 'k9' }],
    ['without a key id', {}, { kid: undefined }],
  ];
  for (const [what, claims, header] of bad)
    it(`${what} is refused`, async () => {
      const token = await tokens.token({ ...good, ...claims }, header as Record<string, unknown>);
      assert.deepEqual(await refusal(check(token)), invalidToken);
    });

  it('of another issuer with the same key id is refused', async () => {
    const rival = await startIssuer();
    assert.deepEqual(await refusal(check(await rival.token(good))), invalidToken);
  });

  it('that claims to need no signature is refused', async () => {
    const [, payload] = (await tokens.token(good)).split('.');
    const header = Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url');
    assert.deepEqual(await refusal(check(`${header}.${payload}.`)), invalidToken);
    assert.deepEqual(await refusal(check(`${header}.${payload}.AA`)), invalidToken);
  });

  for (const garbage of ['x', 'a.b.c', 'é.é.é', '..', 'A'.repeat(9000)])
    it(`like ${garbage.slice(0, 10)} is refused`, async () => {
      assert.deepEqual(await refusal(check(garbage)), invalidToken);
    });

  it('of another kind is refused, and none at all is asked for', async () => {
    const authenticate = authenticator(issuer, tokens.keySet);
    assert.deepEqual(await refusal(authenticate('Basic YW5hOmFuYQ==')), invalidToken);
    const anonymous = { code: 'UNAUTHENTICATED', status: 401, challenge: 'Bearer realm="docket"' };
    assert.deepEqual(await refusal(authenticate(undefined)), anonymous);
  });
});

describe('the keys of the issuer', () => {
  const good = { sub: 'ana', roles: ['REVIEWER'] };

  it('are fetched once, and again when they rotate', async () => {
    const authenticate = authenticator(issuer, tokens.keySet);
    for (let i = 0; i < 5; i++) await authenticate(`Bearer ${await tokens.token(good)}`);
    assert.equal(tokens.fetches(), 1);
    await tokens.rotate('k2');
    for (let i = 0; i < 5; i++) await authenticate(`Bearer ${await tokens.token(good)}`);
    assert.equal(tokens.fetches(), 2);
  });

  it('are not stormed by invented key ids', async () => {
    const authenticate = authenticator(issuer, tokens.keySet);
    await authenticate(`Bearer ${await tokens.token(good)}`);
    for (let i = 0; i < 20; i++)
      assert.equal((await refusal(authenticate(`Bearer ${await tokens.token(good, { kid: `x${i}` })}`))).status, 401);
    assert.equal(tokens.fetches(), 2);
  });

  describe('over HTTP', () => {
    let asked = 0;
    let server: Server;
    let uri: string;
    beforeAll(async () => {
      server = createServer((_request, response) => {
        asked += 1;
        response.writeHead(500).end();
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    });
    afterAll(() => void server.close());

    it('that cannot be had are our trouble, told as such and not asked for by every request', async () => {
      const authenticate = authenticator({ ...issuer, jwksUri: uri }, keySetFetcher(uri));
      for (let i = 0; i < 10; i++) {
        const { code, status } = await refusal(authenticate(`Bearer ${await tokens.token(good)}`));
        assert.deepEqual({ code, status }, { code: 'UNAVAILABLE', status: 503 });
      }
      assert.equal(asked, 1);
    });

    it('are not read in the clear from elsewhere', () => {
      assert.throws(() => keySetFetcher('http://issuer.example/jwks'), /https/);
    });
  });
});
