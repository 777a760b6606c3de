/**
 * What one process may spend on repeats (commands.md §6). A database in a brown-out answers late or not at all; if
 * every request then repeats itself, the load multiplies exactly when it cannot be borne. First tries are free.
 */
export type TokenBucket = {
  /** Pays for one repeat; false where the process has none left: the request gives up honestly. */
  take: () => boolean;
  /** A transaction went through: the database can bear a little more. */
  give: () => void;
};

const capacity = 500;
const repeat = 5;
const perSuccess = 1;
/** So that a process whose traffic has ended recovers, too. */
const perSecond = 5;

/** `monotonic` in milliseconds. */
export function tokenBucket(monotonic: () => number): TokenBucket {
  let tokens = capacity;
  let at = monotonic();
  const refill = (more: number) => {
    const now = monotonic();
    tokens = Math.min(capacity, tokens + ((now - at) / 1_000) * perSecond + more);
    at = now;
  };
  return {
    take: () => {
      refill(0);
      if (tokens < repeat) return false;
      tokens -= repeat;
      return true;
    },
    give: () => refill(perSuccess),
  };
}
