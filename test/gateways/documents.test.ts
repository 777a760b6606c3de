import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, describe, it } from 'vitest';
import { directoryDocuments } from '../../gateways/directoryDocuments.ts';
import { s3Documents } from '../../gateways/s3Documents.ts';

const content = Buffer.from('a notice');
const sha256 = createHash('sha256').update(content).digest('hex');
const noon = Date.parse('2026-03-02T12:00:00Z');
const file = { filename: 'Bescheid "17" ü.pdf', mediaType: 'application/pdf', expiresAt: '2026-03-02T12:05:00.000Z' };

const atEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end();
});

async function place() {
  const directory = await mkdtemp(join(tmpdir(), 'documents-'));
  atEnd.push(() => rm(directory, { recursive: true }));
  return directory;
}
const inDirectory = (directory: string, now = noon) =>
  directoryDocuments({ directory, linkBaseUrl: 'http://127.0.0.1:1/documents', linkSecret: 's3cret', now: () => now });

describe('documents in a directory', () => {
  it('are found by their own hash, and only what is there', async () => {
    const documents = inDirectory(await place());
    assert.equal(await documents.read(sha256), undefined);
    assert.deepEqual(await documents.put(content, 'application/pdf'), { sha256, size: 8 });
    assert.deepEqual(Buffer.from((await documents.read(sha256))!), content);
    for (const name of ['', '..', '../../etc/passwd', sha256.toUpperCase(), `${sha256}/..`])
      assert.equal(await documents.read(name), undefined);
  });

  it('are stored once, however many store them at the same time', async () => {
    const directory = await place();
    const documents = inDirectory(directory);
    await Promise.all(Array.from({ length: 20 }, () => documents.put(content, 'application/pdf')));
    assert.deepEqual(await readdir(join(directory, sha256.slice(0, 2))), [sha256]);
  });

  it('are not touched by a second storing', async () => {
    const directory = await place();
    const documents = inDirectory(directory);
    await documents.put(content, 'application/pdf');
    const { ino } = await stat(join(directory, sha256.slice(0, 2), sha256));
    await documents.put(content, 'application/pdf');
    assert.equal((await stat(join(directory, sha256.slice(0, 2), sha256))).ino, ino);
  });

  it('are not handed out damaged', async () => {
    const directory = await place();
    const documents = inDirectory(directory);
    await documents.put(content, 'application/pdf');
    await writeFile(join(directory, sha256.slice(0, 2), sha256), 'a forgery');
    await assert.rejects(documents.read(sha256), /damaged/);
  });

  it('are whole under their name, whenever the process is killed', async () => {
    const directory = await place();
    const program = `
      import { directoryDocuments } from ${JSON.stringify(join(import.meta.dirname, '../../gateways/directoryDocuments.ts'))};
      const documents = directoryDocuments({ directory: ${JSON.stringify(directory)} });
      console.log('started');
      for (let n = 0; ; n++) await documents.put(Buffer.alloc(3_000_000, String(n)), 'application/pdf');`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
    await once(child.stdout, 'data');
    await new Promise((done) => setTimeout(done, 150));
    child.kill('SIGKILL');
    await once(child, 'exit');

    const names = (await readdir(directory, { recursive: true })).map((name) => name.split('/').at(-1)!);
    const documents = names.filter((name) => /^[0-9a-f]{64}$/.test(name));
    assert.ok(documents.length > 0);
    for (const name of documents) {
      const bytes = await readFile(join(directory, name.slice(0, 2), name));
      assert.equal(createHash('sha256').update(bytes).digest('hex'), name);
    }
  });
});

