import { cancellable } from '../../domain/effect.ts';
import { withLease } from '../../store/lease.ts';
import { readEffect, step } from '../../store/ledger.ts';
import { once } from '../once.ts';
import { effectOf, workerOf, type Deps, type EffectInput, type Task } from '../task.ts';
import { mailOf, mailWork } from './mail.ts';
import { reachable } from './recipient.ts';

/**
 * Tells the officer by mail, once for all that can be known. Who has left by now, or whose mail comes back, is not
 * written to. Throws `OutcomeUnknown` where it cannot be known whether it was sent.
 */
export const sendNotification = (task: Task<EffectInput>, deps: Deps) =>
  withLease(deps.store, task.input.tenant, mailWork(task.input), workerOf(task), async (lease) => {
    const { input } = task;
    const { store } = deps;
    const name = effectOf(input, 'mailer');
    const row = await readEffect(store, name);
    if (cancellable.includes(row.status) && !(await reachable(store, input.tenant, row))) {
      const set = { error: 'the recipient cannot be written to' };
      const { status } = await step(store, name, { to: 'CANCELLED', row, fence: lease.fence, set });
      return { status };
    }
    const { status, error } = await once(store, name, lease, mailOf(input, row, deps));
    if (status === 'FAILED_FINAL') store.log({ alarm: 'officer not reached', effectId: input.effectId, error });
    return { status };
  });
