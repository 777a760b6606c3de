import { setTimeout as pause } from 'node:timers/promises';

/** The one source of time: in the host the system's, in tests one that moves days at once. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves at that moment, at once if it has passed; rejects when the signal is aborted. */
  sleepUntil(at: number, signal: AbortSignal): Promise<void>;
};

/** A longer timer would fire at once, so a long sleep is several. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleepUntil(at, signal) {
    for (let left = at - Date.now(); left > 0; left = at - Date.now())
      await pause(Math.min(left, LONGEST_TIMER), undefined, { signal });
  },
};

/** Stands still until it is moved; everything due up to then wakes, the earliest first. */
export function movableClock(start: number): Clock & { moveBy(ms: number): void; sleepers(): number } {
  type Sleeper = { at: number; wake: () => void };
  const sleepers = new Set<Sleeper>();
  let time = start;
  return {
    now: () => time,
    sleepers: () => sleepers.size,
    moveBy(ms) {
      time += ms;
      const due = [...sleepers].filter((sleeper) => sleeper.at <= time).sort((a, b) => a.at - b.at);
      for (const sleeper of due) sleeper.wake();
    },
    sleepUntil: (at, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        if (at <= time) return resolve();
        const interrupt = () => {
          sleepers.delete(sleeper);
          reject(signal.reason as Error);
        };
        const wake = () => {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', interrupt);
          resolve();
        };
        const sleeper = { at, wake };
        sleepers.add(sleeper);
        signal.addEventListener('abort', interrupt, { once: true });
      }),
  };
}
