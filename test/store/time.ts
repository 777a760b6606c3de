import type { Store } from '../../store/store.ts';

export const noon = Date.parse('2026-03-02T12:00:00.000Z');

/** The same store on a clock that stands still until it is moved; who sleeps moves it, and nobody waits. */
export function onMovedClock(store: Store, start = noon) {
  let at = start;
  const clock = { now: () => at, move: (ms: number) => void (at += ms) };
  const moved: Store = {
    ...store,
    now: clock.now,
    monotonic: clock.now,
    random: () => 0.5,
    sleep: (ms) => Promise.resolve(clock.move(ms)),
  };
  return { clock, store: moved };
}
