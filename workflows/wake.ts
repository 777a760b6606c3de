import type { EffectKind } from '../domain/effect.ts';
import { instantOf } from '../store/calendar.ts';
import { executionStarted } from '../store/executions.ts';
import { executionNameOf } from '../store/identity.ts';
import { readEffect } from '../store/ledger.ts';
import type { Store } from '../store/store.ts';
import { wordFor } from './registration/submission.ts';
import { executionOf } from './statusChange.ts';
import type { MachineName, StateMachines } from './stateMachines.ts';
import { effectOf, type ActionInput, type EffectInput } from './task.ts';
import type { Provider } from '../domain/effect.ts';

/** Which machine carries out an effect. */
export const machineOf: Record<EffectKind, MachineName> = {
  NOTICE_MAIL: 'notice',
  NOTIFICATION: 'notification',
  REGISTRATION: 'registration',
};

export type Started = { providerMessageId: string } | { conflict: string };

/** Starts the execution that an effect and its round name; started before with the same input is success. */
export async function startEffect(
  store: Store,
  stateMachines: StateMachines,
  machine: MachineName,
  input: EffectInput,
): Promise<Started> {
  const name = executionNameOf(machine, input.effectId, input.round);
  const started = await stateMachines.start(machine, name, inputText(input));
  if (started === 'different') return { conflict: `${name} runs with another input` };
  await executionStarted(store, input.tenant, {
    ...executionOf(name, input),
    status: 'RUNNING',
    redriveCount: 0,
    startedAt: instantOf(store.now()),
  });
  return { providerMessageId: name };
}

/**
 * A row was moved without its waiting task: the task is told, and where nobody waits any more the reserved round is
 * started, which reads the ledger first and records the outcome (effects.md §3.8).
 */
export async function wake(
  store: Store,
  stateMachines: StateMachines,
  provider: Provider,
  input: EffectInput,
): Promise<Started> {
  const row = await readEffect(store, effectOf(input, provider));
  const word = provider === 'registry' ? wordFor(row) : undefined;
  if (word && row.token && (await stateMachines.answer(row.token, word)) === 'answered')
    return { providerMessageId: 'task-token' };
  return startEffect(store, stateMachines, machineOf[row.kind], input);
}

/** The input's bytes decide whether two starts are the same, so its order is fixed here. */
function inputText(input: EffectInput): string {
  const { tenant, caseId, actionId, noticeId, effectId, round, correlationId, requestedBy } = input as ActionInput;
  return JSON.stringify({ tenant, caseId, actionId, noticeId, effectId, round, correlationId, requestedBy });
}
