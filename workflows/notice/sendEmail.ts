import { withLease } from '../../store/lease.ts';
import { once } from '../once.ts';
import { effectOf, workerOf, type Deps, type Task } from '../task.ts';
import { deliveryOf, deliveryStatus } from './delivery.ts';

/** Sends the notice by mail, once for all that can be known; throws `OutcomeUnknown` where it cannot be known. */
export const sendEmail = (task: Task, deps: Deps) =>
  withLease(deps.store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) =>
    deliveryStatus(await once(deps.store, effectOf(task.input, 'mailer'), lease, deliveryOf(task.input, deps))),
  );
