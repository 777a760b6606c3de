import type { CommandRecord } from './record.ts';
import type { Plan } from './writes.ts';
import type { Store } from './store.ts';

/** Retry policy of commands.md §6, in milliseconds. */
export const policy = {
  longestDeadline: 20_000,
  /** One attempt's limit, which the client enforces; an attempt starts only if it and rule 8 fit the time left. */
  attempt: 1_000,
  reservedForFence: 1_000,
  tries: 20,
  /** The database forgets a token after 10 minutes; a repeat after that would be a new request. */
  tokenLife: 9 * 60_000,
} as const;

const pauses = {
  CONTENTION: { base: 25, cap: 400 },
  OVERLOADED: { base: 100, cap: 2_000 },
  NOT_SENT: { base: 50, cap: 1_000 },
  AMBIGUOUS: { base: 50, cap: 1_000 },
  IN_PROGRESS: { base: 200, cap: 1_000 },
} as const;
export type PauseReason = keyof typeof pauses;

/** What a rival or the database's own bookkeeping causes; a repeat of these is no load on a database in trouble. */
const local: readonly PauseReason[] = ['CONTENTION', 'IN_PROGRESS'];

/** The deadline, the pauses and the sends whose fate is unknown, of one request. */
export type Attempts = {
  readonly count: number;
  /** The last reason that made it wait: what "not done" is called when time runs out. */
  readonly lastReason: PauseReason;
  /** Whether one more attempt may start: in time to fence afterwards, within its tries, and paid for. */
  mayTry: () => boolean;
  /** Time for rule 8 itself: one more short write. */
  hasTimeToFence: () => boolean;
  pause: (reason: PauseReason) => Promise<void>;
  pauseToFence: (reason: PauseReason) => Promise<void>;
  /** Whether the plan's token still means to the database what it meant at its first use. */
  mayResend: (plan: Plan) => boolean;
  /** Its answer is ambiguous: it may commit now or later, whatever a repeat of it is told (rule 8). */
  unresolved: (plan: Plan) => void;
  resolved: (plan: Plan) => void;
  /** A record seen COMPLETED, or with a generation above the one a send named, settles that send. */
  saw: (record: CommandRecord | undefined) => void;
  anyUnresolved: () => boolean;
};

export function attemptsOf(store: Store, timeoutMs: number | undefined): Attempts {
  const deadline = store.monotonic() + Math.min(timeoutMs ?? policy.longestDeadline, policy.longestDeadline);
  const open = new Map<string, number>(); // token -> the generation its slot 0 named
  const firstUse = new Map<string, number>(); // token -> on a clock that nobody sets back
  const needed = policy.attempt + policy.reservedForFence;
  let count = 0;
  let tries = 0;
  let over = false;
  let lastReason: PauseReason = 'CONTENTION';
  const left = () => deadline - store.monotonic();

  const jitter = (reason: PauseReason) => {
    const { base, cap } = pauses[reason];
    return store.random() * Math.min(base * 2 ** Math.min(count, 10), cap); // full jitter
  };

  return {
    get count() {
      return count;
    },
    get lastReason() {
      return lastReason;
    },
    mayTry: () => !over && left() >= needed && tries < policy.tries,
    hasTimeToFence: () => left() > 0,
    pause: async (reason) => {
      const wait = jitter(reason);
      count++;
      if (reason === 'CONTENTION' || reason === 'OVERLOADED') tries++;
      lastReason = reason;
      const room = left() - needed;
      // No time for another attempt, or none paid for: what is left of the time belongs to rule 8.
      over = room <= 0 || tries >= policy.tries || (!local.includes(reason) && store.retries?.take() === false);
      if (over) return;
      store.count?.('command.retry.count');
      await store.sleep(Math.min(wait, room)); // a last attempt at the last moment, rather than none
    },
    pauseToFence: (reason) => store.sleep(Math.min(jitter(reason), Math.max(left(), 0))),
    mayResend: ({ token }) => {
      const first = firstUse.get(token) ?? store.monotonic();
      firstUse.set(token, first);
      return store.monotonic() - first <= policy.tokenLife;
    },
    unresolved: (plan) => void open.set(plan.token, plan.generation),
    resolved: (plan) => void open.delete(plan.token),
    saw: (record) => {
      if (!record) return;
      for (const [token, generation] of open)
        if (record.status === 'COMPLETED' || record.generation > generation) open.delete(token);
    },
    anyUnresolved: () => open.size > 0,
  };
}
