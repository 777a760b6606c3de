import { check, create, remove, update, type Change } from '../change.ts';
import type { Case } from '../case/case.ts';
import type { Given } from '../command.ts';
import { absent, equals, oneOf } from '../condition.ts';
import type { CaseId, OfficerId, TaskId } from '../ids.ts';
import { ref } from '../refs.ts';
import { openTaskStatuses, type OpenTask, type Task, type TaskBlocks, type TaskCounts, type TaskEnd } from './task.ts';

/** What becomes of tasks in a transition of their case: the writes, the counts on META, and what the audit says. */
export type Work = { changes: Change[]; counts: TaskCounts; details: { tasks?: Became[] } };
type Became = { taskId: TaskId; type: string; status: string; assigneeId?: OfficerId };

/** One task's part in it: `by` is what it adds to the open ones. */
export type Part = { changes: Change[]; by: -1 | 0 | 1; blocks?: TaskBlocks; became?: Became };

/** All parts of one transition, in one transaction with it. */
export function work(current: TaskCounts, parts: readonly Part[]): Work {
  const moved = (blocks?: TaskBlocks) =>
    parts.filter((part) => blocks === undefined || part.blocks === blocks).reduce((sum, { by }) => sum + by, 0);
  const became = parts.flatMap((part) => part.became ?? []);
  return {
    changes: parts.flatMap(({ changes }) => changes),
    counts: {
      openTasks: current.openTasks + moved(),
      openBlockingReview: current.openBlockingReview + moved('REVIEW'),
      openBlockingClose: current.openBlockingClose + moved('CLOSE'),
    },
    details: became.length > 0 ? { tasks: became } : {},
  };
}

type Opening = Pick<Task, 'type' | 'origin' | 'title' | 'teamId'> &
  Partial<Pick<Task, 'assigneeId' | 'priority' | 'dueAt' | 'blocks' | 'note'>>;

/** A task comes with the transition, unless one of its type and origin is open already; `row` is its key as it was read. */
export function opens(
  { id: caseId, priority }: Pick<Case, 'id' | 'priority'>,
  opening: Opening,
  row: OpenTask | undefined,
  given: Given,
): Part {
  const { type, origin, assigneeId, blocks } = opening;
  const at = ref.openTask(caseId, type, origin);
  if (row) return { changes: [check(at, equals('taskId', row.taskId))], by: 0 };

  const taskId = given.id<TaskId>('task');
  const status = assigneeId ? 'ASSIGNED' : 'UNASSIGNED';
  const { commandId, requestHash } = given;
  const task: Task = {
    priority,
    ...opening,
    id: taskId,
    caseId,
    status,
    version: 1,
    openedAt: given.at,
    createdBy: { commandId, requestHash },
  };
  const key: OpenTask = { taskId, type, origin, ...(assigneeId && { assigneeId }), ...(blocks && { blocks }) };
  return {
    changes: [create(ref.task(caseId, taskId), task), create(at, key)],
    by: 1,
    ...(blocks && { blocks }),
    became: { taskId, type, status, ...(assigneeId && { assigneeId }) },
  };
}

/** The open task of a type and origin ends with the transition; where there is none, there still is none. */
export function ends(
  caseId: CaseId,
  type: Task['type'],
  origin: string,
  row: OpenTask | undefined,
  status: TaskEnd,
  given: Given,
): Part {
  if (!row) return { changes: [check(ref.openTask(caseId, type, origin), absent)], by: 0 };
  return endsOpen(caseId, row, status, given);
}

/** It leaves every list in this write: its key goes, and with the status its places in the indexes. */
export const endsOpen = (
  caseId: CaseId,
  row: OpenTask,
  status: TaskEnd,
  { at, actor }: Given,
  said: Pick<Task, 'note' | 'reason'> = {},
): Part => ({
  changes: [
    remove(ref.openTask(caseId, row.type, row.origin), equals('taskId', row.taskId)),
    update(
      ref.task(caseId, row.taskId),
      {
        set: { ...said, status, endedAt: at, endedBy: actor.id },
        remove: said.reason ? ['holdUntil'] : ['holdUntil', 'reason'],
        add: { version: 1 },
      },
      stillOpen,
    ),
  ],
  by: -1,
  ...(row.blocks && { blocks: row.blocks }),
  became: { taskId: row.taskId, type: row.type, status },
});

/** It becomes somebody's, or its team's again, whatever was begun on it. */
export function passes(caseId: CaseId, row: OpenTask, assigneeId: OfficerId | undefined): Part {
  const key = ref.openTask(caseId, row.type, row.origin);
  const status = assigneeId ? 'ASSIGNED' : 'UNASSIGNED';
  const gone = ['holdUntil', 'reason'];
  const whose = assigneeId ? { set: { assigneeId } } : { remove: ['assigneeId'] };
  return {
    changes: [
      update(key, whose, equals('taskId', row.taskId)),
      update(
        ref.task(caseId, row.taskId),
        assigneeId
          ? { set: { status, assigneeId }, remove: gone, add: { version: 1 } }
          : { set: { status }, remove: [...gone, 'assigneeId'], add: { version: 1 } },
        stillOpen,
      ),
    ],
    by: 0,
    became: { taskId: row.taskId, type: row.type, status, ...(assigneeId && { assigneeId }) },
  };
}

/** Every event of the case's tasks moves the case's audit, whose sequence is a premise; this says so at the task itself. */
export const stillOpen = oneOf('status', openTaskStatuses);
