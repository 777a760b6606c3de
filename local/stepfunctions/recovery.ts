import { catchersOf, retriersOf, type Catcher, type State } from './definition.ts';
import type { StateError } from './errors.ts';

/** Which retrier applies and after which pause; nothing when it has no attempt left, even if a later one would match. */
export function retryOf(
  state: State,
  failure: StateError,
  used: Record<number, number>,
  random: () => number,
): { retrier: number; delayMs: number } | undefined {
  const index = retriersOf(state).findIndex((retrier) => matches(retrier.ErrorEquals, failure.error));
  const retrier = retriersOf(state)[index];
  const before = used[index] ?? 0;
  if (!retrier || before >= (retrier.MaxAttempts ?? 3)) return undefined;
  const backedOff = (retrier.IntervalSeconds ?? 1) * (retrier.BackoffRate ?? 2) ** before;
  const seconds = Math.min(backedOff, retrier.MaxDelaySeconds ?? Infinity);
  return { retrier: index, delayMs: seconds * 1000 * (retrier.JitterStrategy === 'FULL' ? random() : 1) };
}

export const catcherOf = (state: State, failure: StateError): Catcher | undefined =>
  catchersOf(state).find((catcher) => matches(catcher.ErrorEquals, failure.error));

/** The wildcards leave out what nobody should go on after without having thought of it. */
function matches(names: string[], error: string): boolean {
  if (error === 'States.Runtime') return false;
  if (names.includes(error)) return true;
  if (error === 'States.DataLimitExceeded') return false;
  return names.includes('States.ALL') || (names.includes('States.TaskFailed') && error !== 'States.Timeout');
}
