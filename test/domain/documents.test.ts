import { describe, expect, it } from 'vitest';
import { ref } from '../../domain/refs.ts';
import { uploadWithinMs } from '../../domain/document/document.ts';
import { ana, c1, cai, closed, d1, dan, document, draftDocument, now, sue, workflow } from './builders.ts';
import { answerTo, but, itemIn } from './ask.ts';
import { d2, documentScenes, measured, quarantined } from './documentScenes.ts';
import { scenes } from './scenes.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const itIs = (change: object | undefined, id = d1) =>
  ({ items: [[ref.document(c1, id), change && document(change)]] }) as const;

describe('requestDocumentUpload', () => {
  const scene = scenes.requestDocumentUpload;
  const first = but(scene, { command: { previousDocumentId: undefined } });

  it('announces a document as it will be, and the case waits for it', () => {
    const { created } = transitionOf(scene);
    expect(after(scene, ref.case(c1))).toMatchObject({ pendingDocuments: 1, version: 5, contentVersion: 4 });
    expect(after(scene, ref.document(c1, created['document'] as typeof d1))).toMatchObject({
      ...{ status: 'PENDING', previousId: d1, chainId: d1, versionNumber: 2, sha256: 'e'.repeat(64), size: 1_000 },
    });
  });

  it('begins a chain where it follows nothing', () => {
    const { created } = transitionOf(first);
    const id = created['document'] as typeof d1;
    expect(after(first, ref.document(c1, id))).toMatchObject({ chainId: id, versionNumber: 1 });
  });

  it('tells nobody what it is called or what is in it', () => {
    expect(transitionOf(scene).payload).toEqual({
      caseId: c1,
      documentId: expect.any(String) as unknown,
      category: 'EVIDENCE',
      documentStatus: 'PENDING',
    });
  });

  const says = (command: object) => ({ command });
  refuses(scene, [
    ['NOT_PERMITTED', 'to somebody without a part in the case', { actor: dan }],
    ['ILLEGAL_TRANSITION', 'once the case is closed', { items: [[ref.case(c1), closed()]] }],
    ['VALIDATION_FAILED(MEDIA_TYPE)', 'of a type that a browser would run', says({ mediaType: 'text/html' })],
    ['VALIDATION_FAILED(FILE_NAME)', 'with a path for a name', says({ name: '../scales.pdf' })],
    ['VALIDATION_FAILED(RANGE)', 'of no bytes', says({ size: 0 })],
    ['VALIDATION_FAILED(RANGE)', 'of a byte too many', says({ size: 100 * 1024 * 1024 + 1 })],
    ['VALIDATION_FAILED(SHA256)', 'with something else for a hash', says({ sha256: 'E'.repeat(64) })],
    ['REFERENCE_INVALID(previousDocumentId)', 'after a document that is not there', itIs(undefined)],
    ['PRECONDITION_FAILED(NOT_THE_NEWEST)', 'after one that was followed already', itIs({ status: 'SUPERSEDED' })],
    ['PRECONDITION_FAILED(NOT_THE_NEWEST)', 'after one that is itself awaited', itIs({ status: 'PENDING' })],
    ['LIMIT_REACHED', 'while twenty are awaited', { case: { pendingDocuments: 20 } }],
  ]);
});

describe('confirmDocument', () => {
  const scene = documentScenes.confirmDocument;

  it('makes what was measured available, and supersedes the version before', () => {
    expect(after(scene, ref.document(c1, d2))).toMatchObject({
      ...{ status: 'AVAILABLE', confirmedAt: now, confirmedBy: ana.id, version: 2 },
    });
    expect(after(scene, ref.document(c1, d1))).toMatchObject({ status: 'SUPERSEDED', supersededById: d2, version: 3 });
    expect(after(scene, ref.documentVersion(c1, d1, 2))).toMatchObject({ documentId: d2 });
    expect(after(scene, ref.case(c1))).toMatchObject({ pendingDocuments: 0 });
  });

  it('is one transition, however often it is asked for', () => {
    const items = commit(transitionOf(scene), scene.items);
    expect(broken(transitionOf(scene), items).sort()).toEqual(['document', 'document', 'documentVersion']);
    expect(answerTo({ ...scene, items })).toBe('VERSION_CONFLICT');
    expect(answerTo(but({ ...scene, items }, { command: { expectedVersion: 2 } }))).toBe('ILLEGAL_TRANSITION');
  });

  const says = (change: object | undefined) => ({ command: { measured: change && { ...measured, ...change } } });
  refuses(scene, [
    ['PRECONDITION_FAILED(NOT_UPLOADED)', 'while nothing has come', says(undefined)],
    ['PRECONDITION_FAILED(SIZE_DIFFERS)', 'where a byte is missing', says({ size: 999 })],
    ['PRECONDITION_FAILED(TYPE_DIFFERS)', 'where something else came', says({ mediaType: 'image/png' })],
    ['PRECONDITION_FAILED(HASH_DIFFERS)', 'where it was altered', says({ sha256: '0'.repeat(64) })],
    ['PRECONDITION_FAILED(HASH_DIFFERS)', 'where the store does not know its hash', says({ sha256: '' })],
    ['PRECONDITION_FAILED(NOT_THE_NEWEST)', 'once another has followed', itIs({ status: 'SUPERSEDED' })],
    ['PRECONDITION_FAILED(NOT_THE_NEWEST)', 'while the version before is quarantined', itIs(quarantined)],
    ['NOT_PERMITTED', 'to somebody without a part in the case', { actor: dan }],
    ['NOT_FOUND', 'where there is no such document', { command: { documentId: 'd9' } }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 9 } }],
  ]);
});

