import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The two services a bundle needs to begin: it knows one secret, and keeps what is put into a bucket. */
export async function playAws(secret: string) {
  const stored = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue')
        return response.writeHead(200).end(JSON.stringify({ SecretString: secret }));
      if (request.method !== 'PUT') return response.writeHead(404).end();
      stored.set(new URL(request.url!, 'http://s3').pathname, Buffer.concat(parts));
      return response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
