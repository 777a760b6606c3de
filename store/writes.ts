import { createHash } from 'node:crypto';
import { InvariantBreach } from '../domain/answer.ts';
import type { Case, CommandResult, CreatedBy } from '../domain/case/case.ts';
import { difference, type Change } from '../domain/change.ts';
import type { AnyCommand, Given } from '../domain/command.ts';
import {
  absent,
  all,
  any,
  atMost,
  equals,
  exists,
  missing,
  type Attributes,
  type Condition,
} from '../domain/condition.ts';
import type { LedgerRow } from '../domain/effect.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Officer } from '../domain/officer/officer.ts';
import type { Task } from '../domain/task/task.ts';
import type { Finding } from '../domain/operations/finding.ts';
import type { AggregateChange, Transition } from '../domain/transition.ts';
import { sealed } from './audit.ts';
import { wireOf } from './dynamo.ts';
import { eventIdOf, runNameOf } from './identity.ts';
import { indexedUpdate } from './indexedUpdate.ts';
import { caseIndexes, effectIndexes, findingIndexes, officerIndexes, taskIndexes } from './indexes.ts';
import { keysOf, keyText } from './keys.ts';
import { messagesOf } from './outbox.ts';
import { committed } from './record.ts';
import type { Write } from './table-port.ts';

/** One transaction, ready to send: the same bytes and the same token however often it is sent. */
export type Plan = {
  writes: Write[];
  token: string;
  /** The generation that slot 0 names. */
  generation: number;
  result: CommandResult;
  /** The execution that carries the command out, where a workflow does. */
  run: string | undefined;
  after: Case | Officer | Finding;
};

/** A transition as ordered writes, each with its condition: the table of commands.md §3. `salt` is drawn per plan. */
export function planOf(
  transition: Transition,
  command: AnyCommand,
  given: Given,
  generation: number,
  salt: string,
): Plan {
  const keys = keysOf(given.tenant);
  const { aggregate } = transition;
  const seq = (aggregate.before?.auditSeq ?? 0) + 1;
  const event = sealed(
    {
      seq,
      eventId: eventIdOf(given.commandId, 0),
      type: transition.event.type,
      actor: given.actor.id,
      ...(given.onBehalfOf && { onBehalfOf: given.onBehalfOf }),
      about: transition.event.about,
      at: given.at,
      commandId: given.commandId,
      correlationId: given.correlationId,
      ...(transition.event.from && { from: transition.event.from }),
      ...(transition.event.to && { to: transition.event.to }),
      changed: transition.event.changed,
      previousHash: aggregate.before?.auditHead ?? '',
    },
    transition.event.details,
    salt,
  );
  const result = resultOf(transition);
  const after = advanced(aggregate, seq, event.hash, given, result);
  const run = transition.run && runNameOf(transition.run.prefix, given.commandId, generation + 1);
  const numbered = {
    aggregateType: result.aggregateType,
    aggregateId: result.aggregateId,
    version: after.version,
    seq,
    ...(aggregate.of === 'case' && { after: aggregate.before?.lastOrderedSeq ?? 0 }),
  };

  const writes = folded([
    committed(given, command.type, generation, result, run),
    metaWrite(transition, after, given),
    { kind: 'put', key: keys.event(aggregate.ref, seq), item: { itemType: 'AuditEvent', ...event }, when: absent },
    ...messagesOf(transition, numbered, given),
    ...transition.changes.map((change) => writeOf(change, given, result)),
  ]);
  return { writes, token: tokenOf(given.commandId, withinLimits(writes)), generation, result, run, after };
}

function resultOf({ aggregate, created }: Transition): CommandResult {
  return {
    aggregateType: aggregateTypes[aggregate.of],
    aggregateId: aggregate.after.id,
    appliedVersion: aggregate.after.version,
    created,
  };
}

const aggregateTypes = { case: 'Case', officer: 'Officer', finding: 'Finding' } as const;

/** The aggregate with its new place in the audit chain and, for cases, in the order of messages. */
function advanced(aggregate: AggregateChange, seq: number, auditHead: string, given: Given, result: CommandResult) {
  const before = aggregate.of === 'finding' ? undefined : aggregate.after.createdBy;
  const createdBy = { ...before, ...(aggregate.before ? {} : { result }) } as CreatedBy;
  const moved = { auditSeq: seq, auditHead, createdBy };
  if (aggregate.of === 'officer') return { ...aggregate.after, ...moved };
  if (aggregate.of === 'finding') return { ...aggregate.after, auditSeq: seq, auditHead };
  return {
    ...aggregate.after,
    ...moved,
    lastOrderedSeq: seq,
    ...(given.fence !== undefined && { fence: given.fence }),
  };
}

function metaWrite({ aggregate, reindexes }: Transition, after: Case | Officer | Finding, given: Given): Write {
  const key = keysOf(given.tenant).of(aggregate.ref);
  const itemType = itemTypes[aggregate.of];
  const item = { ...after, ...indexesOf(aggregate.of, given.tenant, after) };
  if (!aggregate.before) return { kind: 'put', key, item: { itemType, ...item }, when: absent };
  const before = { ...aggregate.before, ...(!reindexes && indexesOf(aggregate.of, given.tenant, aggregate.before)) };
  const premises = [equals('auditSeq', aggregate.before.auditSeq), ...aggregate.when, ...fencePremise(given)];
  return { kind: 'update', key, update: difference(before, item), when: all(exists, ...premises) };
}

