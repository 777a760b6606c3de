import type { Change } from '../change.ts';
import type { Given } from '../command.ts';
import type { OfficerId } from '../ids.ts';
import type { Case } from './case.ts';
import type { Notification } from '../notification.ts';
import { plannedEffect } from '../plannedEffect.ts';
import type { WorkRequest } from '../transition.ts';

/**
 * The mails of one act on a case: a ledger row and a work request each, told apart by the event's place in
 * the audit, recipient and template, so that there is one however often anything is repeated, and another for another act. Nobody is written to about their own act. The address is no part
 * of it: it is read when the mail is sent.
 */
export function notifies(
  { id: caseId, auditSeq }: Pick<Case, 'id' | 'auditSeq'>,
  notifications: readonly Notification[],
  given: Given,
): { requests: WorkRequest[]; changes: Change[] } {
  const actor = given.onBehalfOf ?? given.actor.id;
  const mails = notifications
    .filter((one): one is Notification & { recipientId: OfficerId } => (one.recipientId ?? actor) !== actor)
    .map((mail) => ({
      ...mail,
      effectId: given.effectId(caseId, kind, auditSeq + 1, mail.recipientId, mail.template),
    }));
  return {
    requests: mails.map(({ effectId }) => ({ type: 'notification', payload: { caseId, effectId, round: 0 } })),
    changes: mails.map((mail) => plannedEffect({ ...mail, kind, status: 'PLANNED', caseId }, given)),
  };
}

const kind = 'NOTIFICATION';
