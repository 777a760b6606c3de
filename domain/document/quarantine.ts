import { caseTransition } from '../case/caseCommand.ts';
import { reasonText } from '../text.ts';
import type { CaseDocument } from './document.ts';
import { amendDocument, defineDocumentCommand, type OnDocument } from './documentCommand.ts';

export type QuarantineDocument = OnDocument<'quarantineDocument'> & { reason: string };
export type ReleaseDocument = OnDocument<'releaseDocument'> & { reason: string };

/** Nobody gets the document any more: it may do harm, or should not be there. */
export const quarantineDocument = defineDocumentCommand({
  type: 'quarantineDocument',
  invariant: ['What is quarantined is given out to nobody, and whoever did it said why.'],
  decide: (current, document, _found, command: QuarantineDocument, given) => {
    const { reason } = command;
    const no = reasonText(reason, 'reason');
    if (no) return no;
    const { id, category, status } = document;
    const quarantine = { reason, by: given.actor.id, at: given.at, was: status as 'AVAILABLE' | 'SUPERSEDED' };
    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'DocumentQuarantined',
      changed: ['documents'],
      details: { documentId: id, was: status, reason },
      payload: { documentId: id, category, documentStatus: 'QUARANTINED' },
      changes: [amendDocument(document, { ...document, status: 'QUARANTINED', quarantine })],
    });
  },
});

/** A supervisor has looked, and the document is again what it was. */
export const releaseDocument = defineDocumentCommand({
  type: 'releaseDocument',
  invariant: ['A released document is again what it was before, with a reason.'],
  decide: (current, document, _found, command: ReleaseDocument, given) => {
    const { reason } = command;
    const no = reasonText(reason, 'reason');
    if (no) return no;
    const { quarantine, ...facts } = document;
    const status = quarantine!.was;
    const released: CaseDocument = { ...facts, status };
    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'DocumentReleased',
      changed: ['documents'],
      details: { documentId: document.id, status, reason, wasQuarantinedFor: quarantine!.reason },
      payload: { documentId: document.id, category: document.category, documentStatus: status },
      changes: [amendDocument(document, released)],
    });
  },
});
