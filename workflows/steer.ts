import type { MachineName, StateMachines } from './stateMachines.ts';
import type { Started } from './wake.ts';

/** The run that an operator saw: by how often it had been redriven, since names stay. */
export type Asked = { execution: string; machine: MachineName; redriveCount: number };

/** Takes an execution up again, unless somebody has since: then what was asked for is done. */
export async function redrive(
  stateMachines: StateMachines,
  { execution, machine, redriveCount }: Asked,
): Promise<Started> {
  const before = await stateMachines.describe(machine, execution);
  if (!before) return { conflict: `${execution} is not known` };
  if (before.status === 'RUNNING' || before.redriveCount > redriveCount) return { providerMessageId: execution };
  if ((await stateMachines.redrive(machine, execution)) === 'redriven') return { providerMessageId: execution };
  return { conflict: `${execution} cannot be redriven` };
}

/** Stops the run that was seen; one that has ended, or was taken up again since, is another one. */
export async function stop(
  stateMachines: StateMachines,
  { execution, machine, redriveCount }: Asked,
): Promise<Started> {
  const now = await stateMachines.describe(machine, execution);
  if (!now) return { conflict: `${execution} is not known` };
  if (now.status === 'RUNNING' && now.redriveCount === redriveCount) await stateMachines.stop(machine, execution);
  return { providerMessageId: execution };
}
