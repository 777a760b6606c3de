import type { Given } from '../domain/command.ts';
import type { Attributes } from '../domain/condition.ts';
import type { LedgerRow } from '../domain/effect.ts';
import type { Instant, TenantId } from '../domain/ids.ts';
import type { Transition } from '../domain/transition.ts';
import { eventIdOf, shardOf } from './identity.ts';
import { pendingShards } from './indexes.ts';
import { keysOf, keyText, pendingPartition, place } from './keys.ts';
import type { Write } from './table-port.ts';

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
  aggregateType: 'Case' | 'Officer';
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
  claimUntil?: Instant;
  notBefore?: Instant;
  providerMessageId?: string;
  error?: string;
  pendingPk?: string;
  pendingSk?: string;
  expiresAt?: number;
};

type Numbered = {
  aggregateType: 'Case' | 'Officer';
  aggregateId: string;
  version: number;
  seq: number;
  after?: number;
};

/** The messages of a transition, as writes of its own transaction. */
export function messagesOf(transition: Transition, numbered: Numbered, given: Given): Write[] {
  const common = { correlationId: given.correlationId, aggregate: numbered, given };
  return [
    message(0, transition.announces, { ...transition.payload, type: transition.event.type }, numbered.after, common),
    ...transition.requests.map((request, i) => message(i + 1, request.type, request.payload, undefined, common)),
  ];
}

type Common = { correlationId: string; aggregate: Numbered; given: Given };

function message(
  n: number,
  messageType: string,
  payload: Attributes,
  after: number | undefined,
  common: Common,
): Write {
  const { aggregate, given } = common;
  const shard = shardOf(aggregate.aggregateId, pendingShards);
  const key = keysOf(given.tenant).message(given.at.slice(0, 10), shard, aggregate.aggregateId, aggregate.seq, n);
  const item: OutboxMessage = {
    itemType: 'OutboxMessage',
    eventId: eventIdOf(given.commandId, n),
    n,
    status: 'NEW',
    messageType,
    schemaVersion: 1,
    aggregateType: aggregate.aggregateType,
    aggregateId: aggregate.aggregateId,
    aggregateVersion: aggregate.version,
    seq: aggregate.seq,
    ...(after !== undefined && { after }),
    payload,
    correlationId: common.correlationId,
    requestedBy: given.onBehalfOf ?? given.actor.id,
    createdAt: given.at,
    shard,
    attempts: 0,
    redriveCount: 0,
    claim: 0,
    pendingPk: pendingPartition('OUTBOX', shard),
    pendingSk: place(given.at, keyText(key)),
  };
  return { kind: 'put', key, item, when: { is: 'absent' } };
}

/**
 * The request to look again at an effect whose row became final, or must go on, without its waiting task (effects.md
 * §3.8): told in the transaction that moved the row, carried out under the round it reserves.
 */
export function wakeMessage(tenant: TenantId, row: LedgerRow, round: number, at: Instant): Write {
  const shard = shardOf(row.effectId, pendingShards);
  const key = keysOf(tenant).message(at.slice(0, 10), shard, row.effectId, round, 1);
  const { effectId, caseId, actionId, noticeId, provider } = row;
  const item: OutboxMessage = {
    itemType: 'OutboxMessage',
    eventId: `${effectId}-${round}`,
    n: 1,
    status: 'NEW',
    messageType: 'wake',
    schemaVersion: 1,
    aggregateType: 'Case',
    aggregateId: caseId,
    aggregateVersion: 0,
    seq: 0,
    payload: { provider, effectId, caseId, actionId, ...(noticeId && { noticeId }), round },
    correlationId: row.correlationId,
    requestedBy: row.requestedBy,
    createdAt: at,
    shard,
    attempts: 0,
    redriveCount: 0,
    claim: 0,
    pendingPk: pendingPartition('OUTBOX', shard),
    pendingSk: place(at, keyText(key)),
  };
  return { kind: 'put', key, item, when: { is: 'absent' } };
}
