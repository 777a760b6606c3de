import type { LedgerRow } from '../domain/effect.ts';
import { instantOf } from '../store/calendar.ts';
import { pendingKeys } from '../store/claims.ts';
import { executionNameOf } from '../store/identity.ts';
import { pendingShards } from '../store/indexes.ts';
import { tenantOfKey } from '../store/keys.ts';
import { leaseMs, skewMs } from '../store/lease.ts';
import type { EffectName } from '../store/ledger.ts';
import { entityOf } from '../store/read.ts';
import type { Key } from '../store/table-port.ts';
import { moveAndWake, wakeAgain } from '../store/word.ts';
import { eachApart } from './eachApart.ts';
import { publish, type Publisher } from './publish.ts';
import { machineOf } from './wake.ts';

/** Milliseconds a message is left to the fast path before the sweep takes it. */
export const outboxGraceMs = 30_000;

const minutes = 60_000;
/** How long a row may stay in each state before somebody must look again (effects.md §3.11). */
const patience = {
  PLANNED: 15 * minutes,
  FAILED_RETRYABLE: 15 * minutes,
  SENDING: leaseMs + skewMs + 10_000,
  SENT: 48 * 60 * minutes,
  UNKNOWN: 15 * minutes,
  // How it ended is known, and its case has not recorded it yet.
  CONFIRMED: 15 * minutes,
  FAILED_FINAL: 15 * minutes,
  CANCELLED: 15 * minutes,
} as const;

/** How long a row may stay unknown, asked again and again, before a person must settle it. */
const unknownAtMostMs = 24 * 60 * minutes;

/** Finds what was left behind in every shard, so that nothing that is not final stays invisible. */
export async function sweep(publisher: Publisher, graceMs: number): Promise<void> {
  const shards = Array.from({ length: pendingShards }, (_, shard) => shard);
  const swept = shards.flatMap((shard) => [sweepOutbox(publisher, shard, graceMs), sweepEffects(publisher, shard)]);
  const failed = (await Promise.allSettled(swept)).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

async function sweepOutbox(publisher: Publisher, shard: number, graceMs: number): Promise<void> {
  const until = instantOf(publisher.store.now() - graceMs);
  const keys = await pendingKeys(publisher.store, 'OUTBOX', shard, until);
  await eachApart(pagesOf(keys, 25), (page) => publish(publisher, page));
}

async function sweepEffects(publisher: Publisher, shard: number): Promise<void> {
  const { store } = publisher;
  const keys = await pendingKeys(store, 'EFFECT', shard, instantOf(store.now() - patience.SENDING));
  await eachApart(pagesOf(keys, 100), async (page) => {
    const items = await store.table.batchGet(page);
    await eachApart(items.entries(), async ([i, item]) => {
      const row = entityOf<LedgerRow>(item);
      if (!row || store.now() - Date.parse(row.updatedAt) <= patienceFor(row)) return;
      await takeUp(publisher, { tenant: tenantOfKey(page[i]!), provider: row.provider, effectId: row.effectId }, row);
    });
  });
}

const pagesOf = (keys: Key[], size: number): Key[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, page) => keys.slice(page * size, (page + 1) * size));

/** What was looked at in vain is looked at more and more seldom, since only a person can help it: four hours at most. */
const patienceFor = ({ status, round }: LedgerRow): number => {
  if (!(status in patience)) return Infinity;
  const first = patience[status as keyof typeof patience];
  return recording.includes(status) ? first * 2 ** Math.min(Math.max(round - 2, 0), 4) : first;
};
const recording: readonly LedgerRow['status'][] = ['CONFIRMED', 'FAILED_FINAL', 'CANCELLED'];

/** What is owed to a row that has stood too long: an honest UNKNOWN, a person, or another look by its machine. */
async function takeUp({ store, stateMachines }: Publisher, name: EffectName, row: LedgerRow): Promise<void> {
  switch (row.status) {
    case 'SENDING':
    case 'SENT':
      await moveAndWake(store, name, 'UNKNOWN', {}, [row.status]);
      return;
    case 'UNKNOWN':
      if (store.now() - Date.parse(row.unknownSince ?? row.updatedAt) <= unknownAtMostMs) break;
      if ((await moveAndWake(store, name, 'PARKED', {}, ['UNKNOWN'])).moved)
        store.log({ alarm: 'effect parked', effectId: row.effectId, kind: row.kind });
      return;
    default:
      if (row.status === 'FAILED_RETRYABLE' && (row.notBefore ?? '') > instantOf(store.now())) return; // as the party asked
  }
  const machine = machineOf[row.kind];
  if (await stateMachines.isRunning(machine, executionNameOf(machine, row.effectId, row.round))) return;
  await wakeAgain(store, name, row);
}
