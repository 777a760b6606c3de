import type { AggregateType } from '../case/case.ts';
import { equals, missing, type Condition } from '../condition.ts';
import type { Provider } from '../effect.ts';
import type { EffectId, Instant } from '../ids.ts';

export const executionStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

/** Ended without an outcome: each waits for a person, or for its effect's next round. */
export const withoutOutcome = ['FAILED', 'TIMED_OUT', 'ABORTED'] as const satisfies readonly ExecutionStatus[];

/**
 * What an operator's act is about: its audit event stands in this case's, or this officer's, chain; where it is about
 * neither, in that of the finding.
 */
export type Aggregate = { aggregateType: AggregateType; aggregateId: string };

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
  /** What an operator has asked for last, and of which run: once for each. */
  asked?: Asked;
};

export type Asked = `${'redrive' | 'stop'}/${number}`;
export const askedOf = (what: 'redrive' | 'stop', { redriveCount }: { redriveCount: number }): Asked =>
  `${what}/${redriveCount}`;

/** Nobody has asked for anything else in between. */
export const stillAsked = ({ asked }: Pick<Execution, 'asked'>): Condition =>
  asked === undefined ? missing('asked') : equals('asked', asked);
