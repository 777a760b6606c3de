import { Busy, OutcomeUnknown } from '../../domain/answer.ts';
import type { CaseId, EffectId, OfficerId, TenantId } from '../../domain/ids.ts';
import type { MessageName } from '../../domain/message.ts';
import {
  findingKinds,
  isRecomputed,
  type Finding,
  type FindingKind,
  type FindingStatus,
  type Sighting,
} from '../../domain/operations/finding.ts';
import { ref } from '../../domain/refs.ts';
import { teams } from '../../domain/task/task.ts';
import { execute } from '../../store/execute.ts';
import { notSeen, sight } from '../../store/findings.ts';
import { findingIdOf, repairKeyOf } from '../../store/identity.ts';
import { keysOf } from '../../store/keys.ts';
import type { Position } from '../../store/lists.ts';
import { listFindings } from '../../store/operationLists.ts';
import { readItems } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import type { Key } from '../../store/table-port.ts';
import { service } from '../task.ts';
import { check } from './check.ts';
import type { Look } from './checked.ts';
import { checkRegions } from './checkRegions.ts';
import { shardsSoFar, type Pass } from './pass.ts';

/** What one pass has shown and done. */
export type Report = {
  /** Items of the tenant that were met, and cases, officers, values, acts, messages and leases that were looked at. */
  met: number;
  looked: number;
  /** Things that never stood still, or whose evidence is gone: nothing is said of them. */
  unproven: number;
  open: Finding[];
  repaired: Finding[];
  /** More looked wrong than one pass takes in. */
  overflown: boolean;
  /** All that could be repaired was tried; otherwise there was no time left. */
  done: boolean;
};

/** Ends what ended by itself, sets right what follows from the records, and says what is left for a person. */
export async function settle(pass: Pass, budgetMs: number): Promise<Report> {
  const { store, tenant } = pass;
  const until = store.monotonic() + budgetMs;
  const shards = await shardsSoFar(pass);
  const overflown = shards.some((shard) => shard.overflown);
  const since = shards.map(({ startedAt }) => startedAt).sort()[0]!;
  if (!overflown) await forgetUnseen(store, tenant, since);

  const repaired: Finding[] = [];
  // Figures and projections first: the events of the other repairs would make them wait to be told.
  const found = (await findingsIn(store, tenant, 'OPEN')).sort((a, b) => rank(a) - rank(b));
  let done = true;
  for (const finding of found.filter(isRecomputed)) {
    done = store.monotonic() < until;
    if (!done) break;
    if (await repair(pass, finding)) repaired.push(finding);
  }
  const sum = (count: 'met' | 'looked' | 'unproven') => shards.reduce((total, shard) => total + shard[count], 0);
  const ended = new Set(repaired.map(({ id }) => id));
  const open = found.filter(({ id }) => !ended.has(id));
  if (done) for (const finding of open) await askPerson(pass, finding);
  return { met: sum('met'), looked: sum('looked'), unproven: sum('unproven'), open, repaired, overflown, done };
}

const order: readonly FindingKind[] = ['COUNTER', 'PROJECTION_SUM', 'PROJECTION_ROW'];
const rank = ({ kind }: Finding) => (order.includes(kind) ? order.indexOf(kind) : order.length);

/** A region whose events wait is not compared: that its fault was not met says nothing. */
const isFigure = ({ kind }: Finding) => kind === 'COUNTER' || kind === 'PROJECTION_SUM';

async function forgetUnseen(store: Store, tenant: TenantId, since: string): Promise<void> {
  for (const finding of await findingsIn(store, tenant, 'SUSPECTED')) await notSeen(store, tenant, finding);
  for (const finding of await findingsIn(store, tenant, 'OPEN'))
    if (finding.lastSeenAt < since && !isFigure(finding)) await notSeen(store, tenant, finding);
}

async function findingsIn(store: Store, tenant: TenantId, status: FindingStatus): Promise<Finding[]> {
  const all: Finding[] = [];
  let after: Position | undefined;
  do {
    const page = await listFindings(store, tenant, { status }, 100, after);
    const found = await readItems(
      store,
      tenant,
      page.items.map(({ item }) => ref.finding(item)),
    );
    all.push(...(found.filter((finding) => finding?.status === status) as Finding[]));
    after = page.last;
  } while (after);
  return all;
}

/**
 * Looks once more, so that the repair stands on how things are now, and sets it right by the command that an operator
 * would give. Answers whether it is right now; what has moved on is left to the next pass.
 */
async function repair(pass: Pass, finding: Finding): Promise<boolean> {
  const { store, tenant, date } = pass;
  const seen = (await lookOnceMore(pass, finding)).find((one) => findingIdOf(one) === finding.id);
  if (!seen) return false;
  await sight(store, tenant, seen, 'AGAIN');
  const { id: findingId, aggregateType, aggregateId, occurrence } = finding;
  const envelope = {
    ...{ tenant, actor: service, correlationId: `reconciliation-${date}` },
    idempotencyKey: repairKeyOf(findingId, occurrence, 'repairFinding'),
  };
  const asked = {
    type: 'repairFinding',
    aggregateType,
    aggregateId,
    findingId,
    expectedStatus: 'OPEN',
    how: 'RECOMPUTE',
  };
  const answer = await execute(store, envelope, { ...asked, reason: 'found by reconciliation' }).catch(asBusy);
  if (answer.kind === 'refused') store.log({ reconciliation: 'not repaired', findingId, refused: answer.code, tenant });
  return answer.kind === 'done';
}

/** A task of the operators, once for each time that the fault has come; a closed case has none, and its finding stays. */
async function askPerson({ store, tenant, date }: Pass, finding: Finding): Promise<void> {
  const { id: findingId, kind, aggregateType, aggregateId, occurrence } = finding;
  if (aggregateType !== 'Case' || findingKinds[kind] === 'BY_ITSELF') return;
  const envelope = {
    ...{ tenant, actor: service, correlationId: `reconciliation-${date}` },
    idempotencyKey: repairKeyOf(findingId, occurrence, 'createTask'),
  };
  const task = { taskType: 'OPERATOR', origin: findingId, teamId: teams.operations, title: `Reconciliation: ${kind}` };
  const answer = await execute(store, envelope, { type: 'createTask', caseId: aggregateId, ...task }).catch(asBusy);
  if (answer.kind === 'refused' && answer.code !== 'NO_CHANGE')
    store.log({ reconciliation: 'no task', findingId, refused: answer.code, tenant });
}

/** The same key tells what became of it: sent again, it is done once. */
function asBusy(error: unknown): never {
  if (error instanceof OutcomeUnknown) throw new Busy('the repair may have been applied; its key tells', 'NOT_YET');
  throw error;
}

async function lookOnceMore(look: Look, finding: Finding): Promise<Sighting[]> {
  if (isFigure(finding)) return (await checkRegions(look, [finding.item])).seen;
  return (await check(look, keyOf(look.tenant, finding))).seen;
}

/** The key of what the finding's own look begins with. */
function keyOf(tenant: TenantId, { kind, aggregateType, aggregateId, values }: Finding): Key {
  const keys = keysOf(tenant);
  if (kind === 'EFFECT_UNFINDABLE') {
    const { provider, effectId } = values as { provider: 'mailer' | 'registry'; effectId: EffectId };
    return keys.effect(provider, effectId);
  }
  if (kind === 'MESSAGE_UNFINDABLE') return keys.of(ref.message(values as MessageName));
  return keys.of(aggregateType === 'Officer' ? ref.officer(aggregateId as OfficerId) : ref.case(aggregateId as CaseId));
}
