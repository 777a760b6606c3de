import { readEffect } from '../../store/ledger.ts';
import { effectOf, type Deps, type Task } from '../task.ts';
import { deliveryStatus } from './delivery.ts';

/** Where the mail stands before anything is sent: a later round, or a redrive, meets what the first one did. */
export const checkDelivery = async ({ input }: Task, { store }: Deps) =>
  deliveryStatus(await readEffect(store, effectOf(input, 'mailer')));
