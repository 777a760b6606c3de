import type { AnyCommand } from '../command.ts';
import type { AddInvestigator, RemoveInvestigator } from '../case/investigators.ts';
import type { AssignReviewer } from '../case/assignReviewer.ts';
import type { ReassignLead } from '../case/reassignLead.ts';
import type { OfficerId } from '../ids.ts';
import type { Refused } from '../refusal.ts';
import type { AssignTask } from '../task/assignTask.ts';
import type { CaseloadItem, PlannedItem } from './caseloadRun.ts';

/** The commands that move an item, one after the other; the same however often they are given. */
export function movesOf(item: PlannedItem, from: OfficerId, reason: string): [AnyCommand, ...AnyCommand[]] {
  const { caseId, taskId, toOfficerId } = item;
  switch (item.kind) {
    case 'LEAD':
      return [
        {
          ...{ type: 'reassignLead', caseId, reason },
          ...{ expectedLeadOfficerId: from, leadOfficerId: toOfficerId },
        } satisfies ByWorkflow<ReassignLead>,
      ];
    case 'REVIEW':
      return [
        {
          ...{ type: 'assignReviewer', caseId, reviewerId: toOfficerId },
          expectedReviewerId: from,
        } satisfies ByWorkflow<AssignReviewer>,
      ];
    case 'MEMBERSHIP':
      return [
        { type: 'removeInvestigator', caseId, officerId: from, reason } satisfies RemoveInvestigator,
        { type: 'addInvestigator', caseId, officerId: toOfficerId } satisfies AddInvestigator,
      ];
    case 'TASK':
      return [
        {
          ...{ type: 'assignTask', caseId, taskId: taskId! },
          ...{ expectedAssigneeId: from, assigneeId: toOfficerId },
        } satisfies AssignTask,
      ];
  }
}

/** Workflows decide on their own reads, and say no version. */
type ByWorkflow<C extends { expectedVersion: number }> = Omit<C, 'expectedVersion'>;

const othersNow = ['REVIEWER_CHANGED', 'NOT_A_MEMBER', 'ASSIGNEE_CHANGED'];

/** Whether the refusal says that there is nothing left to move: it is another's, or over. */
export function isGone({ kind }: CaseloadItem, { code, details }: Refused): boolean {
  if (code === 'LEAD_CHANGED' || code === 'NO_CHANGE') return true;
  if (code === 'PRECONDITION_FAILED') return othersNow.includes(details.name ?? '');
  // Who investigates stays so while the case is reviewed; every other kind has ended where it cannot be passed on.
  return code === 'ILLEGAL_TRANSITION' && (kind !== 'MEMBERSHIP' || details.from === 'CLOSED');
}
