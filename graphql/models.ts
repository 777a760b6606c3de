import type { Decision } from '../domain/case/case.ts';
import type { CaseId, Instant, LocalDate, OfficerId } from '../domain/ids.ts';
import type { MessageName, OutboxMessage } from '../domain/message.ts';
import type { Aggregate } from '../domain/operations/execution.ts';
import type { LeaseRow } from '../domain/operations/lease.ts';
import type { Refused } from '../domain/refusal.ts';

/** What stands behind an SDL type that is no item of its own: the parents its resolvers get. */

export type DecisionModel = Decision & { caseId: CaseId };

export type InvestigatorEdgeModel = { cursor: string; officerId: OfficerId; addedAt: Instant; addedBy: OfficerId };

export type AbsenceModel = { from: LocalDate; to: LocalDate; delegateId: OfficerId | undefined };

/** An audit event as it is stored. */
export type AuditEventModel = {
  seq: number;
  eventId: string;
  type: string;
  actor: string;
  onBehalfOf?: string;
  at: Instant;
  from?: string;
  to?: string;
  changed: string[];
  details?: Record<string, unknown>;
  redactedAt?: Instant;
  correlationId: string;
  hash: string;
  previousHash: string;
};

/** `holder` is resolved to a node id where the viewer may see it. */
export type UniqueViolationModel = {
  code: 'UNIQUE_VIOLATION';
  message: string;
  path: string[] | null;
  retry: 'NEVER';
  refusal: Refused;
};

/** Says nothing itself: its fields are asked one by one. */
export type OperationsModel = Record<never, never>;

/** A message with its place in the outbox, which is its name. */
export type OutboxMessageModel = OutboxMessage & { name: MessageName };

/** Its name stands in its key only. */
export type LeaseModel = LeaseRow & Aggregate & { name: string };
