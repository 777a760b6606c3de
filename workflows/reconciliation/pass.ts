import type { TenantId } from '../../domain/ids.ts';
import { instantOf } from '../../store/calendar.ts';
import { sight, type LookKind } from '../../store/findings.ts';
import { subjectOfKey } from '../../store/keys.ts';
import { readShard, saveShard, type ShardOfPass } from '../../store/passes.ts';
import type { Scan } from '../../store/scan.ts';
import type { Store } from '../../store/store.ts';
import type { Item } from '../../store/table-port.ts';
import { check } from './check.ts';
import { eachOfSeveral } from '../eachApart.ts';
import { nothing, type Checked } from './checked.ts';
import { checkRegions } from './checkRegions.ts';

/** One pass of one tenant: a night's, or one that somebody asked for. `date` names it, and its checkpoints. */
export type Pass = { store: Store; scan: Scan; tenant: TenantId; date: string };

export const shardsOfPass = ['00', '01', '02', '03'] as const;

const pageSize = 100;
const checksAtOnce = 8;
/** What looks wrong in one shard and is looked at again; where more is wrong, the next pass sees it. */
const mostAgain = 500;

const fresh = (startedAt: string): ShardOfPass => ({
  ...{ startedAt, done: false, met: 0, looked: 0, unproven: 0, again: [], overflown: false },
  ...{ regions: new Set<string>(), misplaced: new Set<string>() },
});

/** Goes on with a shard from its checkpoint, page by page, as long as there is time; answers whether it is done. */
export async function lookAtShard(pass: Pass, shard: string, budgetMs: number): Promise<{ done: boolean }> {
  const { store, scan, tenant, date } = pass;
  const until = store.monotonic() + budgetMs;
  const known = await readShard(store, tenant, date, shard);
  let stands: ShardOfPass = { ...fresh(instantOf(store.now())), ...known };
  const segment = { number: shardsOfPass.indexOf(shard as (typeof shardsOfPass)[number]), of: shardsOfPass.length };
  while (!stands.done && store.monotonic() < until) {
    const page = await scan(tenant, segment, pageSize, stands.position);
    for (const { item, checked } of await checkedAll(pass, page.items)) stands = taken(item, checked, stands);
    const { position: _, ...rest } = stands;
    stands = { ...rest, done: !page.lastKey, ...(page.lastKey && { position: page.lastKey }) };
    await saveShard(store, tenant, date, shard, stands);
  }
  return { done: stands.done };
}

/** Several at a time, since most of it is waiting for the database. */
async function checkedAll(pass: Pass, items: readonly Item[]) {
  const all = items.map((item): { item: Item; checked: Checked } => ({ item, checked: nothing }));
  await eachOfSeveral(all, checksAtOnce, async (one) => {
    one.checked = await check(pass, { pk: one.item.pk, sk: one.item.sk });
    await sightAll(pass, one.checked, 'FIRST');
  });
  return all;
}

function taken(item: Item, checked: Checked, stands: ShardOfPass): ShardOfPass {
  const { pk, sk } = item;
  const subject = subjectOfKey({ pk, sk });
  if (!subject) return { ...stands, met: stands.met + 1 };
  const region = subject.of === 'counter' ? subject.region : subject.of === 'case' ? item['region'] : undefined;
  const wrong = checked.seen.length > 0;
  const room = stands.again.length < mostAgain;
  return {
    ...stands,
    met: stands.met + 1,
    looked: stands.looked + 1,
    unproven: stands.unproven + checked.unproven,
    again: wrong && room ? [...stands.again, { pk, sk }] : stands.again,
    overflown: stands.overflown || (wrong && !room),
    regions: including(stands.regions, region),
    misplaced: checked.seen.some(({ kind }) => kind === 'CASE_INDEX')
      ? including(stands.misplaced, region)
      : stands.misplaced,
  };
}

const including = (set: Set<string>, one: unknown) => (typeof one === 'string' ? new Set([...set, one]) : set);

/** The figures of every region that a shard has met. */
export async function compareRegions(pass: Pass, look: LookKind): Promise<void> {
  await sightAll(pass, await checkRegions(pass, await regionsOf(pass)), look);
}

/** Without those whose cases an index misses: a recount by it would be wrong, and so would a repair by the recount. */
async function regionsOf(pass: Pass): Promise<string[]> {
  const shards = await shardsSoFar(pass);
  const misplaced = new Set(shards.flatMap((shard) => [...shard.misplaced]));
  const regions = new Set(shards.flatMap((shard) => [...shard.regions]));
  return [...regions].filter((region) => !misplaced.has(region)).sort();
}

export async function shardsSoFar({ store, tenant, date }: Pass): Promise<ShardOfPass[]> {
  const found = await Promise.all(shardsOfPass.map((shard) => readShard(store, tenant, date, shard)));
  return found.map((stands) => ({ ...fresh(instantOf(store.now())), ...stands }));
}

/** The second look at what looked wrong: only what is wrong in the same way again counts. */
export async function lookAgain(pass: Pass, budgetMs: number): Promise<{ done: boolean }> {
  const { store, tenant, date } = pass;
  const until = store.monotonic() + budgetMs;
  for (const shard of shardsOfPass) {
    let stands = await readShard(store, tenant, date, shard);
    while (stands && stands.again.length > 0) {
      if (store.monotonic() >= until) return { done: false };
      for (const key of stands.again.slice(0, 20)) await sightAll(pass, await check(pass, key), 'AGAIN');
      stands = { ...stands, again: stands.again.slice(20) };
      await saveShard(store, tenant, date, shard, stands);
    }
  }
  await compareRegions(pass, 'AGAIN');
  return { done: true };
}

async function sightAll({ store, tenant }: Pass, { seen }: Checked, look: LookKind): Promise<void> {
  for (const one of seen) await sight(store, tenant, one, look);
}
