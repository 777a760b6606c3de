import { withLease } from '../../store/lease.ts';
import { readEffect } from '../../store/ledger.ts';
import { command, effectOf, workerOf, type Deps, type Task } from '../task.ts';

/** The mail was refused for good: an officer must serve by other means. */
export const recordNoticeUndeliverable = (task: Task, { store }: Deps) =>
  withLease(store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) => {
    const { caseId, actionId, noticeId } = task.input;
    const { error } = await readEffect(store, effectOf(task.input, 'mailer'));
    const failure = error ?? 'the mail was refused';
    return command(store, task.input, lease, {
      type: 'recordNoticeUndeliverable',
      caseId,
      actionId,
      noticeId,
      failure,
    });
  });
