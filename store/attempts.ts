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
} as const;

const pauses = {
  CONTENTION: { base: 25, cap: 400 },
  OVERLOADED: { base: 100, cap: 2_000 },
  NOT_SENT: { base: 50, cap: 1_000 },
  AMBIGUOUS: { base: 50, cap: 1_000 },
  IN_PROGRESS: { base: 200, cap: 1_000 },
} as const;
export type PauseReason = keyof typeof pauses;

/** The deadline, the pauses and the sends whose fate is unknown, of one request. */
export type Attempts = {
  readonly count: number;
  /** The last reason that made it wait: what "not done" is called when time runs out. */
  readonly lastReason: PauseReason;
  hasTime: () => boolean;
  /** Time for rule 8 itself: one more short write. */
  hasTimeToFence: () => boolean;
  hasTries: () => boolean;
  pause: (reason: PauseReason) => Promise<void>;
  /** Its answer is ambiguous: it may commit now or later, whatever a repeat of it is told (rule 8). */
  unresolved: (plan: Plan) => void;
  resolved: (plan: Plan) => void;
  /** A record seen COMPLETED, or with a generation above the one a send named, settles that send. */
  saw: (record: CommandRecord | undefined) => void;
  anyUnresolved: () => boolean;
};

export function attemptsOf(store: Store, timeoutMs: number | undefined): Attempts {
  const deadline = store.now() + Math.min(timeoutMs ?? policy.longestDeadline, policy.longestDeadline);
  const open = new Map<string, number>(); // token -> the generation its slot 0 named
  let count = 0;
  let counted = 0;
  let lastReason: PauseReason = 'CONTENTION';
  const left = () => deadline - store.now();

  return {
    get count() {
      return count;
    },
    get lastReason() {
      return lastReason;
    },
    hasTime: () => left() >= policy.attempt + policy.reservedForFence,
    hasTimeToFence: () => left() > 0,
    hasTries: () => counted < policy.tries,
    pause: async (reason) => {
      const { base, cap } = pauses[reason];
      const ceiling = Math.min(base * 2 ** Math.min(count, 10), cap);
      count++;
      if (reason === 'CONTENTION' || reason === 'OVERLOADED') counted++;
      lastReason = reason;
      await store.sleep(Math.min(store.random() * ceiling, Math.max(left(), 0))); // full jitter
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
