import type { Provider } from '../effect.ts';
import type { EffectId, Instant } from '../ids.ts';

export const executionStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

/** Ended without an outcome: each waits for a person, or for its effect's next round. */
export const withoutOutcome = ['FAILED', 'TIMED_OUT', 'ABORTED'] as const satisfies readonly ExecutionStatus[];

/** What an operator's act is about: its audit event stands in this case's, or this officer's, chain. */
export type Aggregate = { aggregateType: 'Case' | 'Officer'; aggregateId: string };

/** One run of a state machine, as our own index knows it: written at its start and whenever its status changes. */
export type Execution = Aggregate & {
  /** Begins with the machine's name, and says which effect and round it is. */
  name: string;
  machine: string;
  status: ExecutionStatus;
  /** The effect it carries out, where it does one. */
  effect?: { provider: Provider; effectId: EffectId };
  round: number;
  /** How often it was taken up again after it had ended without an outcome. */
  redriveCount: number;
  startedAt: Instant;
  stoppedAt?: Instant;
  /** The kind of error it ended with; causes may hold more than an operator should see, and are not kept. */
  error?: string;
  correlationId: string;
};
