import { create, type Change } from './change.ts';
import type { Given } from './command.ts';
import { providerKeyOf, providerOf, type LedgerRow } from './effect.ts';
import { ref } from './refs.ts';

type Planned = Pick<LedgerRow, 'effectId' | 'kind' | 'status' | 'caseId'> &
  Partial<Pick<LedgerRow, 'actionId' | 'noticeId' | 'submissionNumber' | 'recipientId' | 'template'>>;

/** The row that an effect begins with, in the transaction of the command that asks for it (effects.md §3.1). */
export function plannedEffect(planned: Planned, given: Given): Change {
  const row: LedgerRow = {
    ...planned,
    provider: providerOf[planned.kind],
    providerKey: providerKeyOf(given.tenant, planned.effectId),
    requestedBy: given.onBehalfOf ?? given.actor.id,
    round: 0,
    attempt: 0,
    correlationId: given.correlationId,
    plannedBy: given.commandId,
    plannedAt: given.at,
    updatedAt: given.at,
  };
  return create(ref.effect(row.provider, row.effectId), row);
}