describe('a link to a document', () => {
  const link = (changes = {}) => inDirectory('/nowhere').link(sha256, { ...file, ...changes });

  it('says which file, under which name, until when', async () => {
    const { verifyLink } = inDirectory('/nowhere');
    assert.deepEqual(verifyLink(await link()), { sha256, ...file });
    assert.deepEqual(verifyLink((await link()).replace('http://127.0.0.1:1', '')), { sha256, ...file });
  });

  it('expires', async () => {
    const { verifyLink } = inDirectory('/nowhere', Date.parse(file.expiresAt));
    const expired = await link();
    assert.throws(() => verifyLink(expired), { name: 'LinkRejected', reason: 'EXPIRED' });
  });

  it('cannot be changed', async () => {
    const { verifyLink } = inDirectory('/nowhere');
    const good = await link();
    const changed = [
      good.replace(
        sha256,
        sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
      good.replace('12%3A05', '12%3A55'),
      good.replace('application', 'text'),
      good.replace(/signature=./, (text) => (text.endsWith('0') ? 'signature=1' : 'signature=0')),
      good.replace(/&signature=.*/, ''),
      `${good}&expiresAt=2030-01-01T00:00:00.000Z`,
      good.replace(/signature=.*/, 'signature=00'),
    ];
    for (const text of changed) assert.throws(() => verifyLink(text), { reason: 'SIGNATURE' });
  });

  it('is never made for long, for the past, or for what is no document', async () => {
    for (const expiresAt of ['2026-03-03T12:00:01.000Z', '2026-03-02T12:00:00.000Z', 'soon'])
      await assert.rejects(link({ expiresAt }), RangeError);
    await assert.rejects(inDirectory('/nowhere').link('../x', file), TypeError);
  });
});

describe('documents in a bucket', () => {
  type Asked = { method?: string; url?: string; headers: http.IncomingHttpHeaders };

  async function bucketThat(answer: (asked: Asked, response: http.ServerResponse) => void) {
    const seen: Asked[] = [];
    const server = http.createServer(({ method, url, headers }, response) => {
      seen.push({ method, url, headers });
      answer({ method, url, headers }, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    atEnd.push(() => (server.closeAllConnections(), server.close()));
    const client = new S3Client({
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const signed: [GetObjectCommand, number][] = [];
    const presign = (command: GetObjectCommand, expiresIn: number) => {
      signed.push([command, expiresIn]);
      return Promise.resolve('https://signed');
    };
    return {
      seen,
      signed,
      documents: s3Documents({ client, bucket: 'b', prefix: 'notices/', presign, now: () => noon }),
    };
  }
  const says =
    (status: number, body: string | Buffer = '') =>
    (_: Asked, response: http.ServerResponse) =>
      void response.writeHead(status).end(body);
  const fault = (code: string) => `<Error><Code>${code}</Code></Error>`;

  it('are created under their hash, if absent, and checked on the way', async () => {
    const { documents, seen } = await bucketThat(says(200));
    assert.deepEqual(await documents.put(content, 'application/pdf'), { sha256, size: 8 });
    assert.match(seen[0]?.url ?? '', new RegExp(`^/b/notices/${sha256}`));
    assert.equal(seen[0]?.headers['if-none-match'], '*');
    assert.equal(seen[0]?.headers['x-amz-checksum-sha256'], Buffer.from(sha256, 'hex').toString('base64'));
  });

  it('are the same if they are there already', async () => {
    const { documents } = await bucketThat(says(412, fault('PreconditionFailed')));
    assert.deepEqual(await documents.put(content, 'application/pdf'), { sha256, size: 8 });
  });

  it('wait for another writer, and report a failure', async () => {
    const busy = await bucketThat(says(409, fault('ConditionalRequestConflict')));
    await assert.rejects(busy.documents.put(content, 'application/pdf'), { name: 'Busy', reason: 'CONTENTION' });
    const broken = await bucketThat(says(403, fault('AccessDenied')));
    await assert.rejects(broken.documents.put(content, 'application/pdf'), { name: 'AccessDenied' });
  });

  it('are read whole, absent, or not at all', async () => {
    const there = await bucketThat(says(200, content));
    assert.deepEqual(Buffer.from((await there.documents.read(sha256))!), content);
    const absent = await bucketThat(says(404, fault('NoSuchKey')));
    assert.equal(await absent.documents.read(sha256), undefined);
    const damaged = await bucketThat(says(200, 'a forgery'));
    await assert.rejects(damaged.documents.read(sha256), /damaged/);
    assert.equal(await damaged.documents.read('../x'), undefined);
    const forbidden = await bucketThat(says(403, fault('AccessDenied')));
    await assert.rejects(forbidden.documents.read(sha256), { name: 'AccessDenied' });
  });

  it('are linked under their name, for as long as asked', async () => {
    const { documents, signed } = await bucketThat(says(200));
    assert.equal(await documents.link(sha256, file), 'https://signed');
    const [command, seconds] = signed[0]!;
    assert.equal(seconds, 300);
    assert.equal(
      command.input.ResponseContentDisposition,
      "attachment; filename*=UTF-8''Bescheid%20%2217%22%20%C3%BC.pdf",
    );
    await assert.rejects(documents.link(sha256, { ...file, expiresAt: '2027-01-01T00:00:00.000Z' }), RangeError);
  });
});
