import { HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { limits } from './limits.ts';
import { badRequest, tooLarge } from './masking.ts';
import { bodyOf } from './requestBody.ts';
import type { Api } from './server.ts';

export type HttpOptions = {
  /** Origins of the frontends, exactly as browsers send them. */
  allowedOrigins: readonly string[];
  /** How long one request may take. */
  timeoutMs: number;
};

/** Starts the API and answers what a host mounts at /graphql. */
export async function startHttp(api: Api, options: HttpOptions): Promise<RequestListener> {
  await api.server.start();
  // Whatever goes wrong with one answer is the end of that answer, not of the host.
  return (request, response) => void answer(api, options, request, response).catch(() => response.destroy());
}

async function answer(api: Api, options: HttpOptions, request: IncomingMessage, response: ServerResponse) {
  for (const [name, value] of corsHeaders(request, options.allowedOrigins)) response.setHeader(name, value);
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  const { status, headers, body } = await executed(api, options, request);
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  // What is still on its way is not waited for.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status).end(body);
}

async function executed(api: Api, { timeoutMs }: HttpOptions, request: IncomingMessage) {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) if (value) headers.set(name, [value].flat().join(', '));
  try {
    const body = bodyOf(await bytesOf(request), headers.get('content-type'));
    const result = await api.server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method ?? 'GET', headers, search: searchOf(request), body },
      context: () => api.context({ header: (name) => headers.get(name), remainingMs: timeoutMs }),
    });
    return { status: result.status ?? 200, headers: result.headers, body: complete(result) };
  } catch (error) {
    return api.failure(error);
  }
}

/** Read no further than the limit: a body that says that it is larger is not read at all. */
async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bodyBytes) {
        request.pause();
        return reject(tooLarge(limits.bodyBytes));
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(badRequest('The body ended early.')));
  });
}

const searchOf = ({ url = '' }: IncomingMessage) => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** The schema defers nothing, so an answer is always whole. */
export function complete({ body }: HTTPGraphQLResponse): string {
  if (body.kind !== 'complete') throw new TypeError('an answer in parts');
  return body.string;
}

function corsHeaders({ headers: { origin } }: IncomingMessage, allowed: readonly string[]): [string, string][] {
  if (origin === undefined || !allowed.includes(origin)) return [['vary', 'origin']];
  return [
    ['vary', 'origin'],
    ['access-control-allow-origin', origin],
    ['access-control-allow-methods', 'POST, GET, OPTIONS'],
    [
      'access-control-allow-headers',
      'authorization, content-type, apollo-require-preflight, x-correlation-id, docket-timeout-ms',
    ],
    ['access-control-expose-headers', 'x-correlation-id'],
    ['access-control-max-age', '600'],
  ];
}
