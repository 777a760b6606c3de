import { providerOf, type EffectKind } from '../domain/effect.ts';
import type { TenantId } from '../domain/ids.ts';
import { withoutOutcome, type Execution, type ExecutionStatus } from '../domain/operations/execution.ts';
import { instantOf } from '../store/calendar.ts';
import { executionChanged } from '../store/executions.ts';
import type { Store } from '../store/store.ts';
import { asksOperator, needsNoOperator } from './operatorTask.ts';
import { effectMachines } from './stateMachines.ts';
import type { EffectInput } from './task.ts';

/** The part of the event that EventBridge delivers; the embedded Step Functions tell the same. Times in milliseconds. */
export type StatusChange = {
  detail: {
    name: string;
    status: string;
    startDate: number;
    stopDate?: number | null;
    input?: string | null;
    error?: string | null;
    redriveCount?: number;
  };
};

/** What carries a machine's effects: its executions are found by what they are about. */
const effectOfMachine = {
  notice: 'NOTICE_MAIL',
  notification: 'NOTIFICATION',
  registration: 'REGISTRATION',
} as const satisfies Record<(typeof effectMachines)[number], EffectKind>;

/**
 * An execution began, ended or was taken up again: our own index says so. One that ended without an outcome is alarmed,
 * stands in the operators' list and is a task of theirs on its case; its effect is not lost meanwhile, since the sweep looks for rows that nobody works on.
 */
export async function recordStatusChange(store: Store, { detail }: StatusChange): Promise<void> {
  const { name, startDate, stopDate, error } = detail;
  const input = JSON.parse(detail.input ?? 'null') as Partial<EffectInput> | null;
  if (input?.tenant && name.startsWith('recon-')) {
    // About a whole tenant: no case's list has it, and its report stands in the log.
    if (endedWithoutOutcome(detail.status as ExecutionStatus)) alarm(store, input.tenant, name, detail.status, error);
    return;
  }
  if (!input?.tenant || !input.caseId || !machineOfExecution(name)) {
    store.log({ alarm: 'execution of nobody', execution: name, status: detail.status });
    return;
  }
  const status = detail.status as ExecutionStatus;
  const tenant = input.tenant;
  const redriveCount = detail.redriveCount ?? 0;
  const stands = await executionChanged(store, tenant, {
    ...executionOf(name, input as EffectInput),
    status,
    redriveCount,
    startedAt: instantOf(startDate),
    ...(typeof stopDate === 'number' && { stoppedAt: instantOf(stopDate) }),
    ...(error && { error: error.slice(0, 100) }),
  });
  if (!stands) return;
  const run = { execution: name, input: input as EffectInput, redriveCount };
  if (endedWithoutOutcome(status)) {
    alarm(store, tenant, name, status, error);
    await asksOperator(store, run, status);
  }
  if (status === 'SUCCEEDED' && redriveCount > 0) await needsNoOperator(store, run);
}

/** What an execution's name and input say of it, for its item. */
export function executionOf(
  name: string,
  { caseId, effectId, round, correlationId }: EffectInput,
): Pick<Execution, 'name' | 'machine' | 'aggregateType' | 'aggregateId' | 'effect' | 'round' | 'correlationId'> {
  const machine = machineOfExecution(name)!;
  const effect = { provider: providerOf[effectOfMachine[machine]], effectId };
  return { name, machine, aggregateType: 'Case', aggregateId: caseId, effect, round, correlationId };
}

/** Names begin with their machine's. */
const machineOfExecution = (name: string) => effectMachines.find((machine) => name.startsWith(`${machine}-`));

const endedWithoutOutcome = (status: ExecutionStatus) => (withoutOutcome as readonly string[]).includes(status);

const alarm = (store: Store, tenant: TenantId, execution: string, status: string, error: string | null | undefined) =>
  store.log({ alarm: 'execution ended badly', execution, status, tenant, ...(error && { error }) });
