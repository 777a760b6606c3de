import { caseStatuses, type Case } from '../../domain/case/case.ts';
import { counterShards } from '../../domain/case/openCases.ts';
import type { CaseId } from '../../domain/ids.ts';
import type { OutboxMessage } from '../../domain/message.ts';
import { ref } from '../../domain/refs.ts';
import { instantOf } from '../../store/calendar.ts';
import { pendingKeys } from '../../store/claims.ts';
import { pendingShards } from '../../store/indexes.ts';
import { tenantOfKey } from '../../store/keys.ts';
import { listCases, type Position } from '../../store/lists.ts';
import { entityOf, readItems } from '../../store/read.ts';
import { seer, type Checked, type Look } from './checked.ts';

/**
 * Counters and sums of the regions against one recount of the open cases. Where a figure moved while the cases were
 * counted, nothing is said of it; nor of a region's sum while an event of that region waits to be told.
 */
export async function checkRegions(look: Look, regions: readonly string[]): Promise<Checked> {
  if (regions.length === 0) return { seen: [], unproven: 0 };
  const [counters, sums] = [await countersOf(look, regions), await sumsOf(look, regions)];
  const waiting = await regionsThatWait(look);
  const counted = await recount(look);
  const [countersAfter, sumsAfter] = [await countersOf(look, regions), await sumsOf(look, regions)];
  const see = seer(undefined);
  let unproven = 0;
  const seen = regions.flatMap((region, i) => {
    const expected = counted.get(region) ?? 0;
    const still = counters[i]!.join() === countersAfter[i]!.join();
    if (!still) unproven++;
    const found = counters[i]!.reduce((sum, count) => sum + count, 0);
    const settled = sums[i] === sumsAfter[i] && !waiting.has(region);
    return [
      ...(still && found !== expected ? [see('COUNTER', region, { expected, found })] : []),
      ...(still && settled && sums[i] !== expected
        ? [see('PROJECTION_SUM', region, { expected, found: sums[i]! })]
        : []),
    ];
  });
  return { seen, unproven };
}

async function countersOf({ store, tenant }: Look, regions: readonly string[]): Promise<number[][]> {
  const shards = Array.from({ length: counterShards }, (_, shard) => shard);
  const refs = regions.flatMap((region) => shards.map((shard) => ref.openCases(region, shard)));
  const counts = (await readItems<{ count: number }>(store, tenant, refs)).map((shard) => shard?.count ?? 0);
  return regions.map((_, i) => counts.slice(i * counterShards, (i + 1) * counterShards));
}

const sumsOf = async ({ store, tenant }: Look, regions: readonly string[]): Promise<number[]> =>
  (
    await readItems(
      store,
      tenant,
      regions.map((region) => ref.openCaseSum(region)),
    )
  ).map((sum) => sum?.count ?? 0);

/** Every case that is not closed, found by its status and read before it counts; once, though it may move on the way. */
async function recount({ store, tenant }: Look): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  const met = new Set<CaseId>();
  for (const value of caseStatuses.filter((status) => status !== 'CLOSED')) {
    let after: Position | undefined;
    do {
      const page = await listCases(store, tenant, { by: 'status', value, forward: true }, 100, after);
      const fresh = page.items.map(({ item }) => item).filter((caseId) => !met.has(caseId));
      const cases = await readItems<Case>(
        store,
        tenant,
        fresh.map((caseId) => ref.case(caseId)),
      );
      for (const current of cases)
        if (current && current.status !== 'CLOSED' && !met.has(current.id)) {
          met.add(current.id);
          counted.set(current.region, (counted.get(current.region) ?? 0) + 1);
        }
      after = page.last;
    } while (after);
  }
  return counted;
}

async function regionsThatWait({ store, tenant }: Look): Promise<Set<unknown>> {
  const until = instantOf(store.now());
  const shards = Array.from({ length: pendingShards }, (_, shard) => shard);
  const found = await Promise.all(
    shards.flatMap((shard) => (['OUTBOX', 'DEAD'] as const).map((kind) => pendingKeys(store, kind, shard, until))),
  );
  const mine = found.flat().filter((key) => tenantOfKey(key) === tenant);
  const messages = await store.table.batchGet(mine);
  return new Set(messages.map((item) => entityOf<OutboxMessage>(item)?.payload['region']));
}
