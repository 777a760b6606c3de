import { readEffect } from '../../store/ledger.ts';
import { effectOf, type Deps, type EffectInput, type Task } from '../task.ts';

/** Where the mail stands before anything is sent: a later round, or a redrive, meets what the first one did. */
export async function checkNotification({ input }: Task<EffectInput>, { store }: Deps) {
  const { status } = await readEffect(store, effectOf(input, 'mailer'));
  return { status };
}
