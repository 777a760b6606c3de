import { check, type Change } from '../change.ts';
import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from '../case/caseCommand.ts';
import type { Given } from '../command.ts';
import { equals } from '../condition.ts';
import type { LedgerRow } from '../effect.ts';
import type { ActionId, CaseId, NoticeId } from '../ids.ts';
import { illegalTransition, isRefused, noChange, preconditionFailed, refused, type Refused } from '../refusal.ts';
import { ref, type Found } from '../refs.ts';
import { actionTask, leadIn, opensForLead } from '../task/arising.ts';
import { work } from '../task/work.ts';
import { noSettings, type Tenant } from '../tenant.ts';
import { cleaned, matching } from '../text.ts';
import { invalid } from '../refusal.ts';
import type { EnforcementAction, Notice, NoticeStatus } from './action.ts';
import { amendNotice } from './actionCommand.ts';
import { callsOff, isOpen, mailOf, mustBe, records } from './ledger.ts';

type OnNotice<Name extends NoticeCommandName> = OnAnyVersion<Name> & { actionId: ActionId; noticeId: NoticeId };
type NoticeCommandName =
  'recordNoticeRendered' | 'recordNoticeFailed' | 'recordNoticeServed' | 'recordNoticeUndeliverable';

export type RecordNoticeRendered = OnNotice<'recordNoticeRendered'> & { sha256: string; size: number };
export type RecordNoticeFailed = OnNotice<'recordNoticeFailed'> & { failure: string };
export type RecordNoticeServed = OnNotice<'recordNoticeServed'>;
export type RecordNoticeUndeliverable = OnNotice<'recordNoticeUndeliverable'> & { failure: string };

/** The notice is a document from now on, named by its content. */
export const recordNoticeRendered = defineCaseCommand({
  type: 'recordNoticeRendered',
  invariant: ['A notice is rendered once; what was rendered is known by its hash.'],
  stale: anyVersion,
  reads: (command: RecordNoticeRendered, given) => noticeActionAndMail(command, given),
  repeated: ({ notice }, { sha256 }) =>
    notice?.sha256 === sha256 ? noChange('the notice has been rendered to this document') : undefined,
  decide: (current, { notice, action, mail }, command, given) => {
    const { sha256, size } = command;
    const no =
      notThis(command, notice, action) ??
      matching(sha256, /^[0-9a-f]{64}$/, 'SHA256', 'sha256') ??
      (Number.isSafeInteger(size) && size > 0
        ? undefined
        : invalid('RANGE', ['size'], 'must be a whole number above 0'));
    if (no) return no;
    if (notice!.sha256)
      return preconditionFailed('RENDERED_ALREADY', 'the notice has been rendered to another document');
    if (notice!.status !== 'REQUESTED') return wrong(command, notice!, ['REQUESTED']);

    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'NoticeRendered',
      changed: ['notice'],
      about: [action!.partyId],
      details: { noticeId: notice!.id, sha256, size },
      payload: { actionId: action!.id, noticeId: notice!.id, noticeStatus: 'RENDERED' },
      changes: [
        amendNotice(notice!, { ...notice!, status: 'RENDERED', sha256, size }),
        stillOf(action!, notice!),
        ...(mail ? [mailAfterRendering(mail, given)] : []),
      ],
    });
  },
});

/** There will be no document, and so no mail: an officer serves by other means, or the action is withdrawn. */
export const recordNoticeFailed = defineCaseCommand({
  type: 'recordNoticeFailed',
  invariant: ['A notice that could not be rendered says why, and counts as open no longer.'],
  stale: anyVersion,
  reads: (command: RecordNoticeFailed, given) => ({ ...noticeActionAndMail(command, given), ...serviceTask(command) }),
  then: ({ case: current }) => leadIn(current),
  repeated: ({ notice }) => (notice?.status === 'FAILED' ? noChange('the failure is recorded') : undefined),
  decide: (current, { notice, action, mail, openTask, leadOfficer }, command, given) => {
    const no = notThis(command, notice, action);
    if (no) return no;
    if (notice!.status !== 'REQUESTED') return wrong(command, notice!, ['REQUESTED']);
    const mailChange = callsOff('NOTICE_MAIL', notice!.mailEffectId, mail, given);
    if (isRefused(mailChange)) return mailChange;

    const failure = cleaned(command.failure);
    const tasks = work(current, [opensForLead(current, byOtherMeans(command), openTask, leadOfficer, given)]);
    return caseTransition(
      current,
      { ...current, ...tasks.counts, openEffects: current.openEffects - 1 },
      command,
      given,
      {
        moves: 'child',
        announces: 'NoticeFailed',
        changed: ['notice'],
        about: [action!.partyId],
        details: { noticeId: notice!.id, failure, ...tasks.details },
        payload: { actionId: action!.id, noticeId: notice!.id, noticeStatus: 'FAILED' },
        changes: [
          amendNotice(notice!, { ...notice!, status: 'FAILED', failure }),
          stillOf(action!, notice!),
          mailChange,
          ...tasks.changes,
        ],
      },
    );
  },
});

