import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { afterEach, describe, it } from 'vitest';
import { directoryDocuments } from '../../gateways/directoryDocuments.ts';
import { s3Documents } from '../../gateways/s3Documents.ts';

const content = Buffer.from('a notice');
const sha256 = createHash('sha256').update(content).digest('hex');
const owner = { tenant: 'demo', caseId: 'c1', ownerId: 'd1' };
const named = { ...owner, sha256 };
const noon = Date.parse('2026-03-02T12:00:00Z');
const file = { filename: 'Bescheid "17" ü.pdf', mediaType: 'application/pdf', expiresAt: '2026-03-02T12:05:00.000Z' };

const awaited = { size: 8, mediaType: 'application/pdf', expiresAt: file.expiresAt };

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
    assert.equal(await documents.read(named), undefined);
    assert.deepEqual(await documents.put(owner, content, 'application/pdf'), { sha256, size: 8 });
    assert.deepEqual(Buffer.from((await documents.read(named))!), content);
    for (const name of ['', '..', '../../etc/passwd', sha256.toUpperCase(), `${sha256}/..`])
      assert.equal(await documents.read({ ...owner, sha256: name }), undefined);
    for (const ownerId of ['..', '', 'a/b', '.']) assert.equal(await documents.read({ ...named, ownerId }), undefined);
  });

  it('are stored once, however many store them at the same time', async () => {
    const directory = await place();
    const documents = inDirectory(directory);
    await Promise.all(Array.from({ length: 20 }, () => documents.put(owner, content, 'application/pdf')));
    assert.deepEqual(await readdir(join(directory, 'demo/c1/d1')), [sha256, `${sha256}.type`]);
  });

  it('are not touched by a second storing', async () => {
    const directory = await place();
    const documents = inDirectory(directory);
    await documents.put(owner, content, 'application/pdf');
    const { ino } = await stat(join(directory, 'demo/c1/d1', sha256));
    await documents.put(owner, content, 'application/pdf');
    assert.equal((await stat(join(directory, 'demo/c1/d1', sha256))).ino, ino);
  });

  it('are not handed out damaged', async () => {
    const directory = await place();
    const documents = inDirectory(directory);
    await documents.put(owner, content, 'application/pdf');
    await writeFile(join(directory, 'demo/c1/d1', sha256), 'a forgery');
    await assert.rejects(documents.read(named), /damaged/);
  });

  it('are whole under their name, whenever the process is killed', async () => {
    const directory = await place();
    const program = `
      import { directoryDocuments } from ${JSON.stringify(join(import.meta.dirname, '../../gateways/directoryDocuments.ts'))};
      const documents = directoryDocuments({ directory: ${JSON.stringify(directory)} });
      for (let n = 0; ; n++) {
        await documents.put(${JSON.stringify(owner)}, Buffer.alloc(3_000_000, String(n)), 'application/pdf');
        console.log('stored');
      }`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
    await once(child.stdout, 'data');
    await new Promise((done) => setTimeout(done, 150));
    child.kill('SIGKILL');
    await once(child, 'exit');

    const names = (await readdir(directory, { recursive: true })).map((name) => name.split('/').at(-1)!);
    const documents = names.filter((name) => /^[0-9a-f]{64}$/.test(name));
    assert.ok(documents.length > 0);
    for (const name of documents) {
      const bytes = await readFile(join(directory, 'demo/c1/d1', name));
      assert.equal(createHash('sha256').update(bytes).digest('hex'), name);
    }
  });
});

describe('a link to a document', () => {
  const link = (changes = {}) => inDirectory('/nowhere').link(named, { ...file, ...changes });

  it('says which file, under which name, until when', async () => {
    const { verifyLink } = inDirectory('/nowhere');
    assert.deepEqual(verifyLink(await link()), { ...named, ...file });
    assert.deepEqual(verifyLink((await link()).replace('http://127.0.0.1:1', '')), { ...named, ...file });
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
    await assert.rejects(inDirectory('/nowhere').link({ ...owner, sha256: '../x' }, file), TypeError);
  });
});

