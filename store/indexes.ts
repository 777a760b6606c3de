import type { Case, ClosedCase } from '../domain/case/case.ts';
import type { Attributes } from '../domain/condition.ts';
import type { LedgerRow } from '../domain/effect.ts';
import type { OfficerId, TenantId } from '../domain/ids.ts';
import type { MessageName } from '../domain/message.ts';
import type { Officer } from '../domain/officer/officer.ts';
import type { Finding } from '../domain/operations/finding.ts';
import type { Execution } from '../domain/operations/execution.ts';
import type { Task } from '../domain/task/task.ts';
import { shardOf } from './identity.ts';
import { keysOf, keyText, pendingPartition, place } from './keys.ts';
import type { Key } from './table-port.ts';

/** Shards of the outbox and of the pending index: sweeps walk them in parallel. */
export const pendingShards = 4;

/** Undated cases come last in their region. */
const undated = '9999-12-31';

export function caseIndexes(tenant: TenantId, current: Case): Attributes {
  const keys = keysOf(tenant);
  return {
    byStatusPk: keys.casesByStatus(current.status),
    byStatusSk: place(current.openedAt, current.id),
    byRegionPk: keys.casesByRegion(current.region),
    byRegionSk: place(current.dueAt ?? undated, current.id),
    ...(current.leadOfficerId && {
      byLeadPk: keys.casesByLead(current.leadOfficerId),
      byLeadSk: place(current.openedAt, current.id),
    }),
    ...(current.status === 'CLOSED' && waitsForDisposal(tenant, current)),
  };
}

/** A closed case waits for its disposal, unless it is kept for ever; reopened, it waits no more. */
const waitsForDisposal = (tenant: TenantId, { id, retention: { disposeAfter } }: ClosedCase): Attributes =>
  disposeAfter === 'PERMANENT'
    ? {}
    : { pendingPk: keysOf(tenant).casesToDispose(), pendingSk: place(disposeAfter, id) };

export const officerIndexes = (tenant: TenantId, officer: Officer): Attributes => ({
  byStatusPk: keysOf(tenant).officersByState(officer.state),
  byStatusSk: officer.id,
});

/**
 * An open task is found by whose it is and by its team, in the order of due dates. Its place in the list of an officer
 * stands there from the beginning: who has it is the one attribute that puts it into the list, or takes it out.
 */
export function taskIndexes(tenant: TenantId, { id, teamId, assigneeId, dueAt }: Task): Attributes {
  const due = place(dueAt ?? undated, id);
  return {
    ...(assigneeId && taskOf(tenant, assigneeId)),
    byLeadSk: due,
    byRegionPk: keysOf(tenant).tasksOfTeam(teamId),
    byRegionSk: due,
  };
}
export const taskOf = (tenant: TenantId, assigneeId: OfficerId): Attributes => ({
  byLeadPk: keysOf(tenant).tasksOfOfficer(assigneeId),
});
/** What a task loses with its end, and with it every list. */
export const placesOfTask = ['byLeadPk', 'byLeadSk', 'byRegionPk', 'byRegionSk'] as const;

/** Found by status, by what they are about and by machine, each in the order of their starts. */
export function executionIndexes(tenant: TenantId, { name, ...execution }: Execution): Attributes {
  const keys = keysOf(tenant);
  const since = place(execution.startedAt, name);
  return {
    byStatusPk: keys.executionsByStatus(execution.status),
    byStatusSk: since,
    byLeadPk: keys.executionsAbout(execution.aggregateId),
    byLeadSk: since,
    byRegionPk: keys.executionsByMachine(execution.machine),
    byRegionSk: since,
  };
}

/** Found by status, and by what they are about, each in the order in which they were first seen. */
export function findingIndexes(tenant: TenantId, { id, status, aggregateId, firstSeenAt }: Finding): Attributes {
  const keys = keysOf(tenant);
  const since = place(firstSeenAt, id);
  return {
    ...{ byStatusPk: keys.findingsByStatus(status), byStatusSk: since },
    ...{ byLeadPk: keys.findingsAbout(aggregateId), byLeadSk: since },
  };
}

/** A lease is findable while it is held. */
export const leaseIndexes = (key: Key, since: string): Attributes => ({
  pendingPk: pendingPartition('LEASE', shardOf(key.pk, pendingShards)),
  pendingSk: place(since, keyText(key)),
});

/** A message that is to be told again is due at once: it stands at the beginning of its day. */
export const retriedMessageIndexes = ({ day, shard }: MessageName, key: Key): Attributes => ({
  pendingPk: pendingPartition('OUTBOX', shard),
  pendingSk: place(day, keyText(key)),
});

/** A row is findable until the case has recorded how it ended: the write that records it takes it out of the index. */
export const effectIndexes = ({ effectId }: Pick<LedgerRow, 'effectId'>, since: string): Attributes => ({
  pendingPk: pendingPartition('EFFECT', shardOf(effectId, pendingShards)),
  pendingSk: place(since, effectId),
});
