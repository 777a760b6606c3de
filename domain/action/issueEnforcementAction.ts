import { check, update } from '../change.ts';
import { caseTransition } from '../case/caseCommand.ts';
import type { Party } from '../case/case.ts';
import type { Given } from '../command.ts';
import { equals } from '../condition.ts';
import type { LocalDate, NoticeId } from '../ids.ts';
import { invalid, preconditionFailed, referenceInvalid, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings, todayIn, type Tenant } from '../tenant.ts';
import { calendarDate, firstOf } from '../text.ts';
import type { EnforcementAction, Notice, Penalty } from './action.ts';
import { amendAction, defineActionCommand, type OnAction } from './actionCommand.ts';
import { mailOf, plans } from './ledger.ts';

export type IssueEnforcementAction = OnAction<'issueEnforcementAction'> & {
  complyBy?: LocalDate;
  /** 28 days after the issue unless given. */
  appealBy?: LocalDate;
};

const daysToAppeal = 28;
/** What the notice is rendered from: the template of the action's type. */
const template = { templateVersion: 1, language: 'en' } as const;

/** The action takes effect: its notice is asked for, to be rendered and served. */
export const issueEnforcementAction = defineActionCommand({
  type: 'issueEnforcementAction',
  invariant: [
    'An action is issued once, to a party that can be served, with a penalty within authority.',
    'Its notice and the ledger row of its mail exist from then on.',
  ],
  reads: ({ caseId }: IssueEnforcementAction, given) => ({
    tenant: ref.tenant(),
    enforcementGuard: ref.enforcementGuard(caseId),
    created: ref.notice(caseId, given.id<NoticeId>('notice')),
  }),
  then: ({ caseId, partyId }) => ({ party: ref.party(caseId, partyId) }),
  decide: (current, action, { tenant, party }, command, given) => {
    if (!tenant) return noSettings();
    const today = todayIn(tenant, given);
    const no =
      badDates(command, today) ??
      (party ? addressed(party) : referenceInvalid('partyId', 'the party is no longer part of the case')) ??
      withinAuthority(action.penalty, tenant);
    if (no) return no;

    const { complyBy, appealBy = given.calendar.plusDays(today, daysToAppeal) } = command;
    const notice = noticeOf(action, given);
    const dates = { issuedAt: given.at, appealBy, ...(complyBy !== undefined && { complyBy }) };
    const mail = { kind: 'NOTICE_MAIL', effectId: notice.mailEffectId, noticeId: notice.id } as const;
    return caseTransition(current, { ...current, openEffects: current.openEffects + 1 }, command, given, {
      moves: 'child',
      announces: 'EnforcementActionIssued',
      changed: ['action'],
      about: [action.partyId],
      details: { actionId: action.id, noticeId: notice.id, appealBy, ...(complyBy !== undefined && { complyBy }) },
      payload: { actionId: action.id, actionStatus: 'ISSUED', noticeId: notice.id },
      requests: [
        {
          type: 'notice',
          payload: { caseId: current.id, actionId: action.id, noticeId: notice.id, effectId: mail.effectId, round: 0 },
        },
      ],
      changes: [
        amendAction(action, { ...action, ...dates, status: 'ISSUED', noticeId: notice.id }),
        { kind: 'create', ref: ref.notice(current.id, notice.id), item: notice, when: { is: 'absent' } },
        // Where the party is served by post there is nothing to send, which is what CANCELLED says.
        plans(mail, action, party!.serviceChannel === 'EMAIL' ? 'PLANNED' : 'CANCELLED', given),
        update(ref.enforcementGuard(current.id), { set: { noticeId: notice.id } }, equals('actionId', action.id)),
        check(ref.party(current.id, party!.id), equals('version', party!.version)),
      ],
      created: { notice: notice.id },
    });
  },
});

function noticeOf(action: EnforcementAction, given: Given): Notice {
  const id = given.id<NoticeId>('notice');
  return {
    id,
    caseId: action.caseId,
    actionId: action.id,
    template: action.type,
    ...template,
    status: 'REQUESTED',
    mailEffectId: mailOf(id, given),
    version: 1,
    requestedAt: given.at,
    createdBy: { commandId: given.commandId, requestHash: given.requestHash },
  };
}

const badDates = ({ complyBy, appealBy }: IssueEnforcementAction, today: LocalDate): Refused | undefined =>
  firstOf(badDate(complyBy, 'complyBy', today), badDate(appealBy, 'appealBy', today));

function badDate(date: LocalDate | undefined, name: string, today: LocalDate): Refused | undefined {
  if (date === undefined) return undefined;
  return (
    calendarDate(date, name) ??
    (date < today ? invalid('NOT_BEFORE_ISSUE', [name], 'lies before the date of issue') : undefined)
  );
}

/** Whether the party can be served through the channel it has. */
const addressed = ({ serviceChannel, email, addressLines }: Party): Refused | undefined =>
  (serviceChannel === 'EMAIL' ? email !== undefined : addressLines.length > 0)
    ? undefined
    : preconditionFailed('NO_ADDRESS_FOR_SERVICE', `the party has no address for service by ${serviceChannel}`);

const withinAuthority = (penalty: Penalty | undefined, { penaltyAuthority }: Tenant): Refused | undefined =>
  penalty === undefined ||
  (penalty.currency === penaltyAuthority.currency && penalty.minorUnits <= penaltyAuthority.minorUnits)
    ? undefined
    : preconditionFailed(
        'PENALTY_AUTHORITY',
        `a supervisor imposes at most ${penaltyAuthority.minorUnits} minor units of ${penaltyAuthority.currency}`,
      );
