import { check } from '../change.ts';
import { caseTransition } from '../case/caseCommand.ts';
import { equals } from '../condition.ts';
import type { LocalDate } from '../ids.ts';
import { invalid, isRefused, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { actionTask } from '../task/arising.ts';
import { ends, work } from '../task/work.ts';
import { noSettings, todayIn, type Tenant } from '../tenant.ts';
import { calendarDate, firstOf, reasonText } from '../text.ts';
import type { Given } from '../command.ts';
import type { EnforcementAction, ServiceMethod } from './action.ts';
import { amendNotice, defineActionCommand, type OnAction } from './actionCommand.ts';
import { callsOff, isOpen, mailOf } from './ledger.ts';

export type ServeNotice = OnAction<'serveNotice'> & {
  /** Any but EMAIL: that is recorded on the mailer's word. */
  method: ServiceMethod;
  date: LocalDate;
  /** What proves it: a receipt number, who saw it. */
  evidence: string;
};

/** An officer has served the notice by other means; a mail that was not sent will not be. */
export const serveNotice = defineActionCommand({
  type: 'serveNotice',
  invariant: [
    'A notice is served once.',
    'A mail that was not sent is not sent any more; one that may be on its way must be known first.',
  ],
  reads: ({ caseId, actionId }: ServeNotice) => ({
    tenant: ref.tenant(),
    openTask: actionTask(caseId, 'SERVICE', actionId),
  }),
  then: ({ noticeId }, _command, given) => ({
    ...(noticeId && { mail: ref.effect('mailer', mailOf(noticeId, given)) }),
  }),
  decide: (current, action, { tenant, notice, mail, openTask }, command, given) => {
    const { method, date, evidence } = command;
    if (!tenant) return noSettings();
    const no = badService(command, action, tenant, given);
    if (no) return no;
    if (notice!.status === 'RENDERED' && mail?.status === 'CONFIRMED')
      return refused('EFFECT_IN_FLIGHT', 'the mail has been accepted; its service is about to be recorded');
    const mailChange = callsOff('NOTICE_MAIL', notice!.mailEffectId, mail, given);
    if (isRefused(mailChange)) return mailChange;

    const openEffects = current.openEffects - (isOpen(notice!) ? 1 : 0);
    const { failure: _, ...facts } = notice!;
    const tasks = work(current, [ends(current.id, 'SERVICE', action.id, openTask, 'COMPLETED', given)]);
    return caseTransition(current, { ...current, ...tasks.counts, openEffects }, command, given, {
      moves: 'child',
      announces: 'NoticeServed',
      changed: ['notice'],
      about: [action.partyId],
      details: { actionId: action.id, noticeId: notice!.id, method, date, evidence, ...tasks.details },
      payload: { actionId: action.id, noticeId: notice!.id, noticeStatus: 'SERVED', method },
      changes: [
        amendNotice(notice!, { ...facts, status: 'SERVED', service: { method, date, evidence } }),
        mailChange,
        ...tasks.changes,
        check(ref.action(current.id, action.id), equals('version', action.version)),
      ],
    });
  },
});

function badService(
  { method, date, evidence }: ServeNotice,
  { issuedAt }: EnforcementAction,
  tenant: Tenant,
  given: Given,
): Refused | undefined {
  if (method === 'EMAIL')
    return invalid('SERVICE_METHOD', ['method'], 'service by e-mail is recorded when the mail is accepted');
  const no = firstOf(calendarDate(date, 'date'), reasonText(evidence, 'evidence'));
  if (no) return no;
  if (date > todayIn(tenant, given)) return invalid('NOT_IN_FUTURE', ['date'], 'lies in the future');
  return issuedAt && date < given.calendar.dateIn(tenant.zone, issuedAt)
    ? invalid('NOT_BEFORE_ISSUE', ['date'], 'lies before the date of issue')
    : undefined;
}
