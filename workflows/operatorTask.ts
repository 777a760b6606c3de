import { Busy, OutcomeUnknown } from '../domain/answer.ts';
import type { AnyCommand } from '../domain/command.ts';
import { ref } from '../domain/refs.ts';
import type { ExecutionStatus } from '../domain/operations/execution.ts';
import type { CreateTask } from '../domain/task/createTask.ts';
import type { CompleteTask } from '../domain/task/endTask.ts';
import { teams } from '../domain/task/task.ts';
import { execute } from '../store/execute.ts';
import { serviceKeyOf } from '../store/identity.ts';
import { readItems } from '../store/read.ts';
import type { Store } from '../store/store.ts';
import { service, type EffectInput } from './task.ts';

/** One run of an execution: how often it had been redriven. */
type Run = { execution: string; input: EffectInput; redriveCount: number };

/**
 * An operator is to look at an execution that ended without an outcome. Its name is the task's origin, so that there is
 * one task however often it is told; ended again after a redrive, the same task stands, or a new one where it was done.
 */
export async function asksOperator(store: Store, run: Run, status: ExecutionStatus): Promise<void> {
  const { execution, input } = run;
  await asService(store, run, {
    type: 'createTask',
    caseId: input.caseId,
    taskType: 'OPERATOR',
    origin: execution,
    title: `An execution ended as ${status}`,
    teamId: teams.operations,
    priority: 'HIGH',
  } satisfies CreateTask);
}

/** Redriven, it came to its end after all: nobody need look at it any more. */
export async function needsNoOperator(store: Store, run: Run): Promise<void> {
  const { execution, input } = run;
  const { caseId } = input;
  const [open] = await readItems(store, input.tenant, [ref.openTask(caseId, 'OPERATOR', execution)]);
  if (!open) return;
  await asService(store, run, { type: 'completeTask', caseId, taskId: open.taskId } satisfies CompleteTask);
}

async function asService(store: Store, { execution, input, redriveCount }: Run, command: AnyCommand): Promise<void> {
  const { tenant, effectId, round, correlationId, requestedBy } = input;
  const idempotencyKey = serviceKeyOf(effectId, round, `${command.type}/${redriveCount}`);
  const envelope = { tenant, actor: service, onBehalfOf: requestedBy, idempotencyKey, correlationId };
  const answer = await execute(store, envelope, command).catch((error: unknown) => {
    if (error instanceof OutcomeUnknown) throw new Busy('the command may have been applied; its key tells', 'NOT_YET');
    throw error;
  });
  // A case that is closed by now, or full of tasks: the alarm and the operators' list of executions still say it.
  if (answer.kind === 'refused' && answer.code !== 'NO_CHANGE')
    store.log({ alarm: 'no task for an operator', execution, tenant, refused: answer.code });
}
