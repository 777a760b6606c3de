import { caseTransition } from '../case/caseCommand.ts';
import { check, remove } from '../change.ts';
import { all, equals } from '../condition.ts';
import { ref } from '../refs.ts';
import { uploadWithinMs } from './document.ts';
import { defineDocumentCommand, type OnDocument } from './documentCommand.ts';

export type DeleteDraftDocument = OnDocument<'deleteDraftDocument'>;

/** What was announced and never confirmed is not a record yet: it goes, and what was uploaded of it goes, too. */
export const deleteDraftDocument = defineDocumentCommand({
  type: 'deleteDraftDocument',
  invariant: [
    'Only what was never confirmed is deleted, and nothing while a hold is on the case.',
    'The bytes go after the last link that could store them has ended.',
  ],
  decide: (current, document, _found, command: DeleteDraftDocument, given) => {
    const { id: documentId, caseId, name, category, version } = document;
    const pendingDocuments = current.pendingDocuments - 1;
    return caseTransition(current, { ...current, pendingDocuments }, command, given, {
      moves: 'child',
      announces: 'DraftDocumentDeleted',
      changed: ['documents'],
      details: { documentId, name },
      payload: { documentId, category },
      changes: [
        remove(ref.document(caseId, documentId), all(equals('status', 'PENDING'), equals('version', version))),
        check(ref.case(caseId), equals('activeHolds', 0)),
      ],
      requests: [
        { type: 'destroyContent', payload: { caseId, ownerId: documentId }, afterMs: uploadWithinMs + toBeSureMs },
      ],
    });
  },
});

/** Clocks differ, and a request that began in time may end later. */
const toBeSureMs = 5 * 60_000;
