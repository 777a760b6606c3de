import { withLease } from '../../store/lease.ts';
import { keepToken, readEffect } from '../../store/ledger.ts';
import { once } from '../once.ts';
import { effectOf, workerOf, type Deps, type Task } from '../task.ts';
import { submissionOf, wordFor } from './submission.ts';

/**
 * Files the issued action with the registry; its answer comes back through the callback. The token is kept before the
 * call and the row is read again after it, so that an answer that came in between still ends the wait; only then, with
 * the lease free again, is the task's own token ended.
 */
export async function submitToRegistry(task: Task, deps: Deps) {
  const row = await withLease(deps.store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) => {
    const name = effectOf(task.input, 'registry');
    await keepToken(deps.store, name, task.token!, lease.fence);
    await once(deps.store, name, lease, submissionOf(task.input, deps));
    return readEffect(deps.store, name);
  });
  const word = wordFor(row);
  if (word) await deps.stateMachines.answer(task.token!, word);
  return { status: row.status };
}
