import type { Change } from '../change.ts';
import type { Given } from '../command.ts';
import type { CaseId, OfficerId } from '../ids.ts';
import type { Notification } from '../notification.ts';
import { plannedEffect } from '../plannedEffect.ts';
import type { WorkRequest } from '../transition.ts';

/**
 * The mails of one act on a case: a ledger row and a work request each, told apart by event, recipient and template, so
 * that there is one however often anything is repeated. Nobody is written to about their own act. The address is no part
 * of it: it is read when the mail is sent.
 */
export function notifies(
  caseId: CaseId,
  notifications: readonly Notification[],
  given: Given,
): { requests: WorkRequest[]; changes: Change[] } {
  const actor = given.onBehalfOf ?? given.actor.id;
  const mails = notifications
    .filter((one): one is Notification & { recipientId: OfficerId } => (one.recipientId ?? actor) !== actor)
    .map((mail) => ({
      ...mail,
      effectId: given.effectId(caseId, kind, given.eventId, mail.recipientId, mail.template),
    }));
  return {
    requests: mails.map(({ effectId }) => ({ type: 'notification', payload: { caseId, effectId, round: 0 } })),
    changes: mails.map((mail) => plannedEffect({ ...mail, kind, status: 'PLANNED', caseId }, given)),
  };
}

const kind = 'NOTIFICATION';
