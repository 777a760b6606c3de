import type { AggregateType } from './case/case.ts';
import type { Attributes } from './condition.ts';
import type { Instant } from './ids.ts';

export const messageStatuses = ['NEW', 'PUBLISHING', 'PUBLISHED', 'DEAD', 'SKIPPED'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** What must be told (effects.md §1): n = 0 is the event, n >= 1 are work requests. */
export type OutboxMessage = {
  itemType: 'OutboxMessage';
  eventId: string;
  n: number;
  status: MessageStatus;
  /** The name of the business act, or of the work asked for. */
  messageType: string;
  schemaVersion: 1;
  aggregateType: AggregateType;
  aggregateId: string;
  aggregateVersion: number;
  /** The audit sequence of the event. */
  seq: number;
  /** Ordered messages are published only when the aggregate's cursor stands here. */
  after?: number;
  payload: Attributes;
  correlationId: string;
  /** The person behind it: workflows act on behalf of them. */
  requestedBy: string;
  createdAt: Instant;
  shard: number;
  attempts: number;
  redriveCount: number;
  /** The fence of the current claim, and until when it holds. */
  claim: number;
  claimedAt?: Instant;
  /** The life of the host that claimed it, where that host has the data for itself. */
  life?: string;
  claimUntil?: Instant;
  notBefore?: Instant;
  providerMessageId?: string;
  error?: string;
  pendingPk?: string;
  pendingSk?: string;
  expiresAt?: number;
};

/** How far the ordered messages of an aggregate have been told. */
export type OutboxCursor = { at: number };

/** Which message: where it stands in the outbox. `about` is the aggregate, or the effect that a wake is for. */
export type MessageName = { day: string; shard: number; about: string; seq: number; n: number };
