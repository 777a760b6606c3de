import { update, type Change } from '../change.ts';
import type { Given } from '../command.ts';
import { all, exists, missing } from '../condition.ts';
import type { CaseId } from '../ids.ts';
import { invalid, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { caseTask, endsReview, leadIn, opensForLead } from '../task/arising.ts';
import { work } from '../task/work.ts';
import { atMostItems, firstOf, line, reasonText } from '../text.ts';
import type { ApprovedCase, CaseUnderReview, Decision, OpenCase, Outcome, RejectedCase, Review } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';

export type ApproveCase = OnCase<'approveCase'> & { reason: string };
export type RejectCase = OnCase<'rejectCase'> & {
  reason: string;
  /** What the case should close with; NO_FURTHER_ACTION unless the reviewer says otherwise. */
  outcome?: Outcome;
};
export type ReturnCaseForRework = OnCase<'returnCaseForRework'> & { requiredChanges: string[]; reason?: string };
export type WithdrawReview = OnCase<'withdrawReview'> & { reason: string };

/** The assigned reviewer accepts the case exactly as it was submitted. */
export const approveCase = defineCaseCommand({
  type: 'approveCase',
  invariant: ['Only the assigned reviewer decides, once, and on the content that was submitted.'],
  reads: ({ caseId }: ApproveCase) => itsTask(caseId),
  decide: (current, { reviewTask }, command, given) => {
    const no = changedSince(current) ?? reasonText(command.reason, 'reason');
    if (no) return no;

    const { review, ...facts } = current;
    const tasks = work(current, [endsReview(current, reviewTask, 'COMPLETED', given)]);
    const after: ApprovedCase = {
      ...facts,
      ...tasks.counts,
      status: 'APPROVED',
      decision: decisionOf(current, command.reason, given),
    };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseApproved',
      changed: ['status', 'review', 'decision'],
      details: { reviewId: review.id, reason: command.reason, ...tasks.details },
      payload: { reviewId: review.id },
      notifies: [{ template: 'CASE_APPROVED', recipientId: current.leadOfficerId }],
      changes: [ends(current, { decision: 'APPROVED', reason: command.reason }, given), ...tasks.changes],
    });
  },
});

/** The assigned reviewer finds no ground to enforce, and proposes how the case should end. */
export const rejectCase = defineCaseCommand({
  type: 'rejectCase',
  invariant: [
    'Only the assigned reviewer decides, and once.',
    'A rejected case does not end as enforced or as a duplicate.',
  ],
  reads: ({ caseId }: RejectCase) => itsTask(caseId),
  decide: (current, { reviewTask }, command, given) => {
    const { reason, outcome = 'NO_FURTHER_ACTION' } = command;
    const no = reasonText(reason, 'reason') ?? endsWithoutEnforcement(outcome);
    if (no) return no;

    const { review, ...facts } = current;
    const tasks = work(current, [endsReview(current, reviewTask, 'COMPLETED', given)]);
    const decision = decisionOf(current, reason, given);
    const after: RejectedCase = { ...facts, ...tasks.counts, status: 'REJECTED', decision, outcome };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseRejected',
      changed: ['status', 'review', 'decision', 'outcome'],
      details: { reviewId: review.id, reason, outcome, ...tasks.details },
      payload: { reviewId: review.id, outcome },
      notifies: [{ template: 'CASE_REJECTED', recipientId: current.leadOfficerId }],
      changes: [ends(current, { decision: 'REJECTED', reason }, given), ...tasks.changes],
    });
  },
});

/** The assigned reviewer gives the case back, with what has to change. */
export const returnCaseForRework = defineCaseCommand({
  type: 'returnCaseForRework',
  invariant: ['Only the assigned reviewer returns the case, and says what has to change.'],
  reads: ({ caseId }: ReturnCaseForRework) => ({ ...itsTask(caseId), reworkTask: caseTask(caseId, 'REWORK') }),
  then: ({ case: current }) => leadIn(current),
  decide: (current, found, command, given) => {
    const { requiredChanges, reason } = command;
    const no = badChanges(requiredChanges) ?? (reason === undefined ? undefined : reasonText(reason, 'reason'));
    if (no) return no;

    const { review, ...facts } = current;
    const tasks = work(current, [
      endsReview(current, found.reviewTask, 'COMPLETED', given),
      opensForLead(current, rework, found.reworkTask, found.leadOfficer, given),
    ]);
    const after: OpenCase = { ...facts, ...tasks.counts, status: 'OPEN', returnCount: current.returnCount + 1 };
    const decision = { decision: 'RETURNED', requiredChanges, ...(reason !== undefined && { reason }) } as const;
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseReturnedForRework',
      changed: ['status', 'review', 'returnCount'],
      details: { reviewId: review.id, requiredChanges, ...(reason !== undefined && { reason }), ...tasks.details },
      payload: { reviewId: review.id },
      notifies: [{ template: 'CASE_RETURNED', recipientId: current.leadOfficerId }],
      changes: [ends(current, decision, given), ...tasks.changes],
    });
  },
});

/** The lead takes the case back before it is decided. */
export const withdrawReview = defineCaseCommand({
  type: 'withdrawReview',
  invariant: ['Only the lead withdraws, and only before the decision.'],
  reads: ({ caseId }: WithdrawReview) => itsTask(caseId),
  decide: (current, { reviewTask }, command, given) => {
    const no = reasonText(command.reason, 'reason');
    if (no) return no;

    const { review, ...facts } = current;
    const tasks = work(current, [endsReview(current, reviewTask, 'CANCELLED', given)]);
    const after: OpenCase = { ...facts, ...tasks.counts, status: 'OPEN' };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'ReviewWithdrawn',
      changed: ['status', 'review'],
      details: { reviewId: review.id, reason: command.reason, ...tasks.details },
      payload: { reviewId: review.id },
      changes: [ends(current, { decision: 'WITHDRAWN', reason: command.reason }, given), ...tasks.changes],
    });
  },
});

const itsTask = (caseId: CaseId) => ({ reviewTask: caseTask(caseId, 'REVIEW') });
const rework = { type: 'REWORK', title: 'Make the required changes' } as const;

const changedSince = ({ review, contentVersion }: CaseUnderReview): Refused | undefined =>
  review.contentVersion === contentVersion
    ? undefined
    : refused('CHANGED_SINCE_SUBMISSION', 'the case changed after it was submitted');

const endsWithoutEnforcement = (outcome: Outcome): Refused | undefined =>
  outcome === 'ENFORCED' || outcome === 'DUPLICATE'
    ? invalid('OUTCOME', ['outcome'], `a rejected case does not end as ${outcome}`)
    : undefined;

const badChanges = (requiredChanges: string[]): Refused | undefined =>
  requiredChanges.length === 0
    ? invalid('REQUIRED', ['requiredChanges'], 'names at least one required change')
    : (atMostItems(requiredChanges, 50, 'requiredChanges') ??
      firstOf(...requiredChanges.map((text, i) => line(text, 'requiredChanges', String(i)))));

const decisionOf = ({ review }: CaseUnderReview, reason: string, { actor, at }: Given): Decision => ({
  reviewId: review.id,
  decidedBy: actor.id,
  decidedAt: at,
  reason,
});

/** The review's own item keeps how it ended. It moves only with the case, whose version is the premise of both. */
const ends = (
  { id, review }: CaseUnderReview,
  decided: Pick<Review, 'decision' | 'reason' | 'requiredChanges'>,
  { at }: Given,
): Change =>
  update(
    ref.review(id, review.id),
    { set: { ...decided, decidedAt: at }, add: { version: 1 } },
    all(exists, missing('decision')),
  );
