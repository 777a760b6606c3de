import { check, remove, type Change } from '../change.ts';
import { caseTransition } from '../case/caseCommand.ts';
import type { ApprovedCase } from '../case/case.ts';
import type { Given } from '../command.ts';
import { equals } from '../condition.ts';
import type { LedgerRow } from '../effect.ts';
import { isRefused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { actionTask } from '../task/arising.ts';
import { ends, work } from '../task/work.ts';
import { noSettings, type Tenant } from '../tenant.ts';
import { reasonText } from '../text.ts';
import type { Notice } from './action.ts';
import { amendAction, amendNotice, defineActionCommand, type OnAction } from './actionCommand.ts';
import { callsOff, isOpen, mailOf } from './ledger.ts';
import { servedByMail } from './recordNotice.ts';

export type WithdrawEnforcementAction = OnAction<'withdrawEnforcementAction'> & { reason: string };

/** The action ends without effect, and another may be started. What was sent stays on record. */
export const withdrawEnforcementAction = defineActionCommand({
  type: 'withdrawEnforcementAction',
  invariant: [
    'What the registry has entered is not withdrawn.',
    'The place of the active action is freed with the action that held it, and only then.',
    'What may be on its way must be known first.',
  ],
  reads: ({ caseId, actionId }: WithdrawEnforcementAction) => ({
    tenant: ref.tenant(),
    enforcementGuard: ref.enforcementGuard(caseId),
    serviceTask: actionTask(caseId, 'SERVICE', actionId),
    registrationTask: actionTask(caseId, 'REGISTRATION', actionId),
  }),
  then: ({ noticeId, submissionEffectId }, _command, given) => ({
    ...(noticeId && { mail: ref.effect('mailer', mailOf(noticeId, given)) }),
    ...(submissionEffectId && { submission: ref.effect('registry', submissionEffectId) }),
  }),
  decide: (current, action, { tenant, notice, mail, submission, ...rows }, command, given) => {
    const { reason } = command;
    const bad = reasonText(reason, 'reason');
    if (bad) return bad;
    if (!tenant) return noSettings();
    const mailChange = notice && callsOff('NOTICE_MAIL', notice.mailEffectId, mail, given);
    if (isRefused(mailChange)) return mailChange;
    const submissionChange =
      action.submissionEffectId && callsOff('REGISTRATION', action.submissionEffectId, submission, given);
    if (isRefused(submissionChange)) return submissionChange;

    const { activeActionId: _, ...facts } = current;
    const openEffects = current.openEffects - (notice && isOpen(notice) ? 1 : 0);
    const tasks = work(current, [
      ends(current.id, 'SERVICE', action.id, rows.serviceTask, 'CANCELLED', given),
      ends(current.id, 'REGISTRATION', action.id, rows.registrationTask, 'CANCELLED', given),
    ]);
    const after: ApprovedCase = { ...facts, ...tasks.counts, status: 'APPROVED', openEffects };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'EnforcementActionWithdrawn',
      changed: ['status', 'activeActionId', 'action'],
      about: [action.partyId],
      details: { actionId: action.id, was: action.status, reason, ...tasks.details },
      payload: { actionId: action.id, actionStatus: 'WITHDRAWN' },
      changes: [
        amendAction(action, { ...action, status: 'WITHDRAWN', withdrawnReason: reason }),
        remove(ref.enforcementGuard(current.id), equals('actionId', action.id)),
        ...(notice ? [noticeEnds(notice, mail, tenant, given)] : []),
        ...tasks.changes,
        ...(mailChange ? [mailChange] : []),
        ...(submissionChange ? [submissionChange] : []),
      ],
    });
  },
});

/** Service is a fact that a withdrawal does not undo, also where the ledger knows of it before the notice does. */
function noticeEnds(notice: Notice, mail: LedgerRow | undefined, tenant: Tenant, given: Given): Change {
  if (notice.status === 'SERVED') return check(ref.notice(notice.caseId, notice.id), equals('status', 'SERVED'));
  return notice.status === 'RENDERED' && mail?.status === 'CONFIRMED'
    ? amendNotice(notice, servedByMail(notice, mail, tenant, given))
    : amendNotice(notice, { ...notice, status: 'WITHDRAWN' });
}
