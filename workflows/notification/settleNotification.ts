import { withLease } from '../../store/lease.ts';
import { readEffect } from '../../store/ledger.ts';
import { settle } from '../once.ts';
import { effectOf, workerOf, type Deps, type EffectInput, type Task } from '../task.ts';
import { mailOf, mailWork } from './mail.ts';

/** Asks the mailer what became of a mail whose sending is unknown. UNKNOWN again: it may be sent once more. */
export const settleNotification = (task: Task<EffectInput>, deps: Deps) =>
  withLease(deps.store, task.input.tenant, mailWork(task.input), workerOf(task), async (lease) => {
    const name = effectOf(task.input, 'mailer');
    const row = await readEffect(deps.store, name);
    const { status } = await settle(deps.store, name, lease, mailOf(task.input, row, deps));
    return { status };
  });
