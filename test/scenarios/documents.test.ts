import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../../local/demo/client.ts';
import { aFile, announce, announced, confirmed, hashOf, put, uploaded } from './files.ts';
import { investigated, newKey, openOffice, send, sent, type Office } from './office.ts';
import { startTarget, type Target } from './target.ts';

let target: Target;
let office: Office;
let caseId: string;
beforeAll(async () => {
  target = await startTarget();
  office = await openOffice(target);
  ({ caseId } = await investigated(office));
}, 60_000);
afterAll(() => target?.stop());

type Shown = { id: string; status: string; versionNumber: number };
async function shown(ask: Ask, documentId: string): Promise<Shown | null> {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Document { id status versionNumber } } }';
  return (await ask(query, { id: documentId }))['node'] as Shown | null;
}
type Page = { counts: { pendingDocuments: number }; documents: { edges: { node: Shown }[] } };
async function listed(ask: Ask, filter: object = {}, of = caseId) {
  const query = `query ($id: ID!, $status: DocumentStatus, $category: DocumentCategory) { case(id: $id) {
    counts { pendingDocuments }
    documents(status: $status, category: $category, first: 100) { edges { node { id status versionNumber } } } } }`;
  const found = (await ask(query, { id: of, ...filter }))['case'] as Page;
  return { pending: found.counts.pendingDocuments, ids: found.documents.edges.map(({ node }) => node.id) };
}
const downloadOf = async (ask: Ask, documentId: string, key = newKey()) =>
  send(ask, 'issueDocumentDownload', { documentId, idempotencyKey: key });

