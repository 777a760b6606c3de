import http from 'node:http';
import https from 'node:https';

export type Asked = {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** The most bytes of an answer worth reading. */
  maxBytes: number;
  signal: AbortSignal;
};
export type Answered = { status: number; headers: http.IncomingHttpHeaders; body: string };

/**
 * One request on a connection of its own: a pooled connection that died while idle would make a request that never
 * left look like one that may have arrived. Redirects are not followed. Rejects unless the whole answer came.
 */
export function exchange({ method, url, headers, body, maxBytes, signal }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.request(url, { method, headers, agent: false, signal }, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > maxBytes) request.destroy(new Error(`the answer is longer than ${maxBytes} bytes`));
        else parts.push(part);
      });
      response.on('end', () => {
        if (!response.complete) return reject(new Error('the answer broke off'));
        try {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: decoded(parts) });
        } catch {
          reject(new Error('the answer is not UTF-8'));
        }
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

const decoded = (parts: Buffer[]) => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));

/** True when no connection was ever made, so not a byte can have left. */
export function neverConnected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverConnected);
  return (
    error instanceof Error && 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
  );
}

/** What may be said about an error in a log: a code, never a message that could quote an address or an answer. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
