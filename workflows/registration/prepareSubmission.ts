import type { Deps, Task } from '../task.ts';
import { readAction } from './submission.ts';

/** Whether this submission is still the action's current one and awaits its answer: a late round must not send. */
export async function prepareSubmission({ input }: Task, { store }: Deps) {
  const action = await readAction(store, input);
  const current = action.submissionEffectId === input.effectId && action.status === 'REGISTRATION_PENDING';
  return { current };
}
