import type { OfficerId } from '../ids.ts';
import { noChange, preconditionFailed, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings, todayIn } from '../tenant.ts';
import { assignees, canHave, stillHas } from './assignee.ts';
import { keyOf, type Task } from './task.ts';
import { defineTaskCommand, type OnTask } from './taskCommand.ts';
import { passes } from './work.ts';

export type ClaimTask = OnTask<'claimTask'>;
export type AssignTask = OnTask<'assignTask'> & {
  /** Whose it is now, as the caller sees it; null for the team's. */
  expectedAssigneeId: OfficerId | null;
  /** Null: it goes back to its team. */
  assigneeId: OfficerId | null;
};

/** An officer takes a task of their team. */
export const claimTask = defineTaskCommand({
  type: 'claimTask',
  invariant: ['A task is taken once, by somebody who is active, not absent and not excluded.'],
  reads: (_command: ClaimTask) => ({ tenant: ref.tenant() }),
  decide: (task, { tenant, actor }, _command, given, current) => {
    if (!tenant) return noSettings();
    const today = todayIn(tenant, given);
    const assigneeId = given.actor.id;
    const no = canHave(assigneeId, current, { assignee: actor }, today, given);
    if (no) return no;
    return {
      announces: 'TaskClaimed',
      part: passes(task.caseId, keyOf(task), assigneeId),
      premises: stillHas(assigneeId, current, {}, today),
    };
  },
});

/** A task is given to somebody, or back to its team; what was begun on it is begun anew. */
export const assignTask = defineTaskCommand({
  type: 'assignTask',
  invariant: [
    'A task is given to nobody who is not active, absent, excluded, or may not see the case.',
    'It passes only from whom the caller saw it with.',
  ],
  reads: ({ caseId, assigneeId }: AssignTask) => ({
    tenant: ref.tenant(),
    ...(assigneeId !== null && assignees(caseId, assigneeId)),
  }),
  decide: (task, found, { assigneeId, expectedAssigneeId }, given, current) => {
    const no =
      passedOn(task, expectedAssigneeId) ?? (assigneeId === (task.assigneeId ?? null) ? whoseAlready : undefined);
    if (no) return no;
    const part = passes(task.caseId, keyOf(task), assigneeId ?? undefined);
    const details = { wasWith: task.assigneeId ?? null };
    if (assigneeId === null) return { announces: 'TaskReturned', part, details };
    if (!found.tenant) return noSettings();
    const today = todayIn(found.tenant, given);
    const cannot = canHave(assigneeId, current, found, today, given);
    if (cannot) return cannot;
    return { announces: 'TaskAssigned', part, details, premises: stillHas(assigneeId, current, found, today) };
  },
});

const whoseAlready = noChange('it is so already');
const passedOn = ({ assigneeId }: Task, expected: OfficerId | null): Refused | undefined =>
  (assigneeId ?? null) === expected
    ? undefined
    : preconditionFailed('ASSIGNEE_CHANGED', 'the task is with another than the command was decided on');
