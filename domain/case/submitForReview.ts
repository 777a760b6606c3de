import { create } from '../change.ts';
import type { ReviewId } from '../ids.ts';
import { preconditionFailed, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { paragraph } from '../text.ts';
import type { CaseUnderReview, OpenCase, Review } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';

export type SubmitForReview = OnCase<'submitForReview'> & { recommendation: string };

/** The lead puts the case before a reviewer, exactly as it stands: the review pins its content. */
export const submitForReview = defineCaseCommand({
  type: 'submitForReview',
  invariant: [
    'A case under review has a subject, a contravention, a finding for each, and nothing that must be done first.',
    'The review is about exactly the content that was submitted.',
  ],
  reads: ({ caseId }: SubmitForReview, given) => ({ review: ref.review(caseId, given.id<ReviewId>('review')) }),
  decide: (current, _found, command, given) => {
    const no = notReady(current) ?? paragraph(command.recommendation, 'recommendation');
    if (no) return no;

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
    const after: CaseUnderReview = { ...current, status: 'UNDER_REVIEW', review: { id, submittedBy, contentVersion } };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseSubmittedForReview',
      changed: ['status', 'review'],
      details: { reviewId: id, recommendation: command.recommendation, contentVersion },
      payload: { reviewId: id },
      changes: [create(ref.review(current.id, id), review)],
      created: { review: id },
    });
  },
});

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
