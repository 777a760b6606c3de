import type { MessageStatus } from '../message.ts';
import type { LedgerStatus } from '../effect.ts';
import { withoutOutcome, type ExecutionStatus } from './execution.ts';
import type { FindingStatus } from './finding.ts';
import type { LeaseState } from './lease.ts';

/** Operators' acts, and from which status of its subject each is possible. */
export const operationRules = {
  resolveEffect: ['PARKED'] satisfies LedgerStatus[],
  retryOutboxMessage: ['DEAD'] satisfies MessageStatus[],
  skipOutboxMessage: ['DEAD', 'NEW'] satisfies MessageStatus[],
  redriveExecution: withoutOutcome satisfies readonly ExecutionStatus[],
  stopExecution: ['RUNNING'] satisfies ExecutionStatus[],
  releaseLease: ['HELD'] satisfies LeaseState[],
  repairFinding: ['OPEN'] satisfies FindingStatus[],
} as const;
export type OperationName = keyof typeof operationRules;
