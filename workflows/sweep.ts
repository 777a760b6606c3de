import type { LedgerRow } from '../domain/effect.ts';
import { instantOf } from '../store/calendar.ts';
import { pendingKeys } from '../store/claims.ts';
import { executionNameOf } from '../store/identity.ts';
import { pendingShards } from '../store/indexes.ts';
import { tenantOfKey } from '../store/keys.ts';
import { leaseMs, skewMs } from '../store/lease.ts';
import type { EffectName } from '../store/ledger.ts';
import { entityOf } from '../store/read.ts';
import { moveAndWake, wakeAgain } from '../store/word.ts';
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
  UNKNOWN: 24 * 60 * minutes,
} as const;

/** Finds what was left behind in every shard, so that nothing that is not final stays invisible. */
export async function sweep(publisher: Publisher, graceMs: number): Promise<void> {
  const shards = Array.from({ length: pendingShards }, (_, shard) => shard);
  await Promise.all(shards.map((shard) => sweepOutbox(publisher, shard, graceMs)));
  await Promise.all(shards.map((shard) => sweepEffects(publisher, shard)));
}

async function sweepOutbox(publisher: Publisher, shard: number, graceMs: number): Promise<void> {
  const until = instantOf(publisher.store.now() - graceMs);
  const keys = await pendingKeys(publisher.store, 'OUTBOX', shard, until);
  for (let i = 0; i < keys.length; i += 25) await publish(publisher, keys.slice(i, i + 25));
}

async function sweepEffects(publisher: Publisher, shard: number): Promise<void> {
  const { store } = publisher;
  const keys = await pendingKeys(store, 'EFFECT', shard, instantOf(store.now() - patience.SENDING));
  const items = await store.table.batchGet(keys);
  for (const [i, item] of items.entries()) {
    const row = entityOf<LedgerRow>(item);
    if (!row) continue;
    const name = { tenant: tenantOfKey(keys[i]!), provider: row.provider, effectId: row.effectId };
    if (store.now() - Date.parse(row.updatedAt) > patienceFor(row)) await takeUp(publisher, name, row);
  }
}

const patienceFor = ({ status }: LedgerRow): number =>
  status in patience ? patience[status as keyof typeof patience] : Infinity;

/** What is owed to a row that has stood too long: an honest UNKNOWN, a person, or another look by its machine. */
async function takeUp({ store, stateMachines }: Publisher, name: EffectName, row: LedgerRow): Promise<void> {
  switch (row.status) {
    case 'SENDING':
    case 'SENT':
      await moveAndWake(store, name, 'UNKNOWN', {}, [row.status]);
      return;
    case 'UNKNOWN':
      store.log({ alarm: 'effect parked', effectId: row.effectId, kind: row.kind });
      await moveAndWake(store, name, 'PARKED', {}, ['UNKNOWN']);
      return;
    default: {
      const machine = machineOf[row.kind];
      if (await stateMachines.isRunning(machine, executionNameOf(machine, row.effectId, row.round))) return;
      await wakeAgain(store, name, row);
    }
  }
}
