import type { AggregateType } from '../domain/case/case.ts';
import type { Given } from '../domain/command.ts';
import type { Attributes } from '../domain/condition.ts';
import type { LedgerRow } from '../domain/effect.ts';
import type { Instant, TenantId } from '../domain/ids.ts';
import type { OutboxMessage } from '../domain/message.ts';
import type { Transition } from '../domain/transition.ts';
import { instantOf } from './calendar.ts';
import { eventIdOf, shardOf } from './identity.ts';
import { pendingShards } from './indexes.ts';
import { keysOf, keyText, pendingPartition, place } from './keys.ts';
import type { Write } from './table-port.ts';

type Numbered = {
  aggregateType: AggregateType;
  aggregateId: string;
  version: number;
  seq: number;
  after?: number;
};

/** The messages of a transition, as writes of its own transaction. */
export function messagesOf(transition: Transition, numbered: Numbered, given: Given): Write[] {
  const payload = { ...transition.payload, ...standing(transition), type: transition.event.type };
  return [
    message(0, { type: transition.announces, payload, after: numbered.after }, numbered, given),
    ...transition.requests.map((request, i) => message(i + 1, request, numbered, given)),
  ];
}

/** Where a case stands after its event, in every event: who follows cases needs to hear only the newest. */
const standing = ({ aggregate }: Transition): Attributes =>
  aggregate.of === 'case' ? { status: aggregate.after.status, region: aggregate.after.region } : {};

type Told = { type: string; payload: Attributes; after?: number | undefined; requestedBy?: string; afterMs?: number };

function message(
  n: number,
  { type, payload, after, requestedBy, afterMs }: Told,
  aggregate: Numbered,
  given: Given,
): Write {
  const shard = shardOf(aggregate.aggregateId, pendingShards);
  const key = keysOf(given.tenant).message(given.at.slice(0, 10), shard, aggregate.aggregateId, aggregate.seq, n);
  const item: OutboxMessage = {
    itemType: 'OutboxMessage',
    eventId: eventIdOf(given.commandId, n),
    n,
    status: 'NEW',
    messageType: type,
    schemaVersion: 1,
    aggregateType: aggregate.aggregateType,
    aggregateId: aggregate.aggregateId,
    aggregateVersion: aggregate.version,
    seq: aggregate.seq,
    ...(after !== undefined && { after }),
    ...(afterMs !== undefined && { notBefore: instantOf(Date.parse(given.at) + afterMs) }),
    payload,
    correlationId: given.correlationId,
    requestedBy: requestedBy ?? given.onBehalfOf ?? given.actor.id,
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
    payload: { provider, effectId, caseId, ...(actionId && { actionId }), ...(noticeId && { noticeId }), round },
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
