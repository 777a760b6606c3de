import { sight } from '../../store/findings.ts';
import { withLease } from '../../store/lease.ts';
import { readEffect } from '../../store/ledger.ts';
import { unanswered } from './unanswered.ts';
import { command, effectOf, workerOf, type Deps, type Task } from '../task.ts';

/** Nobody can tell: the case stays pending, and the audit says that an operator has to settle it. */
export const recordRegistrationUnknown = (task: Task, { store }: Deps) =>
  withLease(store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) => {
    const { caseId, actionId } = task.input;
    const { submissionNumber } = await readEffect(store, effectOf(task.input, 'registry'));
    store.log({ alarm: 'registration unknown', effectId: task.input.effectId });
    await sight(store, task.input.tenant, unanswered('REGISTRATION_UNKNOWN', task.input, submissionNumber), 'CERTAIN');
    return command(store, task.input, lease, { type: 'recordRegistrationUnknown', caseId, actionId, submissionNumber });
  });
