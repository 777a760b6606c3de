import { withLease } from '../../store/lease.ts';
import { command, workerOf, type Deps, type Task } from '../task.ts';

/** The mailer has taken the mail: the notice is served. */
export const recordNoticeServed = (task: Task, { store }: Deps) =>
  withLease(store, task.input.tenant, task.input.caseId, workerOf(task), (lease) => {
    const { caseId, actionId, noticeId } = task.input;
    return command(store, task.input, lease, { type: 'recordNoticeServed', caseId, actionId, noticeId });
  });
