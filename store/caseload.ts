import { createHash } from 'node:crypto';
import { absent, exists } from '../domain/condition.ts';
import type { Case, Investigator } from '../domain/case/case.ts';
import type { CaseId, CommandId, OfficerId, TenantId } from '../domain/ids.ts';
import type { CaseloadItem, PlannedItem, RunItem } from '../domain/officer/caseloadRun.ts';
import { ref } from '../domain/refs.ts';
import type { Task } from '../domain/task/task.ts';
import { shardOf } from './identity.ts';
import { caseloadItems, idInPlace, keysOf } from './keys.ts';
import { listLoads, listTasks, page, placed, type Listed, type Placed, type Position } from './lists.ts';
import { entityOf, readItems } from './read.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';
import type { IndexName } from './table-port.ts';

/** Parts of a run that are moved side by side; everything about one case is in one of them, in order. */
export const caseloadShards = 8;

/**
 * Everything that the officer has, as it stands: the leads by their own rows, the rest found in indexes and read again. What
 * an index does not show yet is found by a later look.
 */
export async function caseloadOf(store: Store, tenant: TenantId, officerId: OfficerId): Promise<CaseloadItem[]> {
  const keys = keysOf(tenant);
  const [leads, reviewed, joined, tasks] = await Promise.all([
    every((after) => listLoads(store, tenant, officerId, 250, after)),
    every((after) => casesIn(store, keys.reviewsOf(officerId), after)),
    every((after) => casesIn(store, keys.membershipsOf(officerId), after)),
    every((after) => listTasks(store, tenant, { of: 'officer', value: officerId, dueBefore: undefined }, 250, after)),
  ]);
  const [reviews, members, live, had] = await Promise.all([
    readItems(
      store,
      tenant,
      reviewed.map((caseId) => ref.case(caseId)),
    ),
    readItems<Investigator>(
      store,
      tenant,
      joined.map((caseId) => ref.investigator(caseId, officerId)),
    ),
    readItems(
      store,
      tenant,
      joined.map((caseId) => ref.case(caseId)),
    ),
    readItems(
      store,
      tenant,
      tasks.map(({ caseId, taskId }) => ref.task(caseId, taskId)),
    ),
  ]);
  const led = new Set(leads.map(({ caseId }) => caseId));
  return [
    ...leads.map(({ caseId }): CaseloadItem => ({ kind: 'LEAD', caseId })),
    ...joined
      .filter((_, i) => members[i] && live[i] && live[i].status !== 'CLOSED')
      .map((caseId): CaseloadItem => ({ kind: 'MEMBERSHIP', caseId })),
    ...reviewed
      .filter((_, i) => reviewerOf(reviews[i]) === officerId)
      .map((caseId): CaseloadItem => ({ kind: 'REVIEW', caseId })),
    ...tasks
      // With the lead go its tasks, and with a review its own.
      .filter(({ caseId }, i) => !led.has(caseId) && had[i]?.type !== 'REVIEW' && isWith(had[i], officerId))
      .map(({ caseId, taskId }): CaseloadItem => ({ kind: 'TASK', caseId, taskId })),
  ];
}

const reviewerOf = (current: Case | undefined) =>
  current?.status === 'UNDER_REVIEW' ? current.review.reviewerId : undefined;

const isWith = (task: Task | undefined, officerId: OfficerId) =>
  task?.assigneeId === officerId && task.endedAt === undefined;

async function casesIn(store: Store, partition: string, after: Position | undefined): Promise<Listed<Placed<CaseId>>> {
  const index: IndexName = 'byLead';
  const found = await page(store, { index, partition, forward: true, limit: 250, after, consistent: false });
  return {
    ...found,
    items: found.items.map((item) => placed(item, idInPlace(item['byLeadSk'] as string) as CaseId, index)),
  };
}

async function every<T>(list: (after: Position | undefined) => Promise<Listed<Placed<T>>>): Promise<T[]> {
  const all: T[] = [];
  for (let after: Position | undefined, more = true; more; more = after !== undefined) {
    const found = await list(after);
    all.push(...found.items.map(({ item }) => item));
    after = found.last;
  }
  return all;
}

const nameOf = ({ kind, caseId, taskId }: CaseloadItem) => [kind, caseId, ...(taskId ? [taskId] : [])].join('/');

/** Who takes what over: fixed by what it is, so that every look and every round says the same. In the order of moving. */
export const planned = (items: readonly CaseloadItem[], toOfficerIds: readonly OfficerId[]): PlannedItem[] =>
  items
    .map((item) => ({ ...item, toOfficerId: toOfficerIds[shardOf(nameOf(item), toOfficerIds.length)]! }))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

/** What a supervisor has seen and accepted: whose, what, and to whom. */
export const digestOf = (officerId: OfficerId, plan: readonly PlannedItem[]): string =>
  createHash('sha256')
    .update(JSON.stringify([officerId, ...plan.map((item) => [nameOf(item), item.toOfficerId])]))
    .digest('hex');

export const shardOfItem = ({ caseId }: CaseloadItem) => shardOf(caseId, caseloadShards);

const keyOf = (tenant: TenantId, commandId: CommandId, item: RunItem) =>
  keysOf(tenant).caseloadItem({ commandId, ...item, taskId: item.taskId });

/** Adds the item unless the run knows it. */
export async function addItem(store: Store, tenant: TenantId, commandId: CommandId, item: RunItem): Promise<void> {
  const key = keyOf(tenant, commandId, item);
  await writeOne(store, { kind: 'put', key, item: { itemType: 'CaseloadItem', ...item }, when: absent });
}

export async function setItem(store: Store, tenant: TenantId, commandId: CommandId, item: RunItem): Promise<void> {
  const { status, round, updatedAt, refusal } = item;
  const update = {
    set: { status, round, updatedAt, ...(refusal && { refusal }) },
    ...(!refusal && { remove: ['refusal'] }),
  };
  await writeOne(store, { kind: 'update', key: keyOf(tenant, commandId, item), update, when: exists });
}

/** Consistently, in the order of moving; of one shard or of all. One round trip. */
export async function listItems(
  store: Store,
  tenant: TenantId,
  commandId: CommandId,
  limit: number,
  after?: Position,
  shard?: number,
): Promise<Listed<Placed<RunItem>>> {
  const { pk: partition } = keysOf(tenant).of(ref.caseload(commandId));
  const prefix = caseloadItems(shard);
  const found = await page(store, { partition, prefix, forward: true, limit, after, consistent: true });
  return { ...found, items: found.items.map((item) => placed(item, entityOf<RunItem>(item)!)) };
}

export const allItems = (store: Store, tenant: TenantId, commandId: CommandId, shard?: number): Promise<RunItem[]> =>
  every((after) => listItems(store, tenant, commandId, 250, after, shard));
