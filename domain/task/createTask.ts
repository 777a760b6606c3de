import { type Change } from '../change.ts';
import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from '../case/caseCommand.ts';
import type { Priority } from '../case/case.ts';
import type { LocalDate, OfficerId, TaskId } from '../ids.ts';
import { invalid, noChange, preconditionFailed, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { hardLimits, noSettings, todayIn } from '../tenant.ts';
import { calendarDate, firstOf, line, matching, paragraph } from '../text.ts';
import { assignees, canHave, stillHas } from './assignee.ts';
import { teamOf, type TaskBlocks, type TaskType } from './task.ts';
import { opens, work } from './work.ts';

export type CreateTask = OnAnyVersion<'createTask'> & {
  taskType: TaskType;
  title: string;
  /** What it came from; the task is the only open one of its type and origin. Its own id unless given. */
  origin?: string;
  /** Whose it is; its team's unless given. */
  assigneeId?: OfficerId;
  /** Where it is found while nobody has it; the team of the case's region unless given. */
  teamId?: string;
  priority?: Priority;
  dueAt?: LocalDate;
  blocks?: TaskBlocks;
  note?: string;
};

/** A piece of work begins, while there is room: each type and origin at most once, for somebody who can do it. */
export const createTask = defineCaseCommand({
  type: 'createTask',
  invariant: [
    'Of one type and origin a case has at most one open task.',
    'A closed case has no open task, and a live one no more than can be ended in the transaction that closes it.',
    'Work is given to nobody who is not active, absent, excluded, or may not see the case.',
  ],
  stale: anyVersion,
  reads: (command: CreateTask, given) => {
    const { caseId, taskType, assigneeId } = command;
    return {
      tenant: ref.tenant(),
      task: ref.task(caseId, given.id<TaskId>('task')),
      openTask: ref.openTask(caseId, taskType, command.origin ?? given.id<TaskId>('task')),
      ...(assigneeId && assignees(caseId, assigneeId)),
    };
  },
  repeated: ({ openTask }) => (openTask ? noChange('such a task is open already') : undefined),
  decide: (current, found, command, given) => {
    const { taskType, title, assigneeId, teamId = teamOf(current.region), priority, dueAt, blocks, note } = command;
    const origin = command.origin ?? given.id<TaskId>('task');
    const bad = (given.actor.roles.includes('SERVICE') ? undefined : notByHand(taskType)) ?? badInput(command);
    if (bad) return bad;
    if (!found.tenant) return noSettings();
    const today = todayIn(found.tenant, given);
    if (dueAt !== undefined && dueAt < today) return invalid('NOT_IN_PAST', ['dueAt'], 'lies in the past');
    const limit = Math.min(hardLimits.openTasks, found.tenant.limits.openTasks);
    const count = current.openTasks;
    if (count >= limit)
      return refused('LIMIT_REACHED', `the case has ${count} of ${limit} open tasks`, { limit, count });
    if (blocks === 'REVIEW' && current.status !== 'OPEN')
      return preconditionFailed('PAST_REVIEW', 'the case is past what the task would block');
    const cannot = assigneeId && canHave(assigneeId, current, found, today, given);
    if (cannot) return cannot;

    const opening = {
      ...{ type: taskType, origin, title, teamId },
      ...(assigneeId && { assigneeId }),
      ...(priority && { priority }),
      ...(dueAt && { dueAt }),
      ...(blocks && { blocks }),
      ...(note !== undefined && { note }),
    };
    const { counts, changes } = work(current, [opens(current, opening, undefined, given)]);
    const taskId = given.id<TaskId>('task');
    const has: Change[] = assigneeId ? stillHas(assigneeId, current, found, today) : [];
    return caseTransition(current, { ...current, ...counts }, command, given, {
      moves: 'child',
      announces: 'TaskCreated',
      changed: ['tasks'],
      details: { taskId, taskType, origin, title, teamId, assigneeId: assigneeId ?? null, blocks: blocks ?? null },
      payload: { taskId, taskType, assigneeId: assigneeId ?? null },
      changes: [...changes, ...has],
      created: { task: taskId },
    });
  },
});

const byHand: readonly TaskType[] = ['GENERAL', 'SUPERVISOR'];
const notByHand = (type: TaskType): Refused | undefined =>
  byHand.includes(type) ? undefined : invalid('TASK_TYPE', ['type'], `a ${type} task comes by itself, not by hand`);

const badInput = ({ title, origin, teamId, dueAt, note }: CreateTask) =>
  firstOf(
    line(title, 'title'),
    origin === undefined ? undefined : matching(origin, /^[A-Za-z0-9_.-]{1,128}$/, 'ORIGIN', 'origin'),
    teamId === undefined ? undefined : matching(teamId, /^[A-Za-z0-9_-]{1,64}$/, 'TEAM', 'teamId'),
    dueAt === undefined ? undefined : calendarDate(dueAt, 'dueAt'),
    note === undefined ? undefined : paragraph(note, 'note'),
  );
