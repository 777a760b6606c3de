import { create } from '../change.ts';
import type { LocalDate, ReviewId } from '../ids.ts';
import { preconditionFailed, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { caseTask, submits } from '../task/arising.ts';
import { work } from '../task/work.ts';
import { defaultReviewWorkingDays, noSettings, todayIn, type Tenant } from '../tenant.ts';
import { paragraph } from '../text.ts';
import { plusWorkingDays } from '../workingDays.ts';
import type { CaseUnderReview, OpenCase, Review } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';

export type SubmitForReview = OnCase<'submitForReview'> & { recommendation: string };

/** The lead puts the case before a reviewer, exactly as it stands: the review pins its content. */
export const submitForReview = defineCaseCommand({
  type: 'submitForReview',
  invariant: [
    'A case under review has a subject, a contravention, a finding for each, and nothing that must be done first.',
    'The review is about exactly the content that was submitted.',
    'What was to be looked at or reworked is done with the submission, and one review is waited for.',
    'A review is due a number of working days after its submission.',
  ],
  reads: ({ caseId }: SubmitForReview, given) => ({
    tenant: ref.tenant(),
    review: ref.review(caseId, given.id<ReviewId>('review')),
    triageTask: caseTask(caseId, 'TRIAGE'),
    reworkTask: caseTask(caseId, 'REWORK'),
    reviewTask: caseTask(caseId, 'REVIEW'),
  }),
  decide: (current, { tenant, ...rows }, command, given) => {
    const no = notReady(current) ?? paragraph(command.recommendation, 'recommendation');
    if (no) return no;
    if (!tenant) return noSettings();

    const id = given.id<ReviewId>('review');
    const { contentVersion } = current;
    const submittedBy = given.actor.id;
    const review: Review = {
      id,
      caseId: current.id,
      submittedBy,
      submittedAt: given.at,
      recommendation: command.recommendation,
      contentVersion,
      version: 1,
      createdBy: { commandId: given.commandId, requestHash: given.requestHash },
    };
    const due = dueBy(current, tenant, todayIn(tenant, given));
    const tasks = work(current, submits(current, rows, given));
    const after: CaseUnderReview = {
      ...current,
      ...tasks.counts,
      ...due.clock,
      status: 'UNDER_REVIEW',
      review: { id, submittedBy, contentVersion, dueAt: due.at, ...tasks.details },
    };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseSubmittedForReview',
      changed: ['status', 'review'],
      details: { reviewId: id, recommendation: command.recommendation, contentVersion, dueAt: due.at },
      payload: { reviewId: id },
      changes: [create(ref.review(current.id, id), review), ...tasks.changes],
      created: { review: id },
    });
  },
});

/** So many working days from today, or, while the case is suspended, from the end of that. */
function dueBy({ suspendedUntil, stoppedClock }: OpenCase, tenant: Tenant, today: LocalDate) {
  const days = tenant.reviewWorkingDays ?? defaultReviewWorkingDays;
  const from = suspendedUntil !== undefined && suspendedUntil > today ? suspendedUntil : today;
  return {
    at: plusWorkingDays(tenant, from, days),
    clock: stoppedClock ? { stoppedClock: { ...stoppedClock, reviewDueAt: days } } : {},
  };
}

/** What a reviewer would send back at once. */
function notReady(current: OpenCase): Refused | undefined {
  if (current.subjects < 1) return preconditionFailed('NO_SUBJECT', 'the case has no subject');
  if (current.contraventions < 1) return preconditionFailed('NO_CONTRAVENTION', 'the case has no contravention');
  if (current.undetermined > 0)
    return preconditionFailed('FINDINGS_UNDETERMINED', `${current.undetermined} contraventions have no finding yet`);
  if (current.openBlockingReview > 0)
    return preconditionFailed('OPEN_TASKS', `${current.openBlockingReview} open tasks must be done before a review`);
  if (current.pendingDocuments > 0)
    return preconditionFailed('PENDING_DOCUMENTS', `${current.pendingDocuments} documents are not available yet`);
  return undefined;
}
