import { withLease } from '../../store/lease.ts';
import { settle } from '../once.ts';
import { effectOf, workerOf, type Deps, type Task } from '../task.ts';
import { deliveryOf, deliveryStatus } from './delivery.ts';

/** Asks the mailer what became of a mail whose sending is unknown. Never a second send before "not sent" is settled. */
export const settleDelivery = (task: Task, deps: Deps) =>
  withLease(deps.store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) =>
    deliveryStatus(await settle(deps.store, effectOf(task.input, 'mailer'), lease, deliveryOf(task.input, deps))),
  );
