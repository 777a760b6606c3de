import type { Sighting } from '../../domain/operations/finding.ts';
import type { ActionInput } from '../task.ts';

/** A submission that stays pending until a person has asked the registry. */
export const unanswered = (
  kind: 'REGISTRY_NUMBER_CLAIMED' | 'REGISTRATION_UNKNOWN',
  { caseId, actionId, effectId }: ActionInput,
  submissionNumber: number | undefined,
): Sighting => ({
  ...{ kind, about: { aggregateType: 'Case', aggregateId: caseId }, item: effectId },
  ...{ values: { provider: 'registry', effectId, actionId, submissionNumber: submissionNumber ?? 0 }, basis: {} },
});
