import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import type { Role } from '../../domain/command.ts';
import type { Issuer } from '../../resolvers/authenticate.ts';
import { startHttp } from '../../resolvers/http.ts';
import { createApi, type Api, type ApiOptions } from '../../resolvers/server.ts';
import type { Store } from '../../store/store.ts';
import { fakeDocuments } from '../workflows/parties.ts';

export const issuer: Issuer = {
  issuer: 'https://issuer.example',
  jwksUri: 'https://issuer.example/jwks.json',
  audience: ['docket'],
  tokenUse: 'access',
  clockSkewSeconds: 30,
};

/** An issuer of tokens whose key set is handed over in the process; it counts how often it is asked. */
export async function startIssuer() {
  let keys = [await newKey('k1')];
  let fetches = 0;
  return {
    keySet: {
      fetch: () => {
        fetches += 1;
        const text = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
        return Promise.resolve(new TextEncoder().encode(text).buffer);
      },
    },
    fetches: () => fetches,
    rotate: async (kid: string) => void (keys = [await newKey(kid)]),
    token: (claims: JWTPayload, header: Record<string, unknown> = {}) =>
      new SignJWT({ token_use: 'access', tenant: 'demo', ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: keys[0]!.kid, ...header })
        .setIssuedAt()
        .setIssuer(issuer.issuer)
        .setAudience((claims.aud as string | undefined) ?? 'docket')
        .setExpirationTime(claims.exp ?? '10m')
        .sign(keys[0]!.privateKey),
  };
}
export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;

async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

export type Reply = {
  status: number;
  headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
  errors: { message: string; path?: unknown[]; extensions: Record<string, unknown> }[] | undefined;
  text: string;
};
export type Ask = (query: string, variables?: object, headers?: Record<string, string>) => Promise<Reply>;

/** The API on a real socket. */
export async function startHost(store: Store, tokens: TestIssuer, more: Partial<ApiOptions> = {}) {
  const api = createApi({
    store,
    issuer,
    keySet: tokens.keySet,
    documents: fakeDocuments(),
    cursorKey: Buffer.alloc(32, 7),
    development: false,
    ...more,
  });
  const listener = await startHttp(api, { allowedOrigins: ['https://desk.example'], timeoutMs: 10_000 });
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;

  const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): Promise<Reply> =>
    fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    }).then(replyOf);

  const anyone: Ask = (query, variables = {}, headers = {}) => post(JSON.stringify({ query, variables }), headers);
  const as = async (subject: string, roles: Role[], claims: JWTPayload = {}): Promise<Ask> => {
    const authorization = `Bearer ${await tokens.token({ sub: subject, roles, ...claims })}`;
    return (query, variables, headers) => anyone(query, variables, { authorization, ...headers });
  };
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await api.server.stop();
  };
  return { api, url, post, anyone, as, stop };
}
export type Host = Awaited<ReturnType<typeof startHost>> & { api: Api };

async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  const body = (text ? JSON.parse(text) : {}) as Pick<Reply, 'data' | 'errors'>;
  return { status: response.status, headers: response.headers, text, ...body };
}

/** A store whose database is out of reach: for what must be answered before anything is read. */
export const untouchable = (log: Record<string, unknown>[] = []): Store => {
  const fail = () => Promise.reject(new Error('the database was touched'));
  return {
    table: { batchGet: fail, query: fail, write: fail, transactWrite: fail },
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    log: (line) => void log.push(line),
  };
};
