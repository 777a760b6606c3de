import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { parsed } from '../../gateways/json.ts';
import type { FaultBox, Faults } from './faults.ts';

const maxBytes = 256 * 1024;

/** A request that cannot be served, in the contract's words. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly headers: OutgoingHttpHeaders;

  constructor(status: number, code: string, message: string, headers: OutgoingHttpHeaders = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) throw new Problem(413, 'INVALID', 'the body is too long', { connection: 'close' });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A problem is told; anything else is a bug of ours, and the caller sees a cut connection. */
export function respondToProblem(response: ServerResponse, error: unknown): void {
  if (!(error instanceof Problem)) return void response.destroy();
  respond(response, error.status, { code: error.code, message: error.message }, error.headers);
}

/** `GET /faults` and `PUT /faults`, which replaces them all. */
export async function serveFaults<Name extends string>(
  faults: FaultBox<Name>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'PUT') {
    const wanted = parsed((await readBody(request)).toString('utf8'));
    try {
      faults.set(wanted as Faults<Name>);
    } catch (error) {
      throw new Problem(400, 'INVALID', error instanceof TypeError ? error.message : 'not faults');
    }
  }
  respond(response, 200, faults.get());
}
