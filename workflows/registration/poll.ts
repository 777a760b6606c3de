import type { LedgerRow } from '../../domain/effect.ts';
import { instantOf } from '../../store/calendar.ts';
import { pendingKeys } from '../../store/claims.ts';
import { pendingShards } from '../../store/indexes.ts';
import { entityOf } from '../../store/read.ts';
import { eachApart } from '../eachApart.ts';
import { callTimeoutMs } from '../once.ts';
import type { Deps } from '../task.ts';
import { recordAnswer } from './callback.ts';

/**
 * Asks the registry about every submission whose answer is owed: pending ones get their task's heartbeat, answered ones
 * their answer, as if the callback had come. A lost callback therefore costs minutes, not a submission.
 */
export async function pollRegistry({ store, registry, stateMachines }: Deps): Promise<void> {
  const shards = Array.from({ length: pendingShards }, (_, shard) => shard);
  await eachApart(shards, async (shard) => {
    const keys = await pendingKeys(store, 'EFFECT', shard, instantOf(store.now()));
    const items = await store.table.batchGet(keys);
    const waiting = items.flatMap((item) => entityOf<LedgerRow>(item) ?? []).filter(({ status }) => status === 'SENT');
    await eachApart(waiting, ask);
  });

  async function ask(row: LedgerRow): Promise<void> {
    if (row.kind !== 'REGISTRATION') return;
    const evidence = await registry.find(row.providerKey, AbortSignal.timeout(callTimeoutMs)).catch(() => undefined);
    if (evidence?.kind !== 'found') return;
    if (evidence.answer.status === 'PENDING') {
      if (row.token) await stateMachines.heartbeat(row.token);
      return;
    }
    await recordAnswer(store, { key: row.providerKey, answer: evidence.answer });
  }
}
