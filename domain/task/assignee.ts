import type { Case, Exclusion, Investigator } from '../case/case.ts';
import { notExcluded } from '../case/separation.ts';
import { check, type Change } from '../change.ts';
import type { Given } from '../command.ts';
import { absent, exists } from '../condition.ts';
import type { CaseId, LocalDate, OfficerId } from '../ids.ts';
import { assignable, stillAssignable } from '../officer/load.ts';
import type { Officer } from '../officer/officer.ts';
import { preconditionFailed, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';

/** What says whether an officer can have a task of the case. */
export const assignees = (caseId: CaseId, assigneeId: OfficerId) => ({
  assignee: ref.officer(assigneeId),
  membership: ref.investigator(caseId, assigneeId),
  exclusionOfAssignee: ref.exclusion(caseId, assigneeId),
});
type FoundOf = { assignee?: Officer | undefined; membership?: Investigator | undefined } & {
  exclusionOfAssignee?: Exclusion | undefined;
};

/** Whether the officer can have it: active, not absent, not excluded, and, where that is few, among those who see the case. */
export function canHave(
  assigneeId: OfficerId,
  current: Case,
  { assignee, membership, exclusionOfAssignee }: FoundOf,
  today: LocalDate,
  { actor }: Given,
): Refused | undefined {
  const no = notExcluded(exclusionOfAssignee) ?? assignable(assignee, 'assigneeId', today);
  if (no) return no;
  // The roles of somebody else are in their tokens only; whoever acts has shown theirs by seeing the case.
  return current.classification !== 'RESTRICTED' || assigneeId === actor.id || named(assigneeId, current) || membership
    ? undefined
    : preconditionFailed('NOT_ON_CASE', 'a restricted case is worked on by those named on it');
}

/** The premises of that; what stands on the case is one already. */
export const stillHas = (assigneeId: OfficerId, current: Case, { membership }: FoundOf, today: LocalDate): Change[] => [
  check(ref.officer(assigneeId), stillAssignable(today)),
  check(ref.exclusion(current.id, assigneeId), absent),
  ...(membership ? [check(ref.investigator(current.id, assigneeId), exists)] : []),
];

const named = (officerId: OfficerId, current: Case) =>
  [current.openedBy, current.leadOfficerId].includes(officerId) ||
  (current.status === 'UNDER_REVIEW' && [current.review.reviewerId, current.review.submittedBy].includes(officerId));
