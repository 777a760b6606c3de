/** Work beside the requests: one at a time per queue, awaited at the end, its failures logged and never fatal. */
export type Background = {
  /** Runs soon, after what was asked for before under the same name. */
  soon: (name: string, work: () => Promise<void>) => void;
  /** Again and again, `everyMs` after the end of the last run. */
  every: (name: string, everyMs: number, work: () => Promise<void>) => void;
  /** Once a day or so: each time after as long as `waitMs` then says. */
  at: (name: string, waitMs: () => number, work: () => Promise<void>) => void;
  /** Nothing new begins; what runs is awaited. */
  stop: () => Promise<void>;
};

export function startBackground(log: (line: Record<string, unknown>) => void): Background {
  const tails = new Map<string, Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;

  const soon: Background['soon'] = (name, work) => {
    if (stopped) return;
    const tail = (tails.get(name) ?? Promise.resolve()).then(() => (stopped ? undefined : work()));
    const settled = tail.catch((error: unknown) => {
      if (!stopped) log({ alarm: 'background work failed', name, error: (error as Error).name });
    });
    tails.set(name, settled);
    void settled.then(() => tails.get(name) === settled && tails.delete(name));
  };

  const at: Background['at'] = (name, waitMs, work) => {
    const again = () => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        soon(name, () => work().finally(again));
      }, waitMs());
      timers.add(timer);
    };
    again();
  };

  return {
    soon,
    at,
    every: (name, everyMs, work) => at(name, () => everyMs, work),
    stop: async () => {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(tails.values());
    },
  };
}
