import type { RefusalCode, RefusalDetails, Refused } from '../domain/refusal.ts';
import type { ResolversInterfaceTypes, ResolversTypes, RetryAdvice } from '../graphql/types.ts';

export type UserErrorModel = ResolversInterfaceTypes<ResolversTypes>['UserError'];

/** The client's column of the error table: commands.md §5. */
export const retryAdvice: Record<RefusalCode, RetryAdvice> = {
  NOT_FOUND: 'NEVER',
  NOT_PERMITTED: 'NEVER',
  SEPARATION_OF_DUTIES: 'NEVER',
  NOT_THE_REVIEWER: 'NEVER',
  EXCLUDED: 'NEVER',
  VERSION_CONFLICT: 'AFTER_REFRESH',
  LEAD_CHANGED: 'AFTER_REFRESH',
  ILLEGAL_TRANSITION: 'AFTER_REFRESH',
  CHANGED_SINCE_SUBMISSION: 'AFTER_REFRESH',
  LIMIT_REACHED: 'NEVER',
  UNIQUE_VIOLATION: 'NEVER',
  ALREADY_MEMBER: 'NEVER',
  PRECONDITION_FAILED: 'AFTER_REFRESH',
  REFERENCE_INVALID: 'AFTER_REFRESH',
  HOLD_ACTIVE: 'AFTER_REFRESH',
  EFFECT_IN_FLIGHT: 'AFTER_REFRESH',
  NO_CHANGE: 'AFTER_REFRESH',
  IDEMPOTENCY_KEY_REUSED: 'NEW_KEY',
  VALIDATION_FAILED: 'NEW_KEY',
};

/** A refusal in the words of the SDL: one type for each code, with the parts that make sense for it. */
export function userError(refusal: Refused): UserErrorModel {
  const { code, message, details } = refusal;
  const common = { message, path: refusal.path ?? null, retry: retryAdvice[code], refusal };
  return { ...common, code, ...partsOf(code, details), __typename: typeNames[code] } as UserErrorModel;
}

/** The parts are non-null in the SDL, so each is given even where a rule had nothing to say. */
function partsOf(code: RefusalCode, details: RefusalDetails): object {
  const { expected, actual, changedFields = [], from = '', allowed = [], limit = 0, count = 0 } = details;
  const { field = '', name = '', rule = '' } = details;
  switch (code) {
    case 'VERSION_CONFLICT':
      return { expected, actual, changedFields };
    case 'ILLEGAL_TRANSITION':
      return { from, allowed };
    case 'LIMIT_REACHED':
      return { limit, count };
    case 'UNIQUE_VIOLATION':
      return { field };
    case 'PRECONDITION_FAILED':
    case 'REFERENCE_INVALID':
      return { name };
    case 'VALIDATION_FAILED':
      return { rule };
    default:
      return {};
  }
}

export const typeNames: Record<RefusalCode, UserErrorModel['__typename']> = {
  NOT_FOUND: 'NotFound',
  NOT_PERMITTED: 'NotPermitted',
  SEPARATION_OF_DUTIES: 'SeparationOfDuties',
  NOT_THE_REVIEWER: 'NotTheReviewer',
  EXCLUDED: 'Excluded',
  VERSION_CONFLICT: 'VersionConflict',
  LEAD_CHANGED: 'LeadChanged',
  ILLEGAL_TRANSITION: 'IllegalTransition',
  CHANGED_SINCE_SUBMISSION: 'ChangedSinceSubmission',
  LIMIT_REACHED: 'LimitReached',
  UNIQUE_VIOLATION: 'UniqueViolation',
  ALREADY_MEMBER: 'AlreadyMember',
  PRECONDITION_FAILED: 'PreconditionFailed',
  REFERENCE_INVALID: 'ReferenceInvalid',
  HOLD_ACTIVE: 'HoldActive',
  EFFECT_IN_FLIGHT: 'EffectInFlight',
  NO_CHANGE: 'NoChange',
  IDEMPOTENCY_KEY_REUSED: 'IdempotencyKeyReused',
  VALIDATION_FAILED: 'ValidationFailed',
};
