import assert from 'node:assert/strict';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'vitest';
import type { RegistrySubmission } from '../../domain/ports.ts';
import { httpRegistry } from '../../gateways/registry.ts';

const submission: RegistrySubmission = {
  actionId: 'action-1',
  caseNumber: 'C-2026-17',
  actionType: 'FINE',
  submissionNumber: 1,
  partyName: 'Müller & Söhne',
  provisions: ['Art. 12', 'Art. 14'],
  issuedOn: '2026-03-02',
};
const accepted = { status: 'ACCEPTED', registryNumber: 'R-2026-000001', reference: 'REF-1' };
const refused = { status: 'REFUSED', reason: 'out of scope', reference: 'REF-1' };
const pending = { status: 'PENDING', reference: 'REF-1' };

type Request = { method?: string; url?: string; headers: http.IncomingHttpHeaders; body: string };
const servers: net.Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A registry that says exactly what the test wants to hear. */
async function registryThat(answer: (response: http.ServerResponse, request: Request) => void) {
  const seen: Request[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body });
      answer(response, { method, url, headers, body });
    });
  });
  return { seen, registry: registryAt(await portOf(server)) };
}

async function portOf(server: net.Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const registryAt = (port: number) => httpRegistry({ url: `http://127.0.0.1:${port}/`, apiKey: 'k-1', settleMs: 500 });
const says =
  (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}) =>
  (response: http.ServerResponse) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const soon = () => AbortSignal.timeout(8_000);

describe('submitting to the registry', () => {
  const answers = [
    [201, accepted],
    [202, pending],
    [422, refused],
    [200, accepted],
    [200, refused],
    [200, pending],
  ] as const;
  for (const [status, answer] of answers)
    it(`takes ${status} ${answer.status} as an answer`, async () => {
      const { registry } = await registryThat(says(status, { ...answer, more: 'than agreed' }));
      assert.deepEqual(await registry.submit(submission, 'key-1', soon()), answer);
    });

  it('names the key, shows the API key, and sends the same bytes whatever order the fields come in', async () => {
    const { registry, seen } = await registryThat(says(201, accepted));
    await registry.submit(submission, 'key-1', soon());
    const reordered = Object.fromEntries(Object.entries(submission).reverse()) as RegistrySubmission;
    await registry.submit(reordered, 'key-1', soon());

    assert.equal(seen[0]?.url, '/submissions');
    assert.equal(seen[0].headers['idempotency-key'], 'key-1');
    assert.equal(seen[0].headers.authorization, 'Bearer k-1');
    assert.deepEqual(JSON.parse(seen[0].body), submission);
    assert.equal(seen[1]?.body, seen[0].body);
  });

  const notAccepted = [
    [400, 'never'],
    [413, 'never'],
    [415, 'never'],
    [401, 'later'],
    [403, 'later'],
    [404, 'later'],
    [429, 'later'],
  ] as const;
  for (const [status, again] of notAccepted)
    it(`knows from ${status} that nothing was accepted, and to try ${again}`, async () => {
      const { registry } = await registryThat(says(status, { code: 'X', message: 'partyName Müller' }));
      await assert.rejects(registry.submit(submission, 'key-1', soon()), (error: Error & { again?: string }) => {
        assert.deepEqual([error.name, error.again], ['NotAccepted', again]);
        assert.doesNotMatch(error.message, /Müller/);
        return true;
      });
    });

  it('hands on how long the registry asks to wait', async () => {
    const { registry } = await registryThat(says(429, {}, { 'retry-after': '7' }));
    await assert.rejects(registry.submit(submission, 'key-1', soon()), { name: 'NotAccepted', retryAfterMs: 7000 });
  });

  it('knows that a refused connection carried nothing', async () => {
    const server = net.createServer();
    const port = await portOf(server);
    await new Promise((done) => server.close(done));
    await assert.rejects(registryAt(port).submit(submission, 'key-1', soon()), { name: 'NotAccepted', again: 'later' });
  });

  it('knows that an unknown host heard nothing', async () => {
    const registry = httpRegistry({ url: 'http://registry.invalid', apiKey: 'k-1', settleMs: 500 });
    await assert.rejects(registry.submit(submission, 'key-1', soon()), { name: 'NotAccepted', again: 'later' });
  });

  const ambiguous: [string, (response: http.ServerResponse) => void][] = [
    ['500', says(500, {})],
    ['503 with Retry-After', says(503, {}, { 'retry-after': '1' })],
    ['408', says(408, {})],
    ['409: something stands under the key', says(409, {})],
    ['a redirect', says(302, '', { location: '/elsewhere' })],
    ['201 that is not JSON', says(201, '<html>')],
    ['201 without a number', says(201, { ...accepted, registryNumber: '' })],
    ['201 that says PENDING', says(201, pending)],
    ['422 that says ACCEPTED', says(422, accepted)],
    ['202 without a reference', says(202, { status: 'PENDING' })],
    ['an answer without end', says(201, JSON.stringify({ ...accepted, more: 'x'.repeat(70_000) }))],
    ['an answer that is not UTF-8', (response) => void response.writeHead(201).end(Buffer.from([0x22, 0xff, 0x22]))],
    ['a connection cut before the answer', (response) => void response.destroy()],
    [
      'a connection cut within the answer',
      (response) => {
        response.writeHead(201, { 'content-length': 500 }).write('{"status":');
        setTimeout(() => response.destroy(), 20);
      },
    ],
  ];
  for (const [what, answer] of ambiguous)
    it(`does not guess after ${what}`, async () => {
      const { registry } = await registryThat(answer);
      await assert.rejects(registry.submit(submission, 'key-1', soon()), { name: 'OutcomeUnknown' });
    });

  it('ends the connection when it is told to stop', async () => {
    let cut: (() => void) | undefined;
    const closed = new Promise<void>((done) => (cut = done));
    const { registry } = await registryThat((response) => response.on('close', () => cut?.()));
    await assert.rejects(registry.submit(submission, 'key-1', AbortSignal.timeout(100)), { name: 'OutcomeUnknown' });
    await closed;
  });
});

describe('asking the registry', () => {
  for (const answer of [accepted, refused, pending])
    it(`finds ${answer.status}`, async () => {
      const { registry, seen } = await registryThat(says(200, answer));
      assert.deepEqual(await registry.find('a/b key', soon()), { kind: 'found', answer });
      assert.equal(seen[0]?.url, '/submissions/a%2Fb%20key');
    });

  it('believes only the registry that nothing arrived', async () => {
    const { registry } = await registryThat(says(404, { code: 'NO_SUCH_SUBMISSION', message: 'none' }));
    assert.deepEqual(await registry.find('key-1', soon()), { kind: 'notFound' });
  });

  const unanswered: [string, (response: http.ServerResponse) => void][] = [
    ['a 404 of somebody else', says(404, 'Not Found')],
    ['401', says(401, {})],
    ['503', says(503, {})],
    ['a malformed 200', says(200, { status: 'MAYBE', reference: 'x' })],
    ['a cut connection', (response) => void response.destroy()],
  ];
  for (const [what, answer] of unanswered)
    it(`learns nothing from ${what} and may ask again`, async () => {
      const { registry } = await registryThat(answer);
      await assert.rejects(registry.find('key-1', soon()), { name: 'Busy' });
    });
});
