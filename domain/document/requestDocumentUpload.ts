import type { Case, Classification } from '../case/case.ts';
import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from '../case/caseCommand.ts';
import { check, create } from '../change.ts';
import type { Given } from '../command.ts';
import { equals } from '../condition.ts';
import type { DocumentId } from '../ids.ts';
import { invalid, preconditionFailed, referenceInvalid, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { firstOf, line, matching } from '../text.ts';
import { largestDocument, mediaTypes, pendingUploads, type CaseDocument, type DocumentCategory } from './document.ts';
import { seesDocument } from './documentCommand.ts';

export type RequestDocumentUpload = OnAnyVersion<'requestDocumentUpload'> & {
  name: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  /** Of the bytes, in lower-case hex. */
  sha256: string;
  category: DocumentCategory;
  classification: Classification;
  /** Of which the new one is the next version. */
  previousDocumentId?: DocumentId;
};

/** A document is announced, exactly as it will be: the case waits for its bytes. */
export const requestDocumentUpload = defineCaseCommand({
  type: 'requestDocumentUpload',
  invariant: [
    'Of what type, how large and with which hash a document is stands fixed before its first byte comes.',
    `A case waits for at most ${pendingUploads} documents at a time, and counts them.`,
    'A new version follows one that was the newest when it was asked for.',
  ],
  stale: anyVersion,
  reads: ({ caseId, previousDocumentId }: RequestDocumentUpload, given) => ({
    document: ref.document(caseId, given.id<DocumentId>('document')),
    ...(previousDocumentId && { previous: ref.document(caseId, previousDocumentId) }),
  }),
  decide: (current, found, command, given) => {
    const { previous } = found;
    const no = badInput(command) ?? badPrevious(current, found, previous, command, given);
    if (no) return no;
    const count = current.pendingDocuments;
    if (count >= pendingUploads)
      return refused('LIMIT_REACHED', `the case waits for ${count} documents`, { limit: pendingUploads, count });

    const document = announced(command, previous, given);
    const { id: documentId, name, mediaType, size, sha256, category, classification, versionNumber } = document;
    return caseTransition(current, { ...current, pendingDocuments: count + 1 }, command, given, {
      moves: 'child',
      announces: 'DocumentUploadRequested',
      changed: ['documents'],
      details: { documentId, name, mediaType, size, sha256, category, classification, versionNumber },
      payload: { documentId, category, documentStatus: 'PENDING' },
      changes: [
        create(ref.document(current.id, documentId), document),
        ...(previous ? [check(ref.document(current.id, previous.id), equals('version', previous.version))] : []),
      ],
      created: { document: documentId },
    });
  },
});

function announced(command: RequestDocumentUpload, previous: CaseDocument | undefined, given: Given): CaseDocument {
  const { caseId, name, mediaType, size, sha256, category, classification } = command;
  const id = given.id<DocumentId>('document');
  return {
    ...{ id, caseId, name, mediaType, size, sha256, category, classification },
    status: 'PENDING',
    chainId: previous?.chainId ?? id,
    versionNumber: (previous?.versionNumber ?? 0) + 1,
    ...(previous && { previousId: previous.id }),
    requestedAt: given.at,
    requestedBy: given.actor.id,
    version: 1,
    touched: {},
    createdBy: { commandId: given.commandId, requestHash: given.requestHash },
  };
}

function badPrevious(
  current: Case,
  found: object,
  previous: CaseDocument | undefined,
  { previousDocumentId }: RequestDocumentUpload,
  given: Given,
): Refused | undefined {
  if (previousDocumentId === undefined) return undefined;
  if (!previous || !seesDocument(current, found, previous, given))
    return referenceInvalid('previousDocumentId', 'no such document');
  return previous.status === 'AVAILABLE' ? undefined : notTheNewest();
}

/** Only what is there and has not been followed can be followed. */
export const notTheNewest = (): Refused =>
  preconditionFailed('NOT_THE_NEWEST', 'the earlier version is not available, or was followed already');

const badInput = ({ name, mediaType, size, sha256 }: RequestDocumentUpload): Refused | undefined =>
  firstOf(
    line(name, 'name'),
    matching(name, /^[^/\\]*$/, 'FILE_NAME', 'name'),
    mediaTypes.includes(mediaType) ? undefined : invalid('MEDIA_TYPE', ['mediaType'], 'is not taken in'),
    Number.isSafeInteger(size) && size >= 1 && size <= largestDocument
      ? undefined
      : invalid('RANGE', ['size'], `must be between 1 and ${largestDocument}`),
    matching(sha256, /^[0-9a-f]{64}$/, 'SHA256', 'sha256'),
  );
