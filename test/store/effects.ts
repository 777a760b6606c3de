import { randomUUID } from 'node:crypto';
import { finalStatuses, providerKeyOf, providerOf, type EffectKind, type LedgerRow } from '../../domain/effect.ts';
import type { ActionId, CaseId, CommandId, OfficerId } from '../../domain/ids.ts';
import { instantOf } from '../../store/calendar.ts';
import { effectIdOf } from '../../store/identity.ts';
import { effectIndexes } from '../../store/indexes.ts';
import { keysOf } from '../../store/keys.ts';
import type { EffectName } from '../../store/ledger.ts';
import type { Store } from '../../store/store.ts';
import type { Item } from '../../store/table-port.ts';
import { noon } from './time.ts';
import { demo } from './world.ts';

/** A row as its command plans it, of a case of its own. */
export function planned(kind: EffectKind, more: Partial<LedgerRow> = {}): LedgerRow {
  const caseId = randomUUID() as CaseId;
  const effectId = effectIdOf(caseId, kind, 1);
  return {
    effectId,
    kind,
    provider: providerOf[kind],
    status: 'PLANNED',
    caseId,
    actionId: randomUUID() as ActionId,
    providerKey: providerKeyOf(demo.id, effectId),
    round: 0,
    attempt: 0,
    correlationId: 'test',
    plannedBy: 'command' as CommandId,
    requestedBy: 'sue' as OfficerId,
    plannedAt: instantOf(noon),
    updatedAt: instantOf(noon),
    ...more,
  };
}

export const nameOf = ({ provider, effectId }: LedgerRow): EffectName => ({ tenant: demo.id, provider, effectId });

/** Stores the row as its command would have, findable until it is final. */
export async function stored(store: Store, row: LedgerRow): Promise<{ row: LedgerRow; name: EffectName }> {
  const key = keysOf(demo.id).effect(row.provider, row.effectId);
  const item = { itemType: 'SideEffect', ...row, ...effectIndexes(row, row.updatedAt) };
  await store.table.write({ kind: 'put', key, item, when: { is: 'absent' } });
  return { row, name: nameOf(row) };
}

/** With its keys and index attributes. */
export async function itemOf(store: Store, { provider, effectId }: LedgerRow): Promise<Item> {
  const [item] = await store.table.batchGet([keysOf(demo.id).effect(provider, effectId)]);
  return item!;
}

export const isFinal = ({ status }: LedgerRow) => finalStatuses.includes(status);
