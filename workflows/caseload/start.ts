import { instantOf } from '../../store/calendar.ts';
import { executionStarted } from '../../store/executions.ts';
import { runNameOf } from '../../store/identity.ts';
import type { Store } from '../../store/store.ts';
import type { StateMachines } from '../stateMachines.ts';
import type { Started } from '../wake.ts';
import { caseloadExecution } from './execution.ts';
import type { CaseloadInput } from './input.ts';

/** Starts the execution of a run's round, by the name that its command's record has for it. */
export async function startCaseload(
  store: Store,
  stateMachines: StateMachines,
  { tenant, officerId, commandId, round, correlationId, requestedBy }: CaseloadInput,
): Promise<Started> {
  const input = { tenant, officerId, commandId, round, correlationId, requestedBy }; // in this order: its bytes are compared
  const name = runNameOf('caseload', commandId, round);
  if ((await stateMachines.start('caseload', name, JSON.stringify(input))) === 'different')
    return { conflict: `${name} runs with another input` };
  const begun = { status: 'RUNNING', redriveCount: 0, startedAt: instantOf(store.now()) } as const;
  await executionStarted(store, tenant, { ...caseloadExecution(name, input), ...begun });
  return { providerMessageId: name };
}
