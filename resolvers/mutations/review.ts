import type { AssignReviewer } from '../../domain/case/assignReviewer.ts';
import type { ApproveCase, RejectCase, ReturnCaseForRework, WithdrawReview } from '../../domain/case/decideReview.ts';
import type { SubmitForReview } from '../../domain/case/submitForReview.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { caseIdOf, officerIdOf } from '../nodeId.ts';
import { casePayload, present } from '../payload.ts';

type Named =
  'submitForReview' | 'assignReviewer' | 'approveCase' | 'rejectCase' | 'returnCaseForRework' | 'withdrawReview';

/** Which case, and the version of it that the caller decided on. */
const on = ({ caseId, expectedVersion }: { caseId: string; expectedVersion: number }) => ({
  caseId: caseIdOf(caseId),
  expectedVersion,
});

export const reviewMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  submitForReview: (_root, { input }, ctx) =>
    casePayload(ctx, input, {
      type: 'submitForReview',
      ...on(input),
      recommendation: input.recommendation,
    } satisfies SubmitForReview),

  assignReviewer: (_root, { input }, ctx) =>
    casePayload(ctx, input, {
      type: 'assignReviewer',
      ...on(input),
      reviewerId: officerIdOf(input.reviewerId),
    } satisfies AssignReviewer),

  approveCase: (_root, { input }, ctx) =>
    casePayload(ctx, input, { type: 'approveCase', ...on(input), reason: input.reason } satisfies ApproveCase),

  rejectCase: (_root, { input }, ctx) => {
    const { reason, outcome } = input;
    return casePayload(ctx, input, {
      type: 'rejectCase',
      ...on(input),
      reason,
      ...present({ outcome }),
    } satisfies RejectCase);
  },

  returnCaseForRework: (_root, { input }, ctx) => {
    const { requiredChanges, reason } = input;
    return casePayload(ctx, input, {
      type: 'returnCaseForRework',
      ...on(input),
      requiredChanges,
      ...present({ reason }),
    } satisfies ReturnCaseForRework);
  },

  withdrawReview: (_root, { input }, ctx) =>
    casePayload(ctx, input, { type: 'withdrawReview', ...on(input), reason: input.reason } satisfies WithdrawReview),
};
