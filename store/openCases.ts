import { createHash } from 'node:crypto';
import { Busy, InvariantBreach } from '../domain/answer.ts';
import { caseStatuses, type Case } from '../domain/case/case.ts';
import { absent, always, equals } from '../domain/condition.ts';
import type { OpenCaseRow } from '../domain/case/openCases.ts';
import type { CaseId, TenantId } from '../domain/ids.ts';
import { ref } from '../domain/refs.ts';
import { keysOf, keyText } from './keys.ts';
import { listCases, type Position } from './lists.ts';
import { outcomeOf } from './outcome.ts';
import { entityOf, readItems } from './read.ts';
import type { Store } from './store.ts';
import type { Key, Write } from './table-port.ts';

const tries = 20;

/**
 * Takes in where a case stands, unless something newer is known: its row, and its region's sum with it, in one
 * transaction. The same event again, or an earlier one, changes nothing; in whatever order they come, the end is the same.
 */
export async function applyOpenCase(store: Store, tenant: TenantId, caseId: CaseId, next: OpenCaseRow): Promise<void> {
  const keys = keysOf(tenant);
  const key = keys.of(ref.openCaseRow(caseId));
  for (let attempt = 0; attempt < tries; attempt++) {
    const [item] = await store.table.batchGet([key]);
    const known = entityOf<OpenCaseRow>(item);
    if (known && known.sourceVersion >= next.sourceVersion) return;

    const change = Number(next.open) - Number(known?.open ?? false);
    const row: Write = {
      kind: 'update',
      key,
      update: { set: { itemType: 'Projection', ...next } },
      when: known ? equals('sourceVersion', known.sourceVersion) : absent,
    };
    const sum: Write = {
      kind: 'update',
      key: keys.of(ref.openCaseSum(next.region)),
      update: { set: { itemType: 'Projection' }, add: { count: change } },
      when: always,
    };
    const writes = change === 0 ? [row] : [row, sum];
    try {
      return await store.table.transactWrite(writes, tokenOf(key, known?.sourceVersion, next));
    } catch (error) {
      const outcome = outcomeOf(error, writes.length);
      if (outcome.kind === 'broken') throw new InvariantBreach(`a projection was refused: ${outcome.what}`);
      await store.sleep(store.random() * Math.min(25 * 2 ** attempt, 400)); // read again: it may have been applied
    }
  }
  throw new Busy('the projection is busy', 'CONTENTION');
}

/** The token names what the write does, so that its repetition is the same write and nothing else is. */
const tokenOf = (row: Key, from: number | undefined, { region, open, sourceVersion }: OpenCaseRow) =>
  createHash('sha256')
    .update(JSON.stringify([keyText(row), from ?? null, region, open, sourceVersion]))
    .digest('base64url')
    .slice(0, 36);

/** The projection's own figure for each region; a region that never had a case is 0. */
export async function projectedOpenCases(store: Store, tenant: TenantId, regions: readonly string[]) {
  const keys = keysOf(tenant);
  const items = await store.table.batchGet(regions.map((region) => keys.of(ref.openCaseSum(region))));
  return Object.fromEntries(regions.map((region, i) => [region, (items[i]?.['count'] as number | undefined) ?? 0]));
}

export type Rebuilt = { cases: number; regions: { region: string; counted: number; projected: number }[] };

/**
 * Takes in every case as it stands, under the same condition as any event, so that it may run beside them and be begun
 * again; nothing is emptied. Answers the recount beside the projection: they differ by what happened meanwhile, or by a
 * fault, which a second run tells apart.
 */
export async function rebuildOpenCases(store: Store, tenant: TenantId): Promise<Rebuilt> {
  const counted = new Map<string, number>();
  const seen = new Set<CaseId>();
  for (const status of caseStatuses)
    for await (const current of casesIn(store, tenant, status)) {
      if (seen.has(current.id)) continue; // it moved from one list to another in between
      seen.add(current.id);
      const open = current.status !== 'CLOSED';
      counted.set(current.region, (counted.get(current.region) ?? 0) + Number(open));
      await applyOpenCase(store, tenant, current.id, { region: current.region, open, sourceVersion: current.auditSeq });
    }
  const projected = await projectedOpenCases(store, tenant, [...counted.keys()]);
  const regions = [...counted].map(([region, count]) => ({ region, counted: count, projected: projected[region]! }));
  return { cases: seen.size, regions };
}

async function* casesIn(store: Store, tenant: TenantId, status: string): AsyncGenerator<Case> {
  let after: Position | undefined;
  do {
    const by = { by: 'status', value: status, forward: true } as const;
    const listed = await listCases(store, tenant, by, 100, after);
    const found = await readItems(
      store,
      tenant,
      listed.items.map(({ item }) => ref.case(item)),
    );
    yield* found.filter((current) => current !== undefined);
    after = listed.last;
  } while (after);
}