describe('a document', () => {
  it('is announced, sent, confirmed and given out, byte for byte', async () => {
    const { documentId, expectedVersion, transfer, bytes } = await announced(office.ana, caseId);
    expect(await listed(office.ana, { status: 'PENDING' })).toEqual({ pending: 1, ids: [documentId] });
    expect((await put(transfer, bytes)).status).toBe(200);
    const { document } = await sent(office.ana, 'confirmDocument', { documentId, expectedVersion });
    expect(document!.status).toBe('AVAILABLE');
    expect(await listed(office.ana, { status: 'PENDING' })).toEqual({ pending: 0, ids: [] });
    expect((await listed(office.ana, { category: 'EVIDENCE' })).ids).toContain(documentId);
    expect((await listed(office.ana, { category: 'LEGAL' })).ids).toEqual([]);

    const { download } = await downloadOf(office.ida, documentId);
    const file = await fetch(download!.url);
    expect(hashOf(Buffer.from(await file.arrayBuffer()))).toBe(hashOf(bytes));
    expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''visit.pdf");
    expect(Date.parse(download!.expiresAt) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
  });

  it('is taken in at the transfer only as it was announced', async () => {
    const { documentId, expectedVersion, transfer, bytes } = await announced(office.ana, caseId);
    const altered = Buffer.from(bytes);
    altered[50]! ^= 1;
    const refused = [
      put(transfer, altered),
      put(transfer, bytes.subarray(1)),
      put(transfer, Buffer.concat([bytes, Buffer.alloc(1)])),
      put(transfer, bytes, { 'content-type': 'text/html' }),
    ];
    for (const answer of await Promise.all(refused)) expect(answer.status).toBeGreaterThanOrEqual(400);
    const { errors } = await send(office.ana, 'confirmDocument', { documentId, expectedVersion });
    expect(errors[0]).toMatchObject({ code: 'PRECONDITION_FAILED', name: 'NOT_UPLOADED' });
  });

  it('is not sent by a link that was altered, nor by that of another document', async () => {
    const first = await announced(office.ana, caseId);
    const second = await announced(office.ana, caseId, first.bytes);
    const { transfer, bytes } = first;
    const elsewhere = new URL(second.transfer.url).pathname;
    const urls = [
      transfer.url.replace(new URL(transfer.url).pathname, elsewhere),
      transfer.url.replace(/expiresAt=[^&]*/, 'expiresAt=2099-01-01T00%3A00%3A00.000Z'),
      transfer.url.replace(/signature=./, (text) => (text.endsWith('0') ? 'signature=1' : 'signature=0')),
    ];
    if (!target.local) urls.splice(1); // the words of a bucket's links are its own
    for (const url of urls) expect((await put({ ...transfer, url }, bytes)).status).toBe(403);
    expect((await put(transfer, bytes)).status).toBe(200);
    const confirm = (of: typeof first) =>
      send(office.ana, 'confirmDocument', { documentId: of.documentId, expectedVersion: of.expectedVersion });
    expect((await confirm(first)).errors).toEqual([]);
    expect((await confirm(second)).errors[0]!.name, 'the same bytes are not the same document').toBe('NOT_UPLOADED');
  });

  it('is confirmed once, however many confirm it', async () => {
    const which = await uploaded(office.ana, caseId);
    const before = (await listed(office.ana)).pending;
    const answers = await Promise.all(
      [office.ana, office.sue, office.ana, office.sue].map((ask) => send(ask, 'confirmDocument', which)),
    );
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    expect((await listed(office.ana)).pending).toBe(before - 1);
  });

  it('is announced once for a key, with a fresh transfer while it is awaited', async () => {
    const bytes = aFile();
    const input = { idempotencyKey: newKey(), ...announce(caseId, bytes) };
    const first = await sent(office.ana, 'requestDocumentUpload', input);
    const again = await sent(office.ana, 'requestDocumentUpload', input);
    expect([again.replayed, again.document!.id]).toEqual([true, first.document!.id]);
    expect((await put(again.transfer!, bytes)).status).toBe(200);
    const which = { documentId: first.document!.id, expectedVersion: 1 };
    await sent(office.ana, 'confirmDocument', which);
    const late = await sent(office.ana, 'requestDocumentUpload', input);
    expect([late.replayed, late.transfer]).toEqual([true, null]);
  });

  it('has versions, of which the newest is available and the others are superseded', async () => {
    const first = await confirmed(office.ana, caseId);
    const rivals = await Promise.all(
      [1, 2].map(() => uploaded(office.ana, caseId, { previousDocumentId: first.documentId })),
    );
    const second = await sent(office.ana, 'confirmDocument', rivals[0]!);
    const { errors } = await send(office.ana, 'confirmDocument', rivals[1]!);
    expect(errors[0]!.name).toBe('NOT_THE_NEWEST');
    await sent(office.ana, 'deleteDraftDocument', rivals[1]!);
    expect(await shown(office.ana, first.documentId)).toMatchObject({ status: 'SUPERSEDED' });

    const query = `query ($id: ID!) { node(id: $id) { ... on Document { previous { id } supersededBy { id }
      versions { edges { node { id versionNumber } } } } } }`;
    const { node } = await office.ana(query, { id: second.document!.id });
    expect(node).toEqual({
      previous: { id: first.documentId },
      supersededBy: null,
      versions: {
        edges: [
          { node: { id: first.documentId, versionNumber: 1 } },
          { node: { id: second.document!.id, versionNumber: 2 } },
        ],
      },
    });
  });

  it('that is quarantined is given to nobody, also not by the key that was given it before', async () => {
    const { documentId, expectedVersion } = await confirmed(office.ana, caseId);
    const key = newKey();
    expect((await downloadOf(office.ida, documentId, key)).download).not.toBeNull();
    await sent(office.ana, 'quarantineDocument', { documentId, expectedVersion, reason: 'Macros.' });
    expect((await downloadOf(office.ida, documentId)).errors[0]!.code).toBe('ILLEGAL_TRANSITION');
    const replay = await downloadOf(office.ida, documentId, key);
    expect([replay.replayed, replay.download]).toEqual([true, null]);
    await sent(office.sue, 'releaseDocument', { documentId, expectedVersion: 3, reason: 'Harmless.' });
    expect((await downloadOf(office.ida, documentId)).download).not.toBeNull();
  });

  it('that was never confirmed is deleted, and its transfer with it is worth nothing more', async () => {
    const { documentId, expectedVersion } = await uploaded(office.ana, caseId);
    const { document, errors } = await send(office.ana, 'deleteDraftDocument', { documentId, expectedVersion });
    expect([document, errors]).toEqual([null, []]);
    expect(await shown(office.ana, documentId)).toBeNull();
    const { errors: gone } = await send(office.ana, 'confirmDocument', { documentId, expectedVersion });
    expect(gone[0]!.code).toBe('NOT_FOUND');
  });
});

describe('a restricted document', () => {
  it('of an open case is absent on every path for who would not see such a case', async () => {
    const { documentId, expectedVersion } = await confirmed(office.ana, caseId, { classification: 'RESTRICTED' });
    expect(await shown(office.ana, documentId)).not.toBeNull();
    expect((await listed(office.sue)).ids).toContain(documentId);
    // Ida has no part in the case, which she sees.
    expect(await shown(office.ida, documentId)).toBeNull();
    expect((await listed(office.ida)).ids).not.toContain(documentId);
    expect((await downloadOf(office.ida, documentId)).errors[0]!.code).toBe('NOT_FOUND');
    const { errors } = await send(office.ida, 'quarantineDocument', {
      documentId,
      expectedVersion,
      reason: 'Why not.',
    });
    expect(errors[0]!.code).toBe('NOT_PERMITTED');
  });

  it('or one of a restricted case, or of another tenant, gives nobody a link who has no business with it', async () => {
    const { case: hidden } = await sent(office.sue, 'openCase', {
      ...{ caseType: 'COMPLAINT', title: 'Hidden', summary: 'Hidden.', region: 'JKT', classification: 'RESTRICTED' },
    });
    const { documentId } = await confirmed(office.sue, hidden!.id);
    expect((await downloadOf(office.ida, documentId)).errors[0]!.code).toBe('NOT_FOUND');
    const stranger = target.ask(await target.token(target.otherTenant, 'sue', 'SUPERVISOR'));
    const { errors, download, document } = await downloadOf(stranger, documentId);
    expect([errors[0]!.code, download, document]).toEqual(['NOT_FOUND', null, null]);
  });
});
