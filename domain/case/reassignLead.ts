import { check, type Change } from '../change.ts';
import { absent } from '../condition.ts';
import type { Given } from '../command.ts';
import type { LocalDate, OfficerId } from '../ids.ts';
import { canLead, letGo, takeOn, type LimitOverride } from '../officer/load.ts';
import { noChange, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { openTasksOf } from '../task/arising.ts';
import { passes, work } from '../task/work.ts';
import { noSettings, todayIn } from '../tenant.ts';
import { firstOf, reasonText } from '../text.ts';
import type { Case, Investigator } from './case.ts';
import { caseTransition, defineCaseCommand, staleVersion, type OnCase } from './caseCommand.ts';
import { leaves } from './investigators.ts';
import { notExcluded, notItsReviewer } from './separation.ts';

export type ReassignLead = OnCase<'reassignLead'> & {
  /** Who leads now, as the caller sees it; null for nobody. */
  expectedLeadOfficerId: OfficerId | null;
  /** Null: nobody leads from now on. */
  leadOfficerId: OfficerId | null;
  reason: string;
  /** Given, it lifts the limit of the new lead's load. */
  overrideLimitReason?: string;
};

/** The case passes from one lead officer to another, or to nobody; both loads move with it. */
export const reassignLead = defineCaseCommand({
  type: 'reassignLead',
  invariant: [
    'A case has at most one lead, and counts for that lead alone.',
    'The new lead is active, not absent, below the limit (or a supervisor says why not), not excluded, and neither reviewer nor submitter of the case.',
    "What the old lead had to do on the case is the new lead's, or the team's where nobody leads.",
    'Nobody is lead and investigator of one case.',
  ],
  reads: ({ caseId, expectedLeadOfficerId, leadOfficerId }: ReassignLead) => ({
    tenant: ref.tenant(),
    ...(expectedLeadOfficerId !== null && {
      before: ref.officer(expectedLeadOfficerId),
      loadBefore: ref.load(expectedLeadOfficerId, caseId),
    }),
    ...(leadOfficerId !== null && {
      next: ref.officer(leadOfficerId),
      membership: ref.investigator(caseId, leadOfficerId),
      exclusionOfNext: ref.exclusion(caseId, leadOfficerId),
    }),
  }),
  then: ({ case: current }) => (current?.leadOfficerId ? openTasksOf(current) : {}),
  // The lead first: it says more than the version, which every change of lead moves too.
  stale: (current, found, command) => leadChanged(current, command) ?? staleVersion(current, found, command),
  decide: (current, found, command, given) => {
    const { leadOfficerId, reason, overrideLimitReason } = command;
    if ((current.leadOfficerId ?? null) === leadOfficerId) return noChange('the officer leads the case already');
    const no =
      (leadOfficerId === null
        ? undefined
        : (notItsReviewer(current, leadOfficerId) ??
          notItsSubmitter(current, leadOfficerId) ??
          notExcluded(found.exclusionOfNext))) ??
      firstOf(
        reasonText(reason, 'reason'),
        overrideLimitReason === undefined ? undefined : reasonText(overrideLimitReason, 'overrideLimitReason'),
      );
    if (no) return no;
    if (!found.tenant) return noSettings();
    const today = todayIn(found.tenant, given);
    const override = overrideLimitReason === undefined ? undefined : { reason: overrideLimitReason };
    const cannot = leadOfficerId === null ? undefined : canLead(found.next, 'leadOfficerId', today, override);
    if (cannot) return cannot;

    const was = current.leadOfficerId;
    const theirs = (found.openTasks ?? []).filter(({ assigneeId }) => assigneeId === was);
    const tasks = work(
      current,
      theirs.map((task) => passes(current.id, task, leadOfficerId ?? undefined)),
    );
    return caseTransition(current, { ...current, leadOfficerId: leadOfficerId ?? undefined }, command, given, {
      moves: 'status',
      announces: 'LeadReassigned',
      changed: ['leadOfficerId'],
      details: { was: was ?? null, leadOfficerId, reason, ...(override && { overrideLimitReason }), ...tasks.details },
      payload: { was: was ?? null, leadOfficerId },
      notifies: [
        { template: 'LEAD_TAKEN', recipientId: was },
        { template: 'LEAD_GIVEN', recipientId: leadOfficerId ?? undefined },
      ],
      changes: [
        ...tasks.changes,
        ...(was ? letGo(was, current.id) : []),
        ...(leadOfficerId === null ? [] : taking(current, leadOfficerId, found.membership, today, override, given)),
      ],
    });
  },
});

function leadChanged(current: Case, { expectedLeadOfficerId }: ReassignLead): Refused | undefined {
  return (current.leadOfficerId ?? null) === expectedLeadOfficerId
    ? undefined
    : refused('LEAD_CHANGED', 'the lead officer is another than the command was decided on');
}

const notItsSubmitter = (current: Case, officerId: OfficerId): Refused | undefined =>
  current.status === 'UNDER_REVIEW' && current.review.submittedBy === officerId
    ? refused('SEPARATION_OF_DUTIES', 'the officer submitted the case that is under review')
    : undefined;

/** The new lead takes the case on, and leaves the investigators if they were one. */
const taking = (
  { id }: Case,
  officerId: OfficerId,
  membership: Investigator | undefined,
  today: LocalDate,
  override: LimitOverride | undefined,
  given: Given,
): Change[] => [
  ...takeOn(officerId, id, today, override, given),
  ...(membership ? leaves(id, officerId) : [check(ref.investigator(id, officerId), absent)]),
  check(ref.exclusion(id, officerId), absent),
];
