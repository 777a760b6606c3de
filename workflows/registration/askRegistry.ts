import { withLease } from '../../store/lease.ts';
import { step } from '../../store/ledger.ts';
import { settle } from '../once.ts';
import { effectOf, workerOf, type Deps, type Task } from '../task.ts';
import { submissionOf } from './submission.ts';

/** After the registry has said this often that nothing arrived, a person has to look. */
const mostResubmissions = 3;

/** Asks the registry what became of the submission; the machine branches on the row's status. */
export const askRegistry = (task: Task, deps: Deps) =>
  withLease(deps.store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) => {
    const name = effectOf(task.input, 'registry');
    const row = await settle(deps.store, name, lease, submissionOf(task.input, deps));
    if (row.status !== 'FAILED_RETRYABLE' || (row.notFound ?? 0) <= mostResubmissions) return { status: row.status };
    const error = `the registry never received it, sent ${row.attempt} times`;
    const given = await step(deps.store, name, { to: 'FAILED_FINAL', row, fence: lease.fence, set: { error } });
    return { status: given.status };
  });