describe('quarantineDocument and releaseDocument', () => {
  it('keep a document from everybody, and give it back as what it was', () => {
    for (const status of ['AVAILABLE', 'SUPERSEDED'] as const) {
      const scene = but(documentScenes.quarantineDocument, itIs({ status }));
      const items = commit(transitionOf(scene), scene.items);
      expect(itemIn(items, ref.document(c1, d1))).toMatchObject({ status: 'QUARANTINED' });
      expect(answerTo({ ...documentScenes.issueDocumentDownload, items })).toBe('ILLEGAL_TRANSITION');
      const release = { ...documentScenes.releaseDocument, items };
      expect(after(release, ref.document(c1, d1))).toMatchObject({ status });
      expect(after(release, ref.document(c1, d1))).not.toHaveProperty('quarantine');
    }
  });

  it('are possible after the case is closed', () => {
    for (const scene of [documentScenes.quarantineDocument, documentScenes.releaseDocument])
      expect(answerTo(but(scene, { items: [[ref.case(c1), closed()]] }))).toBe('done');
  });

  refuses(documentScenes.quarantineDocument, [
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
    ['ILLEGAL_TRANSITION', 'of what is awaited', itIs({ status: 'PENDING' })],
    ['NOT_PERMITTED', 'to somebody without a part in the case', { actor: dan }],
  ]);
  refuses(documentScenes.releaseDocument, [
    ['NOT_PERMITTED', 'to anybody but a supervisor', { actor: ana }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: ' ' } }],
  ]);
});

describe('issueDocumentDownload', () => {
  const scene = documentScenes.issueDocumentDownload;

  it('is on record, and changes nothing else', () => {
    const { event, changes } = transitionOf(scene);
    expect(event).toMatchObject({ type: 'issueDocumentDownload', details: { documentId: d1 } });
    expect(changes.every(({ kind }) => kind === 'check')).toBe(true);
  });

  it('gives whoever sees the case its documents, also once it is closed', () => {
    expect(answerTo(but(scene, { actor: dan }))).toBe('done');
    expect(answerTo(but(scene, { actor: dan, items: [[ref.case(c1), closed()]] }))).toBe('done');
  });

  const secret = itIs({ classification: 'RESTRICTED' });
  it('gives a restricted document to those who would see such a case, and to others it is not there', () => {
    for (const actor of [ana, cai, sue]) expect(answerTo(but(scene, { ...secret, actor }))).toBe('done');
    expect(answerTo(but(scene, { ...secret, actor: dan }))).toBe('NOT_FOUND');
    const removed = but(scene, { items: [...secret.items, [ref.investigator(c1, cai.id), undefined]] });
    expect(broken(transitionOf(but(scene, { ...secret, actor: cai })), removed.items)).toEqual(['investigator']);
  });

  it('does not go through once the document is quarantined', () => {
    expect(broken(transitionOf(scene), but(scene, itIs(quarantined)).items)).toEqual(['document']);
  });

  refuses(scene, [
    ['ILLEGAL_TRANSITION', 'while it is awaited', itIs({ status: 'PENDING' })],
    ['ILLEGAL_TRANSITION', 'while it is quarantined', itIs(quarantined)],
    ['ILLEGAL_TRANSITION', 'once it is destroyed', itIs({ status: 'DESTROYED' })],
    ['EXCLUDED', 'to somebody with a conflict of interest', { items: [[ref.exclusion(c1, ana.id), {}]] }],
    ['NOT_PERMITTED', 'to a workflow', { actor: workflow }],
  ]);
});

describe('deleteDraftDocument', () => {
  const scene = documentScenes.deleteDraftDocument;

  it('takes the announcement away, and the bytes after the last link has ended', () => {
    expect(after(scene, ref.document(c1, d1))).toBeUndefined();
    expect(after(scene, ref.case(c1))).toMatchObject({ pendingDocuments: 0 });
    const [request] = transitionOf(scene).requests;
    expect(request).toMatchObject({ type: 'destroyContent', payload: { caseId: c1, ownerId: d1 } });
    expect(request).toHaveProperty('afterMs', expect.any(Number));
    expect((request as { afterMs: number }).afterMs).toBeGreaterThan(uploadWithinMs);
  });

  it('does not go through once a hold is placed, nor once the document is confirmed', () => {
    const held = but(scene, { case: { activeHolds: 1 } });
    expect(broken(transitionOf(scene), held.items)).toEqual(['case']);
    expect(broken(transitionOf(scene), but(scene, itIs({})).items)).toEqual(['document']);
  });

  it('is possible after the case is closed, so that nothing is awaited for ever', () => {
    expect(answerTo(but(scene, { items: [[ref.case(c1), closed({ pendingDocuments: 1 })]] }))).toBe('done');
  });

  refuses(scene, [
    ['HOLD_ACTIVE', 'while a hold is on the case', { case: { activeHolds: 1 } }],
    ['ILLEGAL_TRANSITION', 'once it is available', { ...itIs({}), command: { expectedVersion: 2 } }],
    ['NOT_PERMITTED', 'to somebody without a part in the case', { actor: dan }],
    ['VERSION_CONFLICT', 'on a version that has passed', itIs(draftDocument({ version: 4 }))],
  ]);
});
