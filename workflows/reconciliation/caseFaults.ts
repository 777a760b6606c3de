import type { EnforcementAction, Notice } from '../../domain/action/action.ts';
import { isOpen } from '../../domain/action/ledger.ts';
import type {
  ActiveEnforcementGuard,
  Case,
  CaseCounts,
  Contravention,
  InvestigatorGuard,
  Party,
} from '../../domain/case/case.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Sighting } from '../../domain/operations/finding.ts';
import { chainFaults, type AuditEvent, type ChainFault } from '../../store/audit.ts';
import { caseIndexes } from '../../store/indexes.ts';
import { childPrefix, guardKeys } from '../../store/keys.ts';
import { entityOf } from '../../store/read.ts';
import type { Item } from '../../store/table-port.ts';
import { ofKind, type Partition } from './below.ts';
import { seer } from './checked.ts';

type See = ReturnType<typeof seer>;

/** What a case says of itself against what is below it, at one moment: pure. */
export function caseFaults(tenant: TenantId, { item, aggregate: current, below }: Partition<Case>): Sighting[] {
  const see = seer({ aggregateType: 'Case', aggregateId: current.id }, { auditSeq: current.auditSeq });
  return [
    ...chain(see, ofKind<AuditEvent>(below, childPrefix.event), current),
    ...counts(see, current, below),
    ...investigators(see, below),
    ...activeAction(see, current, below),
    ...(misplaced(item, caseIndexes(tenant, current))
      ? [see('CASE_INDEX', current.id, { status: current.status })]
      : []),
  ];
}

/**
 * The first fault of a chain is the finding; the others follow from it. What is wrong at its end is said as it will look
 * once the chain has gone on: the same fault is one finding.
 */
export function chain(see: See, events: AuditEvent[], head: { auditSeq: number; auditHead: string }): Sighting[] {
  const [first] = chainFaults(events, head)
    .map(lasting)
    .sort((a, b) => a.seq - b.seq);
  return first ? [see('AUDIT_CHAIN', String(first.seq), first)] : [];
}

function lasting({ seq, code }: ChainFault): { seq: number; fault: string } {
  if (code === 'HEAD') return { seq: seq + 1, fault: 'LINK' };
  return { seq, fault: code === 'COUNT' ? 'SEQUENCE' : code };
}

/** Whether an item stands elsewhere in the indexes than it should. */
export const misplaced = (item: Item, indexes: Record<string, unknown>): boolean =>
  Object.entries(indexes).some(([name, value]) => item[name] !== value);

type Task = { status: string; blocks?: string };

function counts(see: See, current: Case, below: Item[]): Sighting[] {
  const of = <T>(prefix: string, which: (one: T) => boolean = () => true) =>
    ofKind<T>(below, prefix).filter(which).length;
  const open = (task: Task) => task.status !== 'COMPLETED' && task.status !== 'CANCELLED';
  const expected: CaseCounts = {
    subjects: of<Party>(childPrefix.party, ({ role }) => role === 'SUBJECT'),
    contraventions: of(childPrefix.contravention),
    undetermined: of<Contravention>(childPrefix.contravention, ({ finding }) => finding === 'UNDETERMINED'),
    openTasks: of<Task>(childPrefix.task, open),
    openBlockingReview: of<Task>(childPrefix.task, (task) => open(task) && task.blocks === 'REVIEW'),
    openBlockingClose: of<Task>(childPrefix.task, (task) => open(task) && task.blocks === 'CLOSE'),
    pendingDocuments: of<{ status: string }>(childPrefix.document, ({ status }) => status === 'PENDING'),
    activeHolds: of<{ releasedAt?: string }>(childPrefix.hold, ({ releasedAt }) => releasedAt === undefined),
    openEffects:
      of<Notice>(childPrefix.notice, isOpen) +
      of<EnforcementAction>(childPrefix.action, ({ status }) => status === 'REGISTRATION_PENDING'),
  };
  return (Object.keys(expected) as (keyof CaseCounts)[])
    .filter((count) => current[count] !== expected[count])
    .map((count) => see('CASE_COUNT', count, { count, expected: expected[count], found: current[count] }));
}

function investigators(see: See, below: Item[]): Sighting[] {
  const guard = entityOf<InvestigatorGuard>(below.find(({ sk }) => sk === guardKeys.investigators));
  const members = ofKind<{ officerId: string }>(below, childPrefix.investigator).map(({ officerId }) => officerId);
  const expected = members.sort().join(' ');
  const found = [...(guard?.officerIds ?? [])].sort().join(' ');
  if (guard?.activeCount === members.length && found === expected) return [];
  return [see('INVESTIGATOR_GUARD', 'guard', { expected, found, count: guard?.activeCount ?? -1 })];
}

const active = ['DRAFT', 'ISSUED', 'REGISTRATION_PENDING', 'REGISTRATION_FAILED', 'REGISTERED'];

/** The case names its active action; the actions must agree, and the guard must keep that action's place. */
function activeAction(see: See, current: Case, below: Item[]): Sighting[] {
  const named = 'activeActionId' in current ? current.activeActionId : 'NONE';
  const actions = ofKind<EnforcementAction>(below, childPrefix.action).filter(({ status }) => active.includes(status));
  const stand =
    actions
      .map(({ id }) => id)
      .sort()
      .join(' ') || 'NONE';
  if (named !== stand) return [see('ACTIVE_ACTION', 'action', { expected: named, found: stand })];
  const guard = entityOf<ActiveEnforcementGuard>(below.find(({ sk }) => sk === guardKeys.enforcement));
  const found = guard?.actionId ?? 'NONE';
  const noticeId = actions[0]?.noticeId;
  if (found === named && guard?.noticeId === noticeId) return [];
  return [see('ENFORCEMENT_GUARD', 'guard', { expected: named, found, notice: guard?.noticeId ?? 'NONE' })];
}