function indexesOf(of: AggregateChange['of'], tenant: TenantId, item: Case | Officer | Finding) {
  switch (of) {
    case 'case':
      return caseIndexes(tenant, item as Case);
    case 'officer':
      return officerIndexes(tenant, item as Officer);
    case 'finding':
      return findingIndexes(tenant, item as Finding);
  }
}

/** A SERVICE write under a lease is refused once a later owner has written (effects.md §2 "Fencing"). */
const fencePremise = ({ fence }: Given): Condition[] =>
  fence === undefined ? [] : [any(missing('fence'), atMost('fence', fence))];

function writeOf(change: Change, given: Given, result: CommandResult): Write {
  const key = keysOf(given.tenant).of(change.ref);
  switch (change.kind) {
    case 'create':
      return { kind: 'put', key, item: created(change, given.tenant, result), when: change.when };
    case 'update':
      return { kind: 'update', key, update: indexedUpdate(change, key, given), when: change.when };
    case 'delete':
      return { kind: 'delete', key, when: change.when };
    case 'check':
      return { kind: 'check', key, when: change.when };
  }
}

/** A created item remembers its command and that command's result; a ledger row and a task are findable
 * until they are final. */
function created(
  { ref, item }: Extract<Change, { kind: 'create' }>,
  tenant: TenantId,
  result: CommandResult,
): Attributes {
  const createdBy = item['createdBy'] as CreatedBy | undefined;
  return {
    itemType: itemTypes[ref.of],
    ...item,
    ...(createdBy && { createdBy: { ...createdBy, result } }),
    ...(ref.of === 'effect' && effectIndexes(item as LedgerRow, (item as LedgerRow).plannedAt)),
    ...(ref.of === 'task' && taskIndexes(tenant, item as Task)),
  };
}

/** The stored word for each kind of item. */
const itemTypes: Record<Change['ref']['of'], string> = {
  tenant: 'Tenant',
  case: 'Case',
  party: 'Party',
  contravention: 'Contravention',
  review: 'Review',
  action: 'EnforcementAction',
  notice: 'Notice',
  note: 'Note',
  notePlace: 'NotePlace',
  document: 'Document',
  documentVersion: 'DocumentVersion',
  link: 'CaseLink',
  hold: 'Hold',
  task: 'Task',
  openTask: 'OpenTask',
  openTasks: 'OpenTask',
  investigatorGuard: 'InvestigatorGuard',
  investigator: 'Investigator',
  enforcementGuard: 'ActiveEnforcementGuard',
  exclusion: 'Exclusion',
  officer: 'Officer',
  load: 'Load',
  unique: 'Sentinel',
  openCases: 'CounterShard',
  effect: 'SideEffect',
  message: 'OutboxMessage',
  cursor: 'OutboxCursor',
  lease: 'Lease',
  execution: 'Execution',
  finding: 'Finding',
  openCaseRow: 'Projection',
  openCaseSum: 'Projection',
};

/** One key, one write: a check on a key that is written joins that write's condition; two mutations of one are a bug. */
function folded(writes: Write[]): Write[] {
  const byKey = new Map<string, Write>();
  for (const write of writes) {
    const text = keyText(write.key);
    const other = byKey.get(text);
    if (!other) byKey.set(text, write);
    else if (write.kind === 'check') byKey.set(text, { ...other, when: all(other.when, write.when) });
    else if (other.kind === 'check') byKey.set(text, { ...write, when: all(write.when, other.when) });
    else throw new InvariantBreach(`two writes of one key, ${write.key.sk}`);
  }
  return [...byKey.values()];
}

/** What the database would refuse is a bug of ours, found before the call. Returns the bytes the token stands for. */
function withinLimits(writes: Write[]): string {
  if (writes.length > 100) throw new InvariantBreach(`a transaction of ${writes.length} actions`);
  const wires = writes.map((write) => JSON.stringify(wireWrite(write)));
  const sizes = wires.map((text) => Buffer.byteLength(text));
  if (Math.max(...sizes) > 400 * 1024) throw new InvariantBreach('an item over 400 KB');
  if (sizes.reduce((sum, size) => sum + size, 0) > 4 * 1024 * 1024)
    throw new InvariantBreach('a transaction over 4 MB');
  return wires.join('\n');
}

function wireWrite(write: Write): unknown {
  if (write.kind === 'put') return { ...write, item: wireOf(write.item) };
  if (write.kind !== 'update') return write;
  const { set, remove, add, drop } = write.update;
  return { ...write, update: { set: wireOf(set ?? {}), remove, add: wireOf(add ?? {}), drop: wireOf(drop ?? {}) } };
}

/** Content-addressed: same bytes, same token; a mismatch reported by the database is then a bug. */
const tokenOf = (commandId: string, bytes: string) =>
  createHash('sha256').update(commandId).update('\n').update(bytes).digest('base64url').slice(0, 36);
