import type { TenantId } from '../domain/ids.ts';
import type { FindingStatus } from '../domain/operations/finding.ts';
import { idInPlace, keysOf, pendingPartition, tenantOfKey, type PendingKind } from './keys.ts';
import { pendingShards } from './indexes.ts';
import { page, placed, type Listed, type Placed, type Position } from './lists.ts';
import type { Store } from './store.ts';
import type { Key } from './table-port.ts';

export type ExecutionsBy = {
  by: 'about' | 'status' | 'machine';
  value: string;
  /** Bounds on the instant of the start. */
  from?: string | undefined;
  to?: string | undefined;
};

/** Names of executions, the newest first. One round trip. */
export async function listExecutions(
  store: Store,
  tenant: TenantId,
  { by, value, from, to }: ExecutionsBy,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<string>>> {
  const keys = keysOf(tenant);
  const source = {
    about: { index: 'byLead', partition: keys.executionsAbout(value), sort: 'byLeadSk' },
    status: { index: 'byStatus', partition: keys.executionsByStatus(value), sort: 'byStatusSk' },
    machine: { index: 'byRegion', partition: keys.executionsByMachine(value), sort: 'byRegionSk' },
  } as const;
  const { index, partition, sort } = source[by];
  const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to: `${to}~` }) };
  const found = await page(store, { index, partition, ...bounds, forward: false, limit, after, consistent: false });
  return { ...found, items: found.items.map((item) => placed(item, idInPlace(item[sort] as string), index)) };
}

/** Ids of findings in a status, or about a case or officer, the longest known first. One round trip. */
export async function listFindings(
  store: Store,
  tenant: TenantId,
  by: { status: FindingStatus } | { about: string },
  limit: number,
  after?: Position,
): Promise<Listed<Placed<string>>> {
  const keys = keysOf(tenant);
  const [index, partition] =
    'status' in by
      ? (['byStatus', keys.findingsByStatus(by.status)] as const)
      : (['byLead', keys.findingsAbout(by.about)] as const);
  const found = await page(store, { index, partition, forward: true, limit, after, consistent: false });
  return { ...found, items: found.items.map((item) => placed(item, idInPlace(item[`${index}Sk`] as string), index)) };
}

/**
 * Keys of what waits for a tenant, the oldest first. The index is spread over shards and shared by tenants: every shard is
 * read from where the last page ended, and the keys of others are left out. One round trip a shard, all at once.
 */
export async function listPending(
  store: Store,
  tenant: TenantId,
  kind: PendingKind,
  limit: number,
  after?: Position,
): Promise<Listed<Placed<Key>>> {
  const from = after?.['pendingSk'];
  const shards = Array.from({ length: pendingShards }, (_, shard) => shard);
  const pages = await Promise.all(
    shards.map((shard) =>
      store.table.query({
        index: 'pending',
        partition: pendingPartition(kind, shard),
        ...(from !== undefined && { from: justAfter(from) }),
        forward: true,
        limit,
        consistent: false,
      }),
    ),
  );
  const all = pages.flatMap(({ items }) => items).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const looked = all.slice(0, limit);
  const more = all.length > limit || pages.some(({ lastKey }) => lastKey !== undefined);
  const last = looked.at(-1);
  return {
    items: looked
      .filter(({ pk, sk }) => tenantOfKey({ pk, sk }) === tenant)
      .map((item) => ({ item: { pk: item.pk, sk: item.sk }, position: positionOf(item) })),
    ...(more && last && { last: positionOf(last) }),
  };
}

type Found = Key & Record<string, unknown>;
const orderOf = (item: Found) => item['pendingSk'] as string;
const positionOf = (item: Found): Position => ({ pendingSk: orderOf(item) });

/** No key of an index lies between a text and the same text with a space. */
const justAfter = (sortKey: string) => `${sortKey} `;
