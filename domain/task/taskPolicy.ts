import type { Case } from '../case/case.ts';
import type { Officer } from '../officer/officer.ts';
import { permits, sees, type Access, type Availability } from '../policy.ts';
import { illegalTransition, preconditionFailed, refused, type Refused } from '../refusal.ts';
import { openTaskStatuses, teams, type Task, type TaskStatus } from './task.ts';

/** How the actor stands to one task, beside how they stand to its case. */
export type TaskAccess = Access & { assignee: boolean; inTeam: boolean };

/** Whether the officer belongs to a team: that of their region, and those they are registered in. */
export const isIn = (teamId: string, officer: Pick<Officer, 'region' | 'teams'> | undefined): boolean =>
  officer !== undefined && (officer.region === teamId || officer.teams.includes(teamId));

export const taskAccess = (access: Access, task: Task, officer: Officer | undefined): TaskAccess => ({
  ...access,
  assignee: task.assigneeId === access.actor.id,
  inTeam: isIn(task.teamId, officer) || operates(access, task),
});

/** Operators see the work of operations on every case, and the case itself on none. */
export const seesTask = (access: Access, current: Pick<Case, 'classification'>, task: Task): boolean =>
  sees(access, current) || operates(access, task);

const operates = ({ actor }: Access, { teamId }: Task) => teamId === teams.operations && permits('OPERATE', actor);

type TaskRule = { who: (access: TaskAccess) => boolean; from: readonly TaskStatus[]; byHand: boolean };

const leadOr = ({ actor, relations }: TaskAccess, ...roles: string[]) =>
  relations.has('lead') || actor.roles.some((role) => roles.includes(role));
/** A team's work is given out by who answers for the case; that of operations by its operators. */
const incharge = (access: TaskAccess) =>
  leadOr(access, 'SUPERVISOR') || (access.inTeam && permits('OPERATE', access.actor));

/** The rows about one task. What ends with the review itself is assigned and ended with it, and not by hand. */
const taskRules = {
  claimTask: { who: (access) => access.inTeam || leadOr(access, 'SUPERVISOR'), from: ['UNASSIGNED'], byHand: false },
  assignTask: { who: (access) => access.assignee || incharge(access), from: openTaskStatuses, byHand: false },
  startTask: { who: ({ assignee }) => assignee, from: ['ASSIGNED', 'ON_HOLD'], byHand: true },
  holdTask: { who: ({ assignee }) => assignee, from: ['ASSIGNED', 'IN_PROGRESS'], byHand: true },
  completeTask: {
    who: (access) => access.assignee || incharge(access) || access.actor.roles.includes('SERVICE'),
    from: openTaskStatuses,
    byHand: false,
  },
  cancelTask: {
    who: (access) => incharge(access) || access.actor.roles.includes('SERVICE'),
    from: openTaskStatuses,
    byHand: false,
  },
} as const satisfies Record<string, TaskRule>;
export type TaskCommandName = keyof typeof taskRules;
export const taskCommands = Object.keys(taskRules) as TaskCommandName[];

/** Permitted? Asked before the version; excluded comes first, since it beats every role. */
export function permittedOnTask(command: TaskCommandName, access: TaskAccess): Refused | undefined {
  if (access.relations.has('excluded')) return refused('EXCLUDED', 'a declared conflict of interest excludes you');
  return taskRules[command].who(access) ? undefined : refused('NOT_PERMITTED', 'the task is not yours to do this with');
}

/** Allowed from where the task stands? Asked after the version. */
export function allowedOnTask(command: TaskCommandName, { status, type }: Pick<Task, 'status' | 'type'>) {
  const { from, byHand }: TaskRule = taskRules[command];
  if (!from.includes(status)) return illegalTransition(command, status, from);
  return type === 'REVIEW' && !byHand
    ? preconditionFailed('FOLLOWS_REVIEW', 'the task of a review is given and ended with the review itself')
    : undefined;
}

/** Each command on the task, allowed or refused, by the same functions that guard it. */
export const availableActionsOnTask = (access: TaskAccess, task: Task): Availability<TaskCommandName>[] =>
  taskCommands.map((command) => ({
    command,
    refusal: permittedOnTask(command, access) ?? allowedOnTask(command, task),
  }));
