import { withLease } from '../../store/lease.ts';
import { readEffect } from '../../store/ledger.ts';
import { command, effectOf, workerOf, type Deps, type Task } from '../task.ts';

/** Nobody can tell: the case stays pending, and the audit says that an operator has to settle it. */
export const recordRegistrationUnknown = (task: Task, { store }: Deps) =>
  withLease(store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) => {
    const { caseId, actionId } = task.input;
    const { submissionNumber } = await readEffect(store, effectOf(task.input, 'registry'));
    store.log({ alarm: 'registration unknown', effectId: task.input.effectId });
    return command(store, task.input, lease, { type: 'recordRegistrationUnknown', caseId, actionId, submissionNumber });
  });
