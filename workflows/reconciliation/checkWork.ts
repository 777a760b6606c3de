import type { EnforcementAction, Notice } from '../../domain/action/action.ts';
import { finalStatuses, type LedgerRow, type LedgerStatus } from '../../domain/effect.ts';
import type { CaseId, EffectId, TenantId } from '../../domain/ids.ts';
import type { MessageName, OutboxMessage } from '../../domain/message.ts';
import type { Aggregate } from '../../domain/operations/execution.ts';
import type { LeaseRow } from '../../domain/operations/lease.ts';
import { ref } from '../../domain/refs.ts';
import { instantOf } from '../../store/calendar.ts';
import { keysOf } from '../../store/keys.ts';
import { entityOf, readItems } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import { hours, minutes, nothing, seer, type Checked, type Look } from './checked.ts';

/** How long a row may stand where it stands, well beyond what the sweep allows it. */
const patience: Partial<Record<LedgerStatus, number>> = {
  PLANNED: 24 * hours,
  FAILED_RETRYABLE: 24 * hours,
  SENDING: 15 * minutes,
  SENT: 49 * hours,
  UNKNOWN: 25 * hours,
};
const toldWithinMs = hours;
const givenBackWithinMs = hours;

/** A row of the ledger against the notice or action that relies on it, its age, and whether a sweep finds it. */
export async function checkEffect(
  { store, tenant }: Look,
  named: Pick<LedgerRow, 'provider' | 'effectId'>,
): Promise<Checked> {
  const [item] = await store.table.batchGet([keysOf(tenant).effect(named.provider, named.effectId)]);
  const row = entityOf<LedgerRow>(item);
  if (!row) return nothing;
  const { provider, effectId, caseId, actionId, noticeId, status } = row;
  const [action] = actionId ? await readItems(store, tenant, [ref.action(caseId, actionId)]) : [undefined];
  const [notice] = noticeId ? await readItems(store, tenant, [ref.notice(caseId, noticeId)]) : [undefined];
  const [current] = await readItems(store, tenant, [ref.case(caseId)]);
  const see = seer({ aggregateType: 'Case', aggregateId: caseId }, { auditSeq: current?.auditSeq ?? 0 });
  const at = { provider, effectId, status };
  const fault = faultOf(row, notice, action);
  const late = store.now() - Date.parse(row.unknownSince ?? row.updatedAt) > (patience[status] ?? Infinity);
  const waits = (row.notBefore ?? '') > instantOf(store.now());
  return {
    seen: [
      ...(fault ? [see('LEDGER_STATE', effectId, { ...at, ...fault })] : []),
      ...(row.recordedAt === undefined && item!['pendingPk'] === undefined
        ? [see('EFFECT_UNFINDABLE', effectId, at)]
        : []),
      ...(late && !waits ? [see('EFFECT_OVERDUE', effectId, { ...at, attempt: row.attempt })] : []),
    ],
    unproven: 0,
  };
}

type Fault = { stands: string } | undefined;

function faultOf(row: LedgerRow, notice: Notice | undefined, action: EnforcementAction | undefined): Fault {
  switch (row.kind) {
    case 'NOTICE_MAIL':
      return mailFault(row, notice);
    case 'NOTIFICATION':
      return undefined; // nothing else relies on it
    case 'REGISTRATION':
      return submissionFault(row, action);
  }
}

function mailFault({ status, recordedAt, effectId }: LedgerRow, notice: Notice | undefined): Fault {
  if (notice?.mailEffectId !== effectId) return { stands: 'NO_NOTICE' };
  const open = notice.status === 'REQUESTED' || notice.status === 'RENDERED';
  const byMail = notice.status === 'SERVED' && notice.service?.method === 'EMAIL';
  const right = open
    ? recordedAt === undefined || status === 'CANCELLED'
    : finalStatuses.includes(status) && (!byMail || status === 'CONFIRMED');
  return right ? undefined : { stands: notice.status };
}

function submissionFault(row: LedgerRow, action: EnforcementAction | undefined): Fault {
  const { status, recordedAt, submissionNumber = 0, response } = row;
  if (!action || action.submissionNumber < submissionNumber) return { stands: 'NO_ACTION' };
  const unmade: readonly LedgerStatus[] = ['FAILED_FINAL', 'CANCELLED'];
  const stands = { stands: action.status };
  if (action.submissionNumber > submissionNumber) return unmade.includes(status) ? undefined : stands;
  if (action.status === 'REGISTRATION_PENDING') return recordedAt === undefined ? undefined : stands;
  if (action.registryNumber === undefined) return unmade.includes(status) ? undefined : stands;
  const answer = JSON.parse(response ?? '{}') as { registryNumber?: string };
  return status === 'CONFIRMED' && answer.registryNumber === action.registryNumber ? undefined : stands;
}

/** A message that was not told: its age once it is its turn, and whether a sweep finds it. */
export async function checkMessage({ store, tenant }: Look, named: MessageName): Promise<Checked> {
  const [item] = await store.table.batchGet([keysOf(tenant).of(ref.message(named))]);
  const message = entityOf<OutboxMessage>(item);
  if (!message || message.status === 'PUBLISHED' || message.status === 'SKIPPED') return nothing;
  const { aggregateType, aggregateId, status, createdAt, after, notBefore } = message;
  const [cursor] = after === undefined ? [] : await readItems(store, tenant, [ref.cursor(aggregateId)]);
  const itsTurn = after === undefined || (cursor?.at ?? 0) === after;
  const due = status !== 'DEAD' && (notBefore ?? '') <= instantOf(store.now());
  const late = itsTurn && due && store.now() - Date.parse(createdAt) > toldWithinMs;
  const see = seer({ aggregateType, aggregateId });
  const { day, shard, about, seq, n } = named;
  const place = { day, shard, about, seq, n };
  return {
    seen: [
      ...(item!['pendingPk'] === undefined ? [see('MESSAGE_UNFINDABLE', message.eventId, { ...place, status })] : []),
      ...(late ? [see('MESSAGE_OVERDUE', message.eventId, { ...place, status })] : []),
    ],
    unproven: 0,
  };
}

/** A lease: given back, or held by somebody at work; and its fence never behind what was written under it. */
export async function checkLease({ store, tenant }: Look, aggregateId: string): Promise<Checked> {
  // First: fences rise. Work that leaves its case alone is named after its effect.
  const written = await writtenUnder(store, tenant, aggregateId);
  const [row] = await readItems<LeaseRow>(store, tenant, [ref.lease(aggregateId)]);
  if (!row) return nothing;
  const see = seer(row.about ?? written.about);
  const { state, fence, leaseUntil } = row;
  const overdue = state === 'HELD' && leaseUntil < store.now() - givenBackWithinMs;
  return {
    seen: [
      ...(overdue ? [see('LEASE_OVERDUE', aggregateId, { fence })] : []),
      ...(written.fence > fence ? [see('LEASE_FENCE', aggregateId, { expected: written.fence, found: fence })] : []),
    ],
    unproven: 0,
  };
}

/** The highest fence that stands in what the lease guards, and the case where that is one. */
async function writtenUnder(
  store: Store,
  tenant: TenantId,
  name: string,
): Promise<{ fence: number; about?: Aggregate }> {
  const [current, row] = await readItems<{ fence?: number }>(store, tenant, [
    ref.case(name as CaseId),
    ref.effect('mailer', name as EffectId),
  ]);
  if (current) return { fence: current.fence ?? 0, about: { aggregateType: 'Case', aggregateId: name } };
  return { fence: row?.fence ?? 0 };
}
