import type { DocumentVersion } from '../domain/document/document.ts';
import type { CaseId, DocumentId, LocalDate, OfficerId, TaskId, TenantId } from '../domain/ids.ts';
import { ref } from '../domain/refs.ts';
import type { AuditEvent } from './audit.ts';
import { childPrefix, idInPlace, keysOf, taskNameOf, type ChildKind } from './keys.ts';
import { entityOf } from './read.ts';
import type { Store } from './store.ts';
import type { Item, QueryRequest } from './table-port.ts';

/** Where a list goes on: the key of the last item it looked at. Opaque; signed before it leaves as a cursor. */
export type Position = Record<string, string>;
export type Listed<T> = { items: T[]; last?: Position };
/** One item of a list with its own position, so that a page may end anywhere. */
export type Placed<T> = { item: T; position: Position };

export type CasesBy = { by: 'status' | 'lead' | 'region'; value: string; forward: boolean };

/** Ids of cases from an index: it finds, the loader's consistent read confirms. One round trip. */
export async function listCases(
  store: Store,
  tenant: TenantId,
  { by, value, forward }: CasesBy,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<CaseId>>> {
  const keys = keysOf(tenant);
  const source = {
    status: { index: 'byStatus', partition: keys.casesByStatus(value), sort: 'byStatusSk' },
    lead: { index: 'byLead', partition: keys.casesByLead(value), sort: 'byLeadSk' },
    region: { index: 'byRegion', partition: keys.casesByRegion(value), sort: 'byRegionSk' },
  } as const;
  const { index, partition, sort } = source[by];
  const found = await page(store, { index, partition, forward, limit, after, consistent: false });
  return { ...found, items: found.items.map((item) => placed(item, idInPlace(item[sort] as string) as CaseId, index)) };
}

/** Closed cases whose time of keeping ended before today, the longest ago first. One round trip. */
export async function listCasesDue(
  store: Store,
  tenant: TenantId,
  today: LocalDate,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<CaseId>>> {
  const partition = keysOf(tenant).casesToDispose();
  const bounded = { index: 'pending', partition, to: today } as const; // places of that day are longer, and so above it
  const found = await page(store, { ...bounded, forward: true, limit, after, consistent: false });
  return {
    ...found,
    items: found.items.map((item) => placed(item, idInPlace(item['pendingSk'] as string) as CaseId, 'pending')),
  };
}

/** Ids of the officers in a state. One round trip. */
export async function listOfficers(
  store: Store,
  tenant: TenantId,
  state: string,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<OfficerId>>> {
  const partition = keysOf(tenant).officersByState(state);
  const found = await page(store, { index: 'byStatus', partition, forward: true, limit, after, consistent: false });
  return {
    ...found,
    items: found.items.map((item) => placed(item, item['byStatusSk'] as OfficerId, 'byStatus')),
  };
}

export type TasksOf = { of: 'officer' | 'team'; value: string; dueBefore: LocalDate | undefined };
export type TaskName = { caseId: CaseId; taskId: TaskId };

/** Which open tasks an officer has, or a team, the most urgent first; the loader's consistent read confirms. One round trip. */
export async function listTasks(
  store: Store,
  tenant: TenantId,
  { of, value, dueBefore }: TasksOf,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<TaskName>>> {
  const keys = keysOf(tenant);
  const index = of === 'officer' ? 'byLead' : 'byRegion';
  const partition = of === 'officer' ? keys.tasksOfOfficer(value) : keys.tasksOfTeam(value);
  const bound = dueBefore === undefined ? {} : { to: dueBefore }; // places of that day are longer, and so above it
  const found = await page(store, { index, partition, ...bound, forward: true, limit, after, consistent: false });
  return { ...found, items: found.items.map((item) => placed(item, taskNameOf(item), index)) };
}

/** What hangs below a case, consistently, in the order of its ids. One round trip. */
export async function listChildren<T>(
  store: Store,
  tenant: TenantId,
  caseId: CaseId,
  kind: ChildKind,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<T>>> {
  const partition = keysOf(tenant).casePartition(caseId);
  const prefix = childPrefix[kind];
  const found = await page(store, { partition, prefix, forward: true, limit, after, consistent: true });
  return { ...found, items: found.items.map((item) => placed(item, entityOf<T>(item)!)) };
}

/** The confirmed versions of a chain of documents, in their order. One round trip. */
export async function listDocumentVersions(
  store: Store,
  tenant: TenantId,
  caseId: CaseId,
  chainId: DocumentId,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<DocumentVersion>>> {
  const { pk: partition, sk: prefix } = keysOf(tenant).documentVersions(caseId, chainId);
  const found = await page(store, { partition, prefix, forward: true, limit, after, consistent: true });
  return { ...found, items: found.items.map((item) => placed(item, entityOf<DocumentVersion>(item)!)) };
}

/** Audit events of an aggregate, by sequence. One round trip. */
export async function listEvents(
  store: Store,
  tenant: TenantId,
  aggregate: { of: 'case'; caseId: CaseId } | { of: 'officer'; officerId: OfficerId },
  limit: number,
  forward: boolean,
  after?: Position,
): Promise<Listed<Placed<AuditEvent>>> {
  const keys = keysOf(tenant);
  const named = aggregate.of === 'case' ? ref.case(aggregate.caseId) : ref.officer(aggregate.officerId);
  const partition = keys.of(named).pk;
  const found = await page(store, { partition, prefix: childPrefix.event, forward, limit, after, consistent: true });
  return { ...found, items: found.items.map((item) => placed(item, entityOf<AuditEvent>(item)!)) };
}

/** Which cases count in an officer's load. One round trip. */
export async function listLoads(
  store: Store,
  tenant: TenantId,
  officerId: OfficerId,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<{ caseId: CaseId }>>> {
  const partition = keysOf(tenant).officerPartition(officerId);
  const found = await page(store, {
    partition,
    prefix: childPrefix.load,
    forward: true,
    limit,
    after,
    consistent: true,
  });
  return { ...found, items: found.items.map((item) => placed(item, entityOf<{ caseId: CaseId }>(item)!)) };
}

export async function page(store: Store, request: QueryRequest): Promise<Listed<Item>> {
  const { items, lastKey } = await store.table.query(request);
  return { items, ...(lastKey && { last: lastKey }) };
}

export function placed<T>(source: Item, item: T, index?: string): Placed<T> {
  const { pk, sk } = source;
  if (!index) return { item, position: { pk, sk } };
  const [partition, sort] = [`${index}Pk`, `${index}Sk`];
  return {
    item,
    position: { pk, sk, [partition]: source[partition] as string, [sort]: source[sort] as string },
  };
}