/** The mailer has accepted the mail with the notice: that is service, on the date of its word. */
export const recordNoticeServed = defineCaseCommand({
  type: 'recordNoticeServed',
  invariant: ["Service by mail is recorded once, on the ledger's word."],
  stale: anyVersion,
  reads: (command: RecordNoticeServed, given) => ({ ...noticeActionAndMail(command, given), tenant: ref.tenant() }),
  // A notice that came back is undeliverable, and was served before that: a late repeat must not serve it again.
  repeated: ({ notice, mail }) =>
    notice?.status === 'SERVED' || (notice?.status === 'UNDELIVERABLE' && mail?.status === 'CONFIRMED')
      ? noChange('the service is recorded')
      : undefined,
  decide: (current, { notice, action, mail, tenant }, command, given) => {
    const no = notThis(command, notice, action);
    if (no) return no;
    if (notice!.status !== 'RENDERED') return wrong(command, notice!, ['RENDERED']);
    const owed = mustBe(mail, 'CONFIRMED');
    if (owed) return owed;
    if (!tenant) return noSettings();

    const served = servedByMail(notice!, mail!, tenant, given);
    return caseTransition(current, { ...current, openEffects: current.openEffects - 1 }, command, given, {
      moves: 'child',
      announces: 'NoticeServed',
      changed: ['notice'],
      details: { noticeId: notice!.id, ...served.service },
      payload: { actionId: action!.id, noticeId: notice!.id, noticeStatus: 'SERVED', method: 'EMAIL' },
      changes: [amendNotice(notice!, served), stillOf(action!, notice!), records(mail!, given)],
    });
  },
});

/** The mail was refused for good, or came back after it had been accepted: the notice must be served by other means. */
export const recordNoticeUndeliverable = defineCaseCommand({
  type: 'recordNoticeUndeliverable',
  invariant: [
    "That a notice did not arrive is recorded on the ledger's word, also after service by mail, and does not undo other service.",
  ],
  stale: anyVersion,
  reads: (command: RecordNoticeUndeliverable, given) => ({
    ...noticeActionAndMail(command, given),
    ...serviceTask(command),
  }),
  then: ({ case: current }) => leadIn(current),
  repeated: ({ notice }) =>
    notice?.status === 'UNDELIVERABLE' || (notice?.status === 'SERVED' && notice.service?.method !== 'EMAIL')
      ? noChange('it is recorded, or the notice was served by other means')
      : undefined,
  decide: (current, { notice, action, mail, openTask, leadOfficer }, command, given) => {
    const no = notThis(command, notice, action);
    if (no) return no;
    const from: readonly NoticeStatus[] = ['RENDERED', 'SERVED'];
    if (!from.includes(notice!.status)) return wrong(command, notice!, from);
    // CONFIRMED and RENDERED: the mail came back before anybody had recorded that it was accepted.
    const owed = notice!.status === 'SERVED' ? mustBe(mail, 'CONFIRMED') : mustBe(mail, 'FAILED_FINAL', 'CONFIRMED');
    if (owed) return owed;

    const failure = cleaned(command.failure);
    // A closed case has no open task: who led it is told, and a supervisor may reopen it.
    const closed = current.status === 'CLOSED';
    const tasks = work(
      current,
      closed ? [] : [opensForLead(current, byOtherMeans(command), openTask, leadOfficer, given)],
    );
    const { service: _, ...facts } = notice!;
    // Where the service was recorded, so was the end of the effect.
    const openEffects = current.openEffects - (isOpen(notice!) ? 1 : 0);
    return caseTransition(current, { ...current, ...tasks.counts, openEffects }, command, given, {
      moves: 'child',
      announces: 'NoticeUndeliverable',
      changed: ['notice'],
      about: [action!.partyId],
      details: { noticeId: notice!.id, was: notice!.status, failure, ...tasks.details },
      payload: { actionId: action!.id, noticeId: notice!.id, noticeStatus: 'UNDELIVERABLE' },
      notifies: [{ template: 'NOTICE_UNDELIVERABLE', recipientId: current.leadOfficerId }],
      changes: [
        amendNotice(notice!, { ...facts, status: 'UNDELIVERABLE', failure }),
        stillOf(action!, notice!),
        records(mail!, given),
        ...tasks.changes,
      ],
    });
  },
});

const serviceTask = ({ caseId, actionId }: Named) => ({ openTask: actionTask(caseId, 'SERVICE', actionId) });
const byOtherMeans = ({ actionId }: Named) =>
  ({ type: 'SERVICE', origin: actionId, title: 'Serve the notice by other means' }) as const;

/** Where there is no mail to send, the workflow has done its part with the document. */
const mailAfterRendering = (mail: LedgerRow, given: Given): Change =>
  mail.status === 'CANCELLED'
    ? records(mail, given)
    : check(ref.effect(mail.provider, mail.effectId), equals('status', mail.status));

/** Served by the mail that the ledger has as accepted. */
export const servedByMail = (notice: Notice, mail: LedgerRow, { zone }: Tenant, given: Given): Notice => ({
  ...notice,
  status: 'SERVED',
  service: {
    method: 'EMAIL',
    date: given.calendar.dateIn(zone, mail.acceptedAt ?? mail.updatedAt),
    evidence: mail.providerRequestId ?? mail.effectId,
  },
});

type Named = { caseId: CaseId; actionId: ActionId; noticeId: NoticeId };

const noticeAndAction = ({ caseId, actionId, noticeId }: Named) => ({
  notice: ref.notice(caseId, noticeId),
  action: ref.action(caseId, actionId),
});

const noticeActionAndMail = (command: Named, given: Given) => ({
  ...noticeAndAction(command),
  mail: ref.effect('mailer', mailOf(command.noticeId, given)),
});

type Both = Found<ReturnType<typeof noticeAndAction>>;

/** "Same notice": the one that the action has now. */
const notThis = ({ noticeId }: Named, notice: Both['notice'], action: Both['action']): Refused | undefined =>
  notice && action?.noticeId === noticeId ? undefined : refused('NOT_FOUND', 'the action has no such notice');

const stillOf = (action: EnforcementAction, notice: Notice): Change =>
  check(ref.action(action.caseId, action.id), equals('noticeId', notice.id));

const wrong = (command: { type: string }, { status }: Notice, from: readonly NoticeStatus[]): Refused =>
  illegalTransition(command.type, status, from);
