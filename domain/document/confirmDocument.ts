import { caseTransition } from '../case/caseCommand.ts';
import { create } from '../change.ts';
import { preconditionFailed, type Refused } from '../refusal.ts';
import type { StoredContent } from '../ports.ts';
import { ref } from '../refs.ts';
import type { CaseDocument } from './document.ts';
import { amendDocument, defineDocumentCommand, type OnDocument } from './documentCommand.ts';
import { notTheNewest } from './requestDocumentUpload.ts';

export type ConfirmDocument = OnDocument<'confirmDocument'> & {
  /**
   * What the store of documents says lies there; nothing where nothing does. Not said by the caller, hence no part of what
   * the key stands for.
   */
  measured?: StoredContent;
};

/** The bytes are there, and are what was announced: from now on the document is, and what it follows is superseded. */
export const confirmDocument = defineDocumentCommand({
  type: 'confirmDocument',
  invariant: [
    "A document is available only after the store's own measure equals what was announced: size, type and hash.",
    'Of a chain of versions one is the newest; no number is given twice.',
    'The case waits for one document less, exactly once.',
  ],
  then: ({ caseId, previousId }: CaseDocument) => ({
    ...(previousId && { previous: ref.document(caseId, previousId) }),
  }),
  decide: (current, document, { previous }, command: ConfirmDocument, given) => {
    const { id, caseId, chainId, versionNumber, previousId, category } = document;
    const no = notAsAnnounced(document, command.measured);
    if (no) return no;
    if (previousId && previous?.status !== 'AVAILABLE') return notTheNewest();

    const available: CaseDocument = {
      ...document,
      status: 'AVAILABLE',
      confirmedAt: given.at,
      confirmedBy: given.actor.id,
    };
    const pendingDocuments = current.pendingDocuments - 1;
    return caseTransition(current, { ...current, pendingDocuments }, command, given, {
      moves: 'child',
      announces: 'DocumentConfirmed',
      changed: ['documents'],
      details: { documentId: id, versionNumber, ...(previousId && { supersedes: previousId }) },
      payload: { documentId: id, category, documentStatus: 'AVAILABLE' },
      changes: [
        amendDocument(document, available),
        create(ref.documentVersion(caseId, chainId, versionNumber), { chainId, versionNumber, documentId: id }),
        ...(previous ? [amendDocument(previous, { ...previous, status: 'SUPERSEDED', supersededById: id })] : []),
      ],
    });
  },
});

function notAsAnnounced(document: CaseDocument, measured: StoredContent | undefined): Refused | undefined {
  if (!measured) return preconditionFailed('NOT_UPLOADED', 'nothing has been uploaded yet');
  if (measured.size !== document.size)
    return preconditionFailed('SIZE_DIFFERS', `${measured.size} bytes were uploaded, ${document.size} announced`);
  if (measured.mediaType !== document.mediaType)
    return preconditionFailed('TYPE_DIFFERS', `what was uploaded is no ${document.mediaType}`);
  return measured.sha256 === document.sha256
    ? undefined
    : preconditionFailed('HASH_DIFFERS', 'what was uploaded has another hash');
}
