import type { Case } from '../domain/case/case.ts';
import type { Attributes } from '../domain/condition.ts';
import type { LedgerRow } from '../domain/effect.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Officer } from '../domain/officer/officer.ts';
import { shardOf } from './identity.ts';
import { keysOf, pendingPartition, place } from './keys.ts';

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
  };
}

export const officerIndexes = (tenant: TenantId, officer: Officer): Attributes => ({
  byStatusPk: keysOf(tenant).officersByState(officer.state),
  byStatusSk: officer.id,
});

/** A row is findable until the case has recorded how it ended: the write that records it takes it out of the index. */
export const effectIndexes = ({ effectId }: Pick<LedgerRow, 'effectId'>, since: string): Attributes => ({
  pendingPk: pendingPartition('EFFECT', shardOf(effectId, pendingShards)),
  pendingSk: place(since, effectId),
});
