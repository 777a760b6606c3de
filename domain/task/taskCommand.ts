import type { Case } from '../case/case.ts';
import { caseTransition, premisesOf, staleSince } from '../case/caseCommand.ts';
import { check, update, type Change } from '../change.ts';
import { defineCommand, type AnyDefinition, type Given } from '../command.ts';
import { all, any, contains, equals, exists } from '../condition.ts';
import type { CaseId, TaskId } from '../ids.ts';
import type { Officer } from '../officer/officer.ts';
import { relationsOf, type Access } from '../policy.ts';
import { refused, type Refused } from '../refusal.ts';
import { ref, type Found, type Reads } from '../refs.ts';
import type { Transition } from '../transition.ts';
import { isIn, permittedOnTask, allowedOnTask, seesTask, taskAccess, type TaskCommandName } from './taskPolicy.ts';
import type { Task } from './task.ts';
import type { Part } from './work.ts';
import { work } from './work.ts';

/** A command on one task; `expectedVersion` is the task's. Workflows give none. */
export type OnTask<Name extends TaskCommandName> = {
  type: Name;
  caseId: CaseId;
  taskId: TaskId;
  expectedVersion?: number;
};

/** What the command makes of the task, and of the other items that it is decided on. */
export type Act = { announces: string; part: Part; details?: Record<string, unknown>; premises?: Change[] };

type TaskCommand<C extends OnTask<TaskCommandName>, R extends Reads> = {
  type: C['type'];
  invariant: readonly string[];
  reads: (command: C, given: Given) => R;
  decide: (
    task: Task,
    found: Found<R> & { actor?: Officer; investigatorGuard?: Found<Standing>['investigatorGuard'] },
    command: C,
    given: Given,
    current: Case,
  ) => Act | Refused;
};

type Standing = ReturnType<typeof standing>;

/**
 * The checks of every command, in the same order, about a task: visible, permitted, version, status; then its own rule.
 * Not through the case's gate, since operators see tasks of operations and no case.
 */
export function defineTaskCommand<C extends OnTask<TaskCommandName>, R extends Reads>(
  definition: TaskCommand<C, R>,
): AnyDefinition {
  return defineCommand<C, R & Standing, Record<never, never>>({
    type: definition.type,
    invariant: definition.invariant,
    reads: (command, given) => ({ ...definition.reads(command, given), ...standing(command, given) }),
    decide: (found, command, given) => {
      const { case: current, task, actor, investigatorGuard, exclusion } = found as Found<Standing>;
      if (!current || !task) return refused('NOT_FOUND', 'no such task');
      const investigators = investigatorGuard?.officerIds ?? new Set();
      const relations = relationsOf(given.actor.id, current, investigators, exclusion !== undefined);
      const access = taskAccess({ actor: given.actor, relations }, task, actor);
      if (!seesTask(access, current, task)) return refused('NOT_FOUND', 'no such task');
      const no =
        permittedOnTask(command.type, access) ?? stale(task, command, given) ?? allowedOnTask(command.type, task);
      if (no) return no;

      const act = definition.decide(task, found, command, given, current);
      if ('kind' in act) return act;
      return transitionOf(current, task, act, command, given, [
        ...premisesOf(access, command.caseId),
        ...ofTheTeam(access, task, actor),
      ]);
    },
  });
}

const standing = ({ caseId, taskId }: { caseId: CaseId; taskId: TaskId }, given: Given) => ({
  case: ref.case(caseId),
  task: ref.task(caseId, taskId),
  investigatorGuard: ref.investigatorGuard(caseId),
  exclusion: ref.exclusion(caseId, given.actor.id),
  actor: ref.officer(given.actor.id),
});

const stale = ({ version }: Task, { expectedVersion }: OnTask<TaskCommandName>, { actor }: Given) =>
  expectedVersion === undefined && actor.roles.includes('SERVICE')
    ? undefined
    : staleSince('the task', { version, touched: {} }, expectedVersion);

/** Who acts as a member of the team still is one when it is written. */
const ofTheTeam = ({ actor }: Access, { teamId }: Task, officer: Officer | undefined): Change[] =>
  isIn(teamId, officer)
    ? [check(ref.officer(actor.id), all(exists, any(equals('region', teamId), contains('teams', teamId))))]
    : [];

function transitionOf(
  current: Case,
  task: Task,
  { announces, part, details, premises = [] }: Act,
  command: { type: TaskCommandName },
  given: Given,
  granted: Change[],
): Transition {
  const { counts, changes } = work(current, [part]);
  const { id: taskId, type: taskType } = task;
  const { status, assigneeId } = part.became!;
  return caseTransition(current, { ...current, ...counts }, command, given, {
    moves: 'child',
    announces,
    changed: ['tasks'],
    details: { taskId, taskType, was: task.status, status, ...(assigneeId && { assigneeId }), ...details },
    payload: { taskId, taskType, taskStatus: status, ...(assigneeId && { assigneeId }) },
    changes: [...changes.map((change) => onVersion(change, task)), ...premises, ...granted],
  });
}

/** The task's own write stands on the version that was read. */
const onVersion = (change: Change, { id, version }: Task): Change =>
  change.kind === 'update' && change.ref.of === 'task' && change.ref.taskId === id
    ? update(change.ref, change.update, all(change.when, equals('version', version)))
    : change;
