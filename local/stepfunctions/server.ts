import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Operation, Request } from './api.ts';
import { ApiError } from './errors.ts';

/** The AWS-JSON-1.0 endpoint: one POST per operation, its name in a header. */
export async function serve(
  operations: Record<string, Operation>,
  port: number,
): Promise<{ endpoint: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void respond(operations, request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => closed(server),
  };
}

async function respond(
  operations: Record<string, Operation>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await outcome(operations, request);
  response
    .writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() })
    .end(JSON.stringify(answer.body));
}

async function outcome(
  operations: Record<string, Operation>,
  request: IncomingMessage,
): Promise<{ status: number; body: object }> {
  try {
    const name = String(request.headers['x-amz-target']).replace('AWSStepFunctions.', '');
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation) throw new ApiError('UnknownOperationException', `${name} does not exist here`);
    return { status: 200, body: await operation(await bodyOf(request)) };
  } catch (error) {
    const type = error instanceof ApiError ? error.type : 'InternalServerException';
    return { status: error instanceof ApiError ? 400 : 500, body: { __type: type, message: (error as Error).message } };
  }
}

/** Two inputs of 256 KB, escaped, fit in easily. */
const LARGEST_REQUEST = 2 ** 21;

async function bodyOf(request: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_REQUEST) throw new ApiError('ValidationException', 'the request is too large');
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString() || '{}') as Request;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
