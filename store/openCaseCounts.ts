import type { TenantId } from '../domain/ids.ts';
import { counterShards } from '../domain/case/openCases.ts';
import { ref } from '../domain/refs.ts';
import { readItems } from './read.ts';
import type { Store } from './store.ts';

/**
 * How many cases are open in each region: the sum of the counter's shards. Approximate, since the shards are not read at
 * one instant; a sum that is caught below zero is none.
 */
export async function openCaseCounts(store: Store, tenant: TenantId, regions: readonly string[]): Promise<number[]> {
  const distinct = [...new Set(regions)];
  const shards = distinct.flatMap((region) =>
    Array.from({ length: counterShards }, (_, shard) => ref.openCases(region, shard)),
  );
  const found = await readItems<{ count: number }>(store, tenant, shards);
  const sums = distinct.map((_, i) =>
    found.slice(i * counterShards, (i + 1) * counterShards).reduce((sum, shard) => sum + (shard?.count ?? 0), 0),
  );
  return regions.map((region) => Math.max(0, sums[distinct.indexOf(region)]!));
}
