import type { CloseCaseAsDuplicate } from '../../domain/case/closeCaseAsDuplicate.ts';
import type { ReopenCase } from '../../domain/case/reopenCase.ts';
import type { ResumeCase, SuspendCase } from '../../domain/case/suspendCase.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { caseIdOf, officerIdOrNull } from '../nodeId.ts';
import { casePayload, present } from '../payload.ts';

type Named = 'suspendCase' | 'resumeCase' | 'closeCaseAsDuplicate' | 'reopenCase';

/** Which case, and the version of it that the caller decided on. */
const on = ({ caseId, expectedVersion }: { caseId: string; expectedVersion: number }) => ({
  caseId: caseIdOf(caseId),
  expectedVersion,
});

/** Whether a case rests, has ended or goes on: a supervisor's acts. */
export const standingMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  suspendCase: (_root, { input }, ctx) => {
    const { until, reason } = input;
    return casePayload(ctx, input, { type: 'suspendCase', ...on(input), until, reason } satisfies SuspendCase);
  },

  resumeCase: (_root, { input }, ctx) =>
    casePayload(ctx, input, { type: 'resumeCase', ...on(input), reason: input.reason } satisfies ResumeCase),

  closeCaseAsDuplicate: (_root, { input }, ctx) =>
    casePayload(ctx, input, {
      type: 'closeCaseAsDuplicate',
      ...on(input),
      duplicateOfCaseId: caseIdOf(input.duplicateOfCaseId),
      reason: input.reason,
    } satisfies CloseCaseAsDuplicate),

  reopenCase: (_root, { input }, ctx) => {
    const { ground, reason, leadOfficerId, overrideLimitReason } = input;
    return casePayload(ctx, input, {
      type: 'reopenCase',
      ...on(input),
      ground,
      reason,
      ...present({ leadOfficerId: officerIdOrNull(leadOfficerId) }),
      ...present({ overrideLimitReason }),
    } satisfies ReopenCase);
  },
};
