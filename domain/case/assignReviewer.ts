import { check, update } from '../change.ts';
import { absent, all, exists, missing } from '../condition.ts';
import type { OfficerId } from '../ids.ts';
import { assignable, stillAssignable } from '../officer/load.ts';
import { noChange, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { caseTask, givesReview } from '../task/arising.ts';
import { work } from '../task/work.ts';
import { noSettings, todayIn } from '../tenant.ts';
import type { CaseUnderReview } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';
import { notExcluded } from './separation.ts';

export type AssignReviewer = OnCase<'assignReviewer'> & { reviewerId: OfficerId };

/** Who decides: somebody with no part in the case. A supervisor names anybody, also in place of another; a reviewer oneself. */
export const assignReviewer = defineCaseCommand({
  type: 'assignReviewer',
  invariant: [
    'The reviewer is never lead, investigator, submitter or excluded.',
    'A decided review keeps its reviewer.',
    'The review stands in the inbox of its reviewer, and of nobody else.',
  ],
  reads: ({ caseId, reviewerId }: AssignReviewer) => ({
    tenant: ref.tenant(),
    reviewer: ref.officer(reviewerId),
    reviewTask: caseTask(caseId, 'REVIEW'),
    membership: ref.investigator(caseId, reviewerId),
    exclusionOfReviewer: ref.exclusion(caseId, reviewerId),
  }),
  decide: (current, found, command, given) => {
    const { caseId, reviewerId } = command;
    const { review } = current;
    if (review.reviewerId === reviewerId) return noChange('the officer reviews the case already');
    if (reviewerId !== given.actor.id && !given.actor.roles.includes('SUPERVISOR'))
      return refused('NOT_PERMITTED', 'only a supervisor assigns somebody else');
    const apart = hasNoPart(current, reviewerId, found.membership) ?? notExcluded(found.exclusionOfReviewer);
    if (apart) return apart;
    if (!found.tenant) return noSettings();
    const today = todayIn(found.tenant, given);
    const no = assignable(found.reviewer, 'reviewerId', today);
    if (no) return no;

    const tasks = work(current, [givesReview(current, found.reviewTask, reviewerId, given)]);
    const after = { ...current, ...tasks.counts, review: { ...review, reviewerId } };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'ReviewerAssigned',
      changed: ['reviewer'],
      details: { reviewId: review.id, was: review.reviewerId ?? null, reviewerId, ...tasks.details },
      payload: { reviewId: review.id, reviewerId },
      notifies: [{ template: 'REVIEWER_ASSIGNED', recipientId: reviewerId }],
      changes: [
        ...tasks.changes,
        update(
          ref.review(caseId, review.id),
          { set: { reviewerId }, add: { version: 1 } },
          all(exists, missing('decision')),
        ),
        check(ref.officer(reviewerId), stillAssignable(today)),
        check(ref.investigator(caseId, reviewerId), absent),
        check(ref.exclusion(caseId, reviewerId), absent),
      ],
    });
  },
});

function hasNoPart(
  current: CaseUnderReview,
  officerId: OfficerId,
  membership: object | undefined,
): Refused | undefined {
  return current.leadOfficerId === officerId || current.review.submittedBy === officerId || membership
    ? refused('SEPARATION_OF_DUTIES', 'who leads, investigates or submitted the case does not review it')
    : undefined;
}
