import { caseTransition } from '../case/caseCommand.ts';
import { check } from '../change.ts';
import { equals } from '../condition.ts';
import { ref } from '../refs.ts';
import { defineDocumentCommand, type OnDocument } from './documentCommand.ts';

export type IssueDocumentDownload = OnDocument<'issueDocumentDownload'>;

/** Somebody is given a document: it is on record who, before there is a link. */
export const issueDocumentDownload = defineDocumentCommand({
  type: 'issueDocumentDownload',
  invariant: [
    'No document is given out without an event that says to whom.',
    'Nothing is given out that is awaited, quarantined or destroyed, nor to somebody who may not see it.',
  ],
  anyVersion: true,
  decide: (current, document, _found, command: IssueDocumentDownload, given) => {
    const { id: documentId, caseId, category, status, versionNumber } = document;
    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'DocumentDownloadIssued',
      changed: [],
      details: { documentId, versionNumber },
      payload: { documentId, category, documentStatus: status },
      changes: [check(ref.document(caseId, documentId), equals('version', document.version))],
    });
  },
});
