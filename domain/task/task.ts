import type { CaseCounts, CreatedBy, Priority } from '../case/case.ts';
import type { CaseId, Instant, LocalDate, OfficerId, TaskId } from '../ids.ts';

/**
 * What a task is about. People make GENERAL and SUPERVISOR ones; the others come with what happens to a case, or from a
 * workflow: TRIAGE a new case, REVIEW a submitted one, REWORK a returned one, SERVICE of a notice by other means,
 * REGISTRATION after a refusal, OPERATOR for what no officer can settle.
 */
export const taskTypes = [
  'TRIAGE',
  'REVIEW',
  'REWORK',
  'SERVICE',
  'REGISTRATION',
  'OPERATOR',
  'SUPERVISOR',
  'GENERAL',
] as const;
export type TaskType = (typeof taskTypes)[number];

export const openTaskStatuses = ['UNASSIGNED', 'ASSIGNED', 'IN_PROGRESS', 'ON_HOLD'] as const;
export const taskStatuses = [...openTaskStatuses, 'COMPLETED', 'CANCELLED'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export type TaskEnd = Exclude<TaskStatus, (typeof openTaskStatuses)[number]>;

/** What of the case waits until the task is done. */
export const taskBlocks = ['REVIEW', 'CLOSE'] as const;
export type TaskBlocks = (typeof taskBlocks)[number];

/** Teams that exist everywhere. The team of a region has the region's name: whoever is registered there belongs to it. */
export const teams = { operations: 'OPERATIONS', supervisors: 'SUPERVISORS', reviewers: 'REVIEWERS' } as const;

export const teamOf = (region: string): string => region;

/** One piece of work on a case. It is somebody's, or its team's: while it is open, somebody can always act on it. */
export type Task = {
  id: TaskId;
  caseId: CaseId;
  type: TaskType;
  /** What it came from: of one type and origin a case has at most one open task. */
  origin: string;
  title: string;
  status: TaskStatus;
  /** Where it is found while nobody has it, and where it goes back to. */
  teamId: string;
  assigneeId?: OfficerId;
  priority: Priority;
  dueAt?: LocalDate;
  blocks?: TaskBlocks;
  note?: string;
  /** ON_HOLD: until this day. */
  holdUntil?: LocalDate;
  /** Why it is on hold, or was cancelled. */
  reason?: string;
  version: number;
  openedAt: Instant;
  endedAt?: Instant;
  endedBy?: OfficerId;
  createdBy: CreatedBy;
};

/** The key that makes an open task the only one of its type and origin; it says whose, and what waits for it. */
export type OpenTask = Pick<Task, 'type' | 'origin' | 'assigneeId' | 'blocks'> & { taskId: TaskId };

/** The origin of tasks of which a case has one at a time: its triage, its review, its rework. */
export const theCase = 'CASE';

/** What its key says of an open task. */
export const keyOf = ({ id, type, origin, assigneeId, blocks }: Task): OpenTask => ({
  taskId: id,
  type,
  origin,
  ...(assigneeId && { assigneeId }),
  ...(blocks && { blocks }),
});

export const isOpenTask = ({ status }: Pick<Task, 'status'>): boolean =>
  (openTaskStatuses as readonly TaskStatus[]).includes(status);

/** The counts on META that tasks move. */
export type TaskCounts = Pick<CaseCounts, 'openTasks' | 'openBlockingReview' | 'openBlockingClose'>;