describe('a link to store a document in a directory', () => {
  async function* inPieces(bytes: Buffer) {
    for (let i = 0; i < bytes.length; i += 3) yield bytes.subarray(i, i + 3);
    await Promise.resolve();
  }
  const sentTo = async (change: object, sent: object = {}, altered = (link: string) => link, now = noon) => {
    const directory = await place();
    const { url } = await inDirectory(directory).upload({ ...named, ...change }, { ...awaited, ...change });
    const documents = inDirectory(directory, now);
    const stored = documents.receive(altered(url), {
      mediaType: 'application/pdf',
      size: content.length,
      bytes: inPieces(content),
      ...sent,
    });
    return { directory, documents, stored };
  };

  it('stores what it says, and says what it needs', async () => {
    const { documents, stored } = await sentTo({});
    assert.deepEqual(await stored, { sha256, size: 8, mediaType: 'application/pdf' });
    assert.deepEqual(Buffer.from((await documents.read(named))!), content);
    assert.deepEqual(await documents.checksum(named), { sha256, size: 8, mediaType: 'application/pdf' });
    assert.equal(await documents.checksum({ ...named, ownerId: 'd2' }), undefined);
    const { method, headers } = await documents.upload(named, awaited);
    assert.deepEqual([method, headers], ['PUT', [{ name: 'content-type', value: 'application/pdf' }]]);
  });

  const refusals: [string, object, string][] = [
    ['of another type', { mediaType: 'text/html' }, 'TYPE'],
    ['of no type', { mediaType: undefined }, 'TYPE'],
    ['that announces another size', { size: 9 }, 'SIZE'],
    ['that is longer than announced', { size: undefined, bytes: inPieces(Buffer.from('a notice, and more')) }, 'SIZE'],
    ['that is shorter', { size: undefined, bytes: inPieces(Buffer.from('a not')) }, 'SIZE'],
    ['with other bytes', { bytes: inPieces(Buffer.from('a nOtice')) }, 'HASH'],
  ];
  for (const [what, sent, reason] of refusals)
    it(`takes nothing ${what}, and keeps nothing of it`, async () => {
      const { directory, stored } = await sentTo({}, sent);
      await assert.rejects(stored, { name: 'TransferRefused', reason });
      const left = await readdir(directory, { recursive: true, withFileTypes: true });
      assert.deepEqual(
        left.filter((one) => one.isFile()),
        [],
      );
    });

  it('reads no further than the size it awaits', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1_000;
        yield Buffer.alloc(1_000);
        await Promise.resolve();
      }
    }
    const { stored } = await sentTo({}, { size: undefined, bytes: endless() });
    await assert.rejects(stored, { reason: 'SIZE' });
    assert.equal(given, 1_000);
  });

  it('is good for one place, until it ends, and only as it was signed', async () => {
    const tampered: [string, (link: string) => string, number?][] = [
      ['SIGNATURE', (link) => link.replace('/d1/', '/d2/')],
      ['SIGNATURE', (link) => link.replace('/demo/', '/other/')],
      ['SIGNATURE', (link) => link.replace('size=8', 'size=9')],
      ['SIGNATURE', (link) => link.replace('12%3A05', '12%3A55')],
      ['SIGNATURE', (link) => link.replace(/&signature=.*/, '')],
      ['EXPIRED', (link) => link, Date.parse(awaited.expiresAt)],
    ];
    for (const [reason, altered, now] of tampered) {
      const { stored } = await sentTo({}, {}, altered, now);
      await assert.rejects(stored, { name: 'LinkRejected', reason });
    }
  });

  it('stores nothing with a link to read, and reads nothing with one to store', async () => {
    const documents = inDirectory(await place());
    const { url } = await documents.upload(named, awaited);
    assert.throws(() => documents.verifyLink(url), { reason: 'SIGNATURE' });
    const sent = { mediaType: 'application/pdf', size: 8, bytes: inPieces(content) };
    await assert.rejects(documents.receive(await documents.link(named, file), sent), { reason: 'SIGNATURE' });
  });

  it('and what it stored are destroyed for one owner and stay for every other', async () => {
    const directory = await place();
    const documents = inDirectory(directory);
    const another = { ...owner, ownerId: 'd2' };
    for (const one of [owner, another]) await documents.put(one, content, 'application/pdf');
    await documents.destroy(owner);
    await documents.destroy(owner); // and once more
    assert.equal(await documents.read(named), undefined);
    assert.equal(await documents.checksum(named), undefined);
    assert.deepEqual(Buffer.from((await documents.read({ ...another, sha256 }))!), content);
    assert.deepEqual(await readdir(join(directory, 'demo/c1')), ['d2']);
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
    return { seen, documents: s3Documents({ client, bucket: 'b', prefix: 'documents/', now: () => noon }) };
  }
  const says =
    (status: number, body: string | Buffer = '') =>
    (_: Asked, response: http.ServerResponse) =>
      void response.writeHead(status).end(body);
  const fault = (code: string) => `<Error><Code>${code}</Code></Error>`;

  it('are created under their hash, if absent, and checked on the way', async () => {
    const { documents, seen } = await bucketThat(says(200));
    assert.deepEqual(await documents.put(owner, content, 'application/pdf'), { sha256, size: 8 });
    assert.match(seen[0]?.url ?? '', new RegExp(`^/b/documents/demo/c1/d1/${sha256}`));
    assert.equal(seen[0]?.headers['if-none-match'], '*');
    assert.equal(seen[0]?.headers['x-amz-checksum-sha256'], Buffer.from(sha256, 'hex').toString('base64'));
  });

  it('are the same if they are there already', async () => {
    const { documents } = await bucketThat(says(412, fault('PreconditionFailed')));
    assert.deepEqual(await documents.put(owner, content, 'application/pdf'), { sha256, size: 8 });
  });

  it('wait for another writer, and report a failure', async () => {
    const busy = await bucketThat(says(409, fault('ConditionalRequestConflict')));
    await assert.rejects(busy.documents.put(owner, content, 'application/pdf'), { name: 'Busy', reason: 'CONTENTION' });
    const broken = await bucketThat(says(403, fault('AccessDenied')));
    await assert.rejects(broken.documents.put(owner, content, 'application/pdf'), { name: 'AccessDenied' });
  });

  it('are read whole, absent, or not at all', async () => {
    const there = await bucketThat(says(200, content));
    assert.deepEqual(Buffer.from((await there.documents.read(named))!), content);
    const absent = await bucketThat(says(404, fault('NoSuchKey')));
    assert.equal(await absent.documents.read(named), undefined);
    const damaged = await bucketThat(says(200, 'a forgery'));
    await assert.rejects(damaged.documents.read(named), /damaged/);
    assert.equal(await damaged.documents.read({ ...owner, sha256: '../x' }), undefined);
    const forbidden = await bucketThat(says(403, fault('AccessDenied')));
    await assert.rejects(forbidden.documents.read(named), { name: 'AccessDenied' });
  });

  it('are linked under their name, for as long as asked', async () => {
    const { documents } = await bucketThat(says(200));
    const link = new URL(await documents.link(named, file));
    assert.equal(link.pathname, `/b/documents/demo/c1/d1/${sha256}`);
    assert.equal(link.searchParams.get('X-Amz-Expires'), '300');
    assert.equal(
      link.searchParams.get('response-content-disposition'),
      "attachment; filename*=UTF-8''Bescheid%20%2217%22%20%C3%BC.pdf",
    );
    await assert.rejects(documents.link(named, { ...file, expiresAt: '2027-01-01T00:00:00.000Z' }), RangeError);
  });

  it('are taken from outside with the size, the type and the hash that were signed', async () => {
    const { documents } = await bucketThat(says(200));
    const { method, url, headers } = await documents.upload(named, awaited);
    assert.equal(method, 'PUT');
    const { searchParams, pathname } = new URL(url);
    assert.equal(pathname, `/b/documents/demo/c1/d1/${sha256}`);
    assert.equal(searchParams.get('X-Amz-Expires'), '300');
    assert.equal(searchParams.get('X-Amz-SignedHeaders'), 'content-length;content-type;host;x-amz-checksum-sha256');
    assert.deepEqual(headers, [
      { name: 'content-type', value: 'application/pdf' },
      { name: 'x-amz-checksum-sha256', value: Buffer.from(sha256, 'hex').toString('base64') },
    ]);
    // Another size, type or hash is another signature, which the bucket refuses.
    const signatureOf = async (change: object) =>
      new URL((await documents.upload({ ...named, ...change }, { ...awaited, ...change })).url).searchParams.get(
        'X-Amz-Signature',
      );
    const others = [{}, { size: 9 }, { mediaType: 'text/plain' }, { sha256: '0'.repeat(64) }, { ownerId: 'd2' }];
    assert.equal(new Set(await Promise.all(others.map(signatureOf))).size, others.length);
  });

  it('are measured by the bucket', async () => {
    const checksum = Buffer.from(sha256, 'hex').toString('base64');
    const there = await bucketThat((_, response) => {
      response.writeHead(200, {
        'content-type': 'text/plain',
        'content-length': 8,
        'x-amz-checksum-sha256': checksum,
      });
      response.end();
    });
    assert.deepEqual(await there.documents.checksum(named), { sha256, size: 8, mediaType: 'text/plain' });
    assert.equal(there.seen[0]?.headers['x-amz-checksum-mode'], 'ENABLED');
    const absent = await bucketThat(says(404));
    assert.equal(await absent.documents.checksum(named), undefined);
    const forbidden = await bucketThat(says(403));
    await assert.rejects(forbidden.documents.checksum(named));
  });

  it('are destroyed with every version and what hides them', async () => {
    const key = `documents/demo/c1/d1/${sha256}`;
    const version = (of: string, id: string) => `<${of}><Key>${key}</Key><VersionId>${id}</VersionId></${of}>`;
    let listed = 0;
    const { documents, seen } = await bucketThat(({ method }, response) => {
      const more = ++listed === 1;
      const versions = more ? version('Version', 'v1') + version('DeleteMarker', 'v2') : version('Version', 'v3');
      const page = `<ListVersionsResult><IsTruncated>${more}</IsTruncated>${versions}</ListVersionsResult>`;
      if (method === 'GET') response.writeHead(200).end(page);
      else response.writeHead(204).end();
      if (method !== 'GET') listed = 1;
    });
    await documents.destroy(owner);
    const deleted = seen.filter(({ method }) => method === 'DELETE').map(({ url }) => url!);
    assert.deepEqual(
      deleted.map((url) => new URL(url, 'http://s3').searchParams.get('versionId')),
      ['v1', 'v2', 'v3'],
    );
    for (const url of deleted) assert.ok(url.startsWith(`/b/${key}?`));
  });
});
