import type { Actor, AnyCommand } from '../../domain/command.ts';
import type { OfficerId } from '../../domain/ids.ts';
import type { MessageName, OutboxMessage } from '../../domain/message.ts';
import type { Finding } from '../../domain/operations/finding.ts';
import type { Execution } from '../../domain/operations/execution.ts';
import type { LeaseRow } from '../../domain/operations/lease.ts';
import { ref } from '../../domain/refs.ts';
import { c1, mail, mail1, now } from './builders.ts';
import { beforeService } from './scenes.ts';
import type { Items, Scene } from './ask.ts';

/** Sees what carries the work, and no case. */
export const opa: Actor = { id: 'opa' as OfficerId, roles: ['OPERATOR'] };

export const parkedMail = mail('PARKED', { attempt: 1, round: 0 });

/** The event that comes next: the cursor stands before it. */
export const messageName: MessageName = { day: '2026-07-06', shard: 2, about: c1, seq: 6, n: 0 };
export const message = (change: Partial<OutboxMessage> = {}): OutboxMessage => ({
  itemType: 'OutboxMessage',
  eventId: 'event-6',
  n: 0,
  status: 'DEAD',
  messageType: 'CaseApproved',
  schemaVersion: 1,
  aggregateType: 'Case',
  aggregateId: c1,
  aggregateVersion: 5,
  seq: 6,
  after: 5,
  payload: { caseId: c1 },
  correlationId: 'correlation',
  requestedBy: 'ben',
  createdAt: now,
  shard: 2,
  attempts: 10,
  redriveCount: 0,
  claim: 10,
  error: 'NotPublished',
  ...change,
});

export const execution = (change: Partial<Execution> = {}): Execution => ({
  aggregateType: 'Case',
  aggregateId: c1,
  name: 'notice-1',
  machine: 'notice',
  status: 'FAILED',
  effect: { provider: 'mailer', effectId: mail1 },
  round: 0,
  redriveCount: 0,
  startedAt: now,
  correlationId: 'correlation',
  ...change,
});

export const lease = (change: Partial<LeaseRow> = {}): LeaseRow => ({
  owner: 'notice-1/0',
  fence: 7,
  rvn: 'theirs',
  heldAt: 1,
  leaseUntil: 30_001,
  state: 'HELD',
  ...change,
});

/** The guard of c1 says one more than there are. */
export const finding = (change: Partial<Finding> = {}): Finding => ({
  aggregateType: 'Case',
  aggregateId: c1,
  id: 'f1',
  kind: 'INVESTIGATOR_GUARD',
  status: 'OPEN',
  item: 'guard',
  values: { expected: 'cai', found: 'cai', count: 2 },
  basis: { version: 5 },
  firstSeenAt: now,
  lastSeenAt: now,
  seen: 2,
  occurrence: 1,
  version: 2,
  auditSeq: 0,
  auditHead: '',
  ...change,
});

const onCase = (type: string, expectedStatus: string, rest: object): AnyCommand => ({
  type,
  aggregateType: 'Case',
  aggregateId: c1,
  expectedStatus,
  reason: 'found by the morning round',
  ...rest,
});

const carrying: Items = [
  ...beforeService,
  [ref.effect('mailer', mail1), parkedMail],
  [ref.message(messageName), message()],
  [ref.cursor(c1), { at: 5 }],
  [ref.execution('notice-1'), execution()],
  [ref.lease(c1), lease()],
];
const scene = (command: AnyCommand, ...more: Items): Scene => ({ actor: opa, command, items: [...carrying, ...more] });

export const operationScenes = {
  resolveEffect: scene(
    onCase('resolveEffect', 'PARKED', {
      ...{ provider: 'mailer', effectId: mail1, resolution: 'FAILED_RETRYABLE' },
      evidence: { seen: 'nothing under this Message-ID in the log of 6 July', toldBy: 'postmaster, extension 12' },
    }),
  ),
  retryOutboxMessage: scene(onCase('retryOutboxMessage', 'DEAD', { message: messageName })),
  skipOutboxMessage: scene(onCase('skipOutboxMessage', 'DEAD', { message: messageName })),
  redriveExecution: scene(onCase('redriveExecution', 'FAILED', { execution: 'notice-1' })),
  stopExecution: scene(onCase('stopExecution', 'RUNNING', { execution: 'notice-1' }), [
    ref.execution('notice-1'),
    execution({ status: 'RUNNING' }),
  ]),
  releaseLease: scene(onCase('releaseLease', 'HELD', { fence: 7 })),
  repairFinding: scene(onCase('repairFinding', 'OPEN', { findingId: 'f1', how: 'RECOMPUTE' }), [
    ref.finding('f1'),
    finding(),
  ]),
} satisfies Record<string, Scene>;
