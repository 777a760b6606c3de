import { always } from '../domain/condition.ts';
import type { TenantId } from '../domain/ids.ts';
import { keysOf } from './keys.ts';
import { entityOf } from './read.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';
import type { Key } from './table-port.ts';

/** How far one shard of a pass has come, and what it saw on the way. */
export type ShardOfPass = {
  startedAt: string;
  /** Where the walk goes on; nothing at the beginning, and nothing once it is done. */
  position?: Record<string, string>;
  done: boolean;
  /** Items of the tenant that were met, and things among them that were looked at. */
  met: number;
  looked: number;
  /** What did not stand still, or was too old to be proven: nothing is said of it. */
  unproven: number;
  /** What looked wrong, to be looked at again. */
  again: Key[];
  /** More looked wrong than is kept. */
  overflown: boolean;
  regions: Set<string>;
  /** Regions of cases that an index does not find rightly: they cannot be counted by it. */
  misplaced: Set<string>;
};

type Sets = 'regions' | 'misplaced';

const keptForSeconds = 14 * 24 * 3600;

export async function readShard(store: Store, tenant: TenantId, date: string, shard: string) {
  const [item] = await store.table.batchGet([keysOf(tenant).pass(date, shard)]);
  // An empty set is not stored.
  const stands = entityOf<Omit<ShardOfPass, Sets> & Partial<Pick<ShardOfPass, Sets>>>(item);
  return stands && { ...stands, regions: stands.regions ?? new Set(), misplaced: stands.misplaced ?? new Set() };
}

/** A shard has one walker at a time; where two attempts overlap, both have done what they say. */
export async function saveShard(store: Store, tenant: TenantId, date: string, shard: string, stands: ShardOfPass) {
  const expiresAt = Math.floor(store.now() / 1000) + keptForSeconds;
  const { position, ...set } = stands;
  const item = { itemType: 'Pass', ...set, ...(position && { position }), expiresAt };
  await writeOne(store, { kind: 'put', key: keysOf(tenant).pass(date, shard), item, when: always });
}

/** Up to which event of an aggregate it is proven that everything was told. */
export async function provenUpTo(store: Store, tenant: TenantId, aggregateId: string): Promise<number> {
  const [item] = await store.table.batchGet([keysOf(tenant).toldUpTo(aggregateId)]);
  return (item?.['seq'] as number | undefined) ?? 0;
}

export async function proven(store: Store, tenant: TenantId, aggregateId: string, seq: number): Promise<void> {
  const key = keysOf(tenant).toldUpTo(aggregateId);
  await writeOne(store, { kind: 'update', key, update: { set: { itemType: 'Proven', seq } }, when: always });
}
