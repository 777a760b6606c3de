import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, it, vi } from 'vitest';
import type { RegistrySubmission } from '../../domain/ports.ts';
import { httpRegistry } from '../../gateways/registry.ts';
import { type RegistryCallback, verifyCallback } from '../../gateways/registryCallback.ts';
import { startRegistry } from '../../local/registry/startRegistry.ts';

const apiKey = 'k-1';
const callbackSecret = 's3cret';
const account = { apiKey, callbackSecret, answerAfterMs: 0 };
const nobody = 'http://127.0.0.1:9/callback';
const submission = (n: number): RegistrySubmission => ({
  actionId: `action-${n}`,
  caseNumber: 'C-2026-17',
  actionType: 'FINE',
  submissionNumber: 1,
  partyName: 'Müller & Söhne',
  provisions: ['Art. 12'],
  issuedOn: '2026-03-02',
});
const soon = () => AbortSignal.timeout(8_000);

const atEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end();
});

async function directory() {
  const path = await mkdtemp(join(tmpdir(), 'registry-'));
  atEnd.push(() => rm(path, { recursive: true }));
  return path;
}
/** Where the registry's answers arrive; the first `failures` of them are not taken. */
async function desk(failures = 0) {
  const received: RegistryCallback[] = [];
  const server = http.createServer((request, response) => {
    void text(request).then((body) => {
      if (failures-- > 0) return void response.writeHead(500).end();
      const signature = request.headers['x-registry-signature'];
      received.push(verifyCallback(body, String(signature), callbackSecret, Date.now()));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd.push(() => new Promise((done) => server.close(done)));
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` };
}

async function started(options: Partial<Parameters<typeof startRegistry>[0]> = {}) {
  const server = await startRegistry({ ...account, callbackUrl: nobody, ...options });
  atEnd.push(() => server.close());
  return { server, registry: httpRegistry({ url: server.url, apiKey, settleMs: 200 }) };
}

/** From now on a file takes half of what it is given. */
async function fullDisk() {
  const handle = await open(import.meta.filename, 'r');
  const files = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const full = vi.spyOn(files, 'appendFile').mockImplementation(async function (this: FileHandle, data) {
    const bytes = data as Buffer;
    await this.write(bytes, 0, Math.floor(bytes.length / 2));
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  atEnd.push(() => full.mockRestore());
  return full;
}

const until = (holds: () => boolean) => vi.waitFor(() => assert.ok(holds()), { timeout: 8_000, interval: 10 });

describe('the local registry', () => {
  it('registers each action once, with numbers in a row', async () => {
    const { registry, server } = await started();
    const numbers = [];
    for (const [key, n] of Object.entries({ a: 1, b: 2, c: 1 })) {
      const answer = await registry.submit(submission(n), key, soon());
      numbers.push(answer.status === 'ACCEPTED' && answer.registryNumber);
      assert.deepEqual(await registry.submit(submission(n), key, soon()), answer);
    }
    const year = new Date().getUTCFullYear();
    assert.deepEqual(numbers, [`R-${year}-000001`, `R-${year}-000002`, `R-${year}-000001`]);
    assert.equal(server.applications().length, 3);
  });

  it('takes a key in once, however many ask at the same time', async () => {
    const { registry, server } = await started({ directory: await directory() });
    const answers = await Promise.all(Array.from({ length: 20 }, () => registry.submit(submission(1), 'a', soon())));
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
    assert.equal(server.applications().length, 1);
  });

  it('keeps what came first under a key', async () => {
    const { registry, server } = await started();
    await registry.submit(submission(1), 'a', soon());
    await assert.rejects(registry.submit(submission(2), 'a', soon()), { message: /409/ });
    assert.equal(server.applications()[0]?.actionId, 'action-1');
  });

  it('turns away strangers and nonsense', async () => {
    const { registry, server } = await started();
    const stranger = httpRegistry({ url: server.url, apiKey: 'other', settleMs: 200 });
    await assert.rejects(stranger.submit(submission(1), 'a', soon()), { name: 'NotAccepted', again: 'later' });
    const nonsense = { ...submission(1), issuedOn: 'yesterday' };
    await assert.rejects(registry.submit(nonsense, 'a', soon()), { name: 'NotAccepted', again: 'never' });
    const unnamed = { method: 'POST', headers: { authorization: `Bearer ${apiKey}` }, body: '{}' };
    assert.equal((await fetch(`${server.url}/submissions`, unnamed)).status, 400);
    const long = { ...submission(1), partyName: 'x'.repeat(300_000) };
    await assert.rejects(registry.submit(long, 'a', soon()));
    assert.equal(server.applications().length, 0);
    assert.deepEqual(await registry.find('a', soon()), { kind: 'notFound' });
  });

  it('answers later, by a callback repeated until it is taken', async () => {
    const { received, url } = await desk(2);
    const { registry } = await started({ callbackUrl: url, answerAfterMs: 30 });
    const { status, reference } = await registry.submit(submission(1), 'a', soon());
    assert.equal(status, 'PENDING');
    assert.deepEqual(await registry.find('a', soon()), { kind: 'found', answer: { status, reference } });
    await until(() => received.length === 1);
    assert.equal(received[0]?.answer.reference, reference);
    assert.deepEqual(await registry.find('a', soon()), { kind: 'found', answer: received[0].answer });
    await pause(150);
    assert.equal(received.length, 1);
  });
});

describe('a registry with faults', () => {
  it('refuses at once', async () => {
    const { registry, server } = await started({ answerAfterMs: 30 });
    server.setFaults({ refuse: { times: 1 } });
    assert.equal((await registry.submit(submission(1), 'a', soon())).status, 'REFUSED');
    assert.equal((await registry.submit(submission(1), 'a', soon())).status, 'REFUSED'); // kept under the key
    assert.equal((await registry.submit(submission(1), 'b', soon())).status, 'PENDING'); // used up
  });

  it('refuses by callback', async () => {
    const { received, url } = await desk();
    const { registry, server } = await started({ callbackUrl: url, answerAfterMs: 10 });
    server.setFaults({ refuseLater: { times: 1 } });
    assert.equal((await registry.submit(submission(1), 'a', soon())).status, 'PENDING');
    await until(() => received[0]?.answer.status === 'REFUSED');
  });

  it('answers twice, or twice with different words', async () => {
    const { received, url } = await desk();
    const { registry, server } = await started({ callbackUrl: url, answerAfterMs: 10 });
    server.setFaults({ answerTwice: { times: 1 } });
    await registry.submit(submission(1), 'a', soon());
    await until(() => received.length === 2);
    assert.deepEqual(received[0], received[1]);
    server.setFaults({ contradict: { times: 1 } });
    await registry.submit(submission(2), 'b', soon());
    await until(() => received.length === 4);
    assert.deepEqual(
      received.slice(2).map(({ answer }) => answer.status),
      ['ACCEPTED', 'REFUSED'],
    );
  });

  it('delays its answer, or never gives one', async () => {
    const { received, url } = await desk();
    const { registry, server } = await started({ callbackUrl: url, answerAfterMs: 10 });
    server.setFaults({ delay: { times: 1, ms: 500 }, neverAnswer: { times: 1 } });
    await registry.submit(submission(1), 'never', soon());
    await registry.submit(submission(2), 'late', soon());
    await pause(100);
    assert.equal(received.length, 0);
    await until(() => received.length === 1);
    assert.equal(received[0]?.key, 'late');
    const found = await registry.find('never', soon());
    assert.equal(found.kind === 'found' && found.answer.status, 'PENDING');
  });

  for (const fault of ['loseAnswer', 'failAfter'] as const)
    it(`has taken the application in after ${fault}`, async () => {
      const { registry, server } = await started();
      server.setFaults({ [fault]: { times: 1 } });
      await assert.rejects(registry.submit(submission(1), 'a', soon()), { name: 'OutcomeUnknown' });
      assert.equal((await registry.find('a', soon())).kind, 'found');
      assert.equal((await registry.submit(submission(1), 'a', soon())).status, 'ACCEPTED');
      assert.equal(server.applications().length, 1);
    });

  it('has taken nothing in after failBefore and tooMany', async () => {
    const { registry, server } = await started();
    server.setFaults({ failBefore: { times: 1 } });
    await assert.rejects(registry.submit(submission(1), 'a', soon()), { name: 'OutcomeUnknown' });
    server.setFaults({ tooMany: { times: 1, ms: 4000 } });
    await assert.rejects(registry.submit(submission(1), 'a', soon()), { name: 'NotAccepted', retryAfterMs: 4000 });
    assert.deepEqual(await registry.find('a', soon()), { kind: 'notFound' });
  });

  it('is slow, and cannot be asked', async () => {
    const { registry, server } = await started();
    server.setFaults({ slow: { times: 1, ms: 5000 }, findFails: { times: 1 } });
    const impatient = AbortSignal.timeout(500);
    await assert.rejects(registry.submit(submission(1), 'a', impatient), { name: 'OutcomeUnknown' });
    await assert.rejects(registry.find('a', soon()), { name: 'Busy' });
    assert.equal((await registry.find('a', soon())).kind, 'found');
  });

  it('takes its faults over HTTP and knows no others', async () => {
    const { registry, server } = await started();
    const put = (faults: unknown) => fetch(`${server.url}/faults`, { method: 'PUT', body: JSON.stringify(faults) });
    assert.equal((await put({ refuse: { times: 2 } })).status, 200);
    await registry.submit(submission(1), 'a', soon());
    assert.deepEqual(await (await fetch(`${server.url}/faults`)).json(), { refuse: { times: 1 } });
    for (const wrong of [{ refuze: {} }, { slow: { ms: -1 } }, { slow: { times: 0.5 } }, 'refuse', null])
      assert.equal((await put(wrong)).status, 400);
  });
});

describe('a registry that dies', () => {
  it('forgets nothing it told anybody, and calls back after it is back', async () => {
    const place = await directory();
    const first = await started({ directory: place, answerAfterMs: 50 });
    const pending = await first.registry.submit(submission(1), 'a', soon());
    await first.server.close();
    await appendFile(join(place, 'registry.jsonl'), '{"is":"submitted","subm'); // died while it wrote the next one
    const { received, url } = await desk();
    const second = await started({ directory: place, callbackUrl: url, answerAfterMs: 50 });
    await until(() => received.length === 1);
    assert.equal(received[0]?.answer.reference, pending.reference);
    await second.registry.submit(submission(2), 'b', soon());
    await until(() => second.server.applications().every(({ delivered }) => delivered === 1));
    await second.server.close();
    const third = await started({ directory: place, callbackUrl: url, answerAfterMs: 50 });
    await pause(100);
    assert.equal(received.length, 2, 'what was taken is not told again');
    assert.ok(third.server.applications().every(({ answer }) => answer.status === 'ACCEPTED'));
  });

  it('knows nothing that a full disk did not take, and goes on when there is room again', async () => {
    const place = await directory();
    const { received, url } = await desk();
    const numbers = () => received.map(({ answer }) => answer.status === 'ACCEPTED' && answer.registryNumber);
    const { server, registry } = await started({ directory: place, callbackUrl: url, answerAfterMs: 50 });
    assert.equal((await registry.submit(submission(1), 'a', soon())).status, 'PENDING');
    const full = await fullDisk();
    await assert.rejects(registry.submit(submission(2), 'b', soon()), { name: 'OutcomeUnknown' });
    assert.equal((await registry.find('b', soon())).kind, 'notFound');
    assert.equal(server.applications().length, 1);
    await until(() => full.mock.calls.length >= 2); // its answer to the first is not on disk either
    assert.deepEqual(received, []);

    full.mockRestore();
    await registry.submit(submission(2), 'b', soon());
    await until(() => received.length === 2);
    assert.equal(new Set(numbers()).size, 2);
    await server.close();
    const again = await started({ directory: place });
    assert.deepEqual(again.server.applications(), server.applications());
  });

  it('has kept an application it was killed before answering', async () => {
    const place = await directory();
    const program = `
      import { startRegistry } from ${JSON.stringify(join(import.meta.dirname, '../../local/registry/startRegistry.ts'))};
      const registry = await startRegistry(${JSON.stringify({ ...account, directory: place, callbackUrl: nobody })});
      registry.setFaults({ slow: { ms: 60000 } });
      console.log(registry.url);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
    atEnd.push(() => child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const doomed = httpRegistry({ url: line.toString().trim(), apiKey, settleMs: 200 });
    const submitting = doomed.submit(submission(1), 'a', AbortSignal.timeout(10_000));
    submitting.catch(() => undefined);
    while ((await doomed.find('a', soon())).kind !== 'found') await pause(20);
    child.kill('SIGKILL');
    await assert.rejects(submitting, { name: 'OutcomeUnknown' });
    const { registry, server } = await started({ directory: place });
    const found = await registry.find('a', soon());
    assert.equal(found.kind === 'found' && found.answer.status, 'ACCEPTED');
    assert.deepEqual(await registry.submit(submission(1), 'a', soon()), found.kind === 'found' && found.answer);
    assert.equal(server.applications().length, 1);
  });
});
