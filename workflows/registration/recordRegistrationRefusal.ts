import { withLease } from '../../store/lease.ts';
import { readEffect } from '../../store/ledger.ts';
import { command, effectOf, workerOf, type Deps, type Task } from '../task.ts';

/** The registry refused, or an operator cancelled: the action can be submitted again. */
export const recordRegistrationRefusal = (task: Task, { store }: Deps) =>
  withLease(store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) => {
    const { caseId, actionId } = task.input;
    const row = await readEffect(store, effectOf(task.input, 'registry'));
    const { submissionNumber } = row;
    const cause = row.status === 'CANCELLED' ? 'CANCELLED' : 'REFUSED';
    const reason = row.error ?? cause;
    const asked = { type: 'recordRegistrationRefusal', caseId, actionId, submissionNumber, cause, reason };
    return command(store, task.input, lease, asked);
  });
