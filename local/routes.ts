import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Sent } from '../gateways/directoryDocuments.ts';
import { LinkRejected, type LinkedFile } from '../gateways/documentLink.ts';
import { TransferRefused } from '../gateways/storedFile.ts';
import { signatureHeader } from '../gateways/registryCallback.ts';

export type Routes = {
  upload: (link: string, sent: Sent) => Promise<unknown>;
  graphql: RequestListener;
  /** The state of each part; all true means ready. */
  health: () => Promise<Record<string, boolean>>;
  callback: (body: string, signature: string | undefined) => Promise<number>;
  keySet: () => unknown;
  document: (link: string) => Promise<{ content: Uint8Array; file: LinkedFile } | undefined>;
};

const largestCallback = 64 * 1024;

/** The host's one HTTP server: the API, the registry's callback, documents, health and the issuer's keys. */
export function serveRoutes(routes: () => Routes | undefined): Server {
  const server = createServer((request, response) => {
    const ready = routes();
    if (!ready) return json(response, 503, { starting: true });
    route(ready, request, response).catch(() => {
      if (!response.headersSent) json(response, 500, { error: 'internal' });
      else response.destroy();
    });
  });
  server.requestTimeout = 30_000;
  return server;
}

async function route(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://host');
  switch (url.pathname) {
    case '/graphql':
      return void routes.graphql(request, response);
    case '/healthz': {
      const parts = await routes.health();
      return json(response, Object.values(parts).every(Boolean) ? 200 : 503, parts);
    }
    case '/.well-known/jwks.json':
      return json(response, 200, routes.keySet());
    case '/registry/callback': {
      if (request.method !== 'POST') return json(response, 405, { error: 'POST only' });
      const body = await boundedBody(request, largestCallback);
      if (body === undefined) return json(response, 413, { error: 'too large' });
      const signature = request.headers[signatureHeader];
      response.writeHead(await routes.callback(body, typeof signature === 'string' ? signature : undefined)).end();
      return;
    }
    default:
      return url.pathname.startsWith('/documents/')
        ? await document(routes, url, request, response)
        : json(response, 404, { error: 'not found' });
  }
}

/** Signed links, as the bucket takes them: GET reads, PUT stores. */
function document(routes: Routes, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> | void {
  if (request.method === 'PUT') return upload(routes, url, request, response);
  return request.method === 'GET' || request.method === 'HEAD'
    ? download(routes, url, response)
    : json(response, 405, { error: 'GET or PUT only' });
}

const refusedTransfer = { TYPE: 415, SIZE: 413, HASH: 400 } as const;

/** What comes is measured as it comes; what is not what the link says is not read to its end. */
async function upload(routes: Routes, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { 'content-type': mediaType, 'content-length': length } = request.headers;
  const size = length === undefined ? undefined : Number(length);
  try {
    await routes.upload(url.toString(), { mediaType, size, bytes: request as AsyncIterable<Buffer> });
    response.writeHead(200, { 'cache-control': 'no-store' }).end();
  } catch (error) {
    if (!request.complete) response.setHeader('connection', 'close');
    if (error instanceof LinkRejected) return json(response, 403, { error: 'the link is not valid' });
    if (!(error instanceof TransferRefused)) throw error;
    json(response, refusedTransfer[error.reason], {
      error: `not the ${error.reason.toLowerCase()} that was announced`,
    });
  }
}

async function download(routes: Routes, url: URL, response: ServerResponse): Promise<void> {
  try {
    const found = await routes.document(url.toString());
    if (!found) return json(response, 404, { error: 'not found' });
    response
      .writeHead(200, {
        'content-type': found.file.mediaType,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(found.file.filename)}`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .end(found.content);
  } catch (error) {
    if (!(error instanceof LinkRejected)) throw error;
    json(response, 403, { error: 'the link is not valid' });
  }
}

async function boundedBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(value));
}
