/** Virtual time: whoever sleeps is woken in the order of the clock, one at a time, when nobody else can go on. */
export type Scheduler = {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** Until nobody sleeps any more. */
  run: () => Promise<void>;
  /** Who still sleeps: nobody, after a whole run (I10). */
  waiting: () => number;
};

type Sleeper = { at: number; order: number; wake: () => void };

export function schedulerFrom(start: number): Scheduler {
  const sleepers: Sleeper[] = [];
  let now = start;
  let order = 0;
  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((wake) => {
        const sleeper = { at: now + Math.max(0, ms), order: order++, wake };
        let i = sleepers.length;
        while (i > 0 && later(sleepers[i - 1]!, sleeper)) i--;
        sleepers.splice(i, 0, sleeper);
      }),
    run: async () => {
      await settled();
      for (let next = sleepers.shift(); next; next = sleepers.shift()) {
        now = next.at;
        next.wake();
        await settled();
      }
    },
    waiting: () => sleepers.length,
  };
}

const later = (a: Sleeper, b: Sleeper) => a.at > b.at || (a.at === b.at && a.order > b.order);

/** Every promise that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
