import type { LedgerRow } from '../../domain/effect.ts';
import { instantOf } from '../../store/calendar.ts';
import { pendingKeys } from '../../store/claims.ts';
import { pendingShards } from '../../store/indexes.ts';
import { entityOf } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import { eachOfSeveral } from '../eachApart.ts';
import { callTimeoutMs } from '../once.ts';
import type { Deps } from '../task.ts';
import { recordAnswer } from './callback.ts';

/** How many questions are under way at a time: a registry that answers none holds up the round for minutes, not hours. */
const questionsAtOnce = 16;

/**
 * Asks the registry about every submission whose answer is owed: pending ones get their task's heartbeat, answered ones
 * their answer, as if the callback had come. A lost callback therefore costs minutes, not a submission.
 */
export async function pollRegistry({ store, registry, stateMachines }: Deps): Promise<void> {
  await eachOfSeveral(await submissionsThatWait(store), questionsAtOnce, ask);

  async function ask(row: LedgerRow): Promise<void> {
    const evidence = await registry.find(row.providerKey, AbortSignal.timeout(callTimeoutMs)).catch(() => undefined);
    if (evidence?.kind !== 'found') return;
    if (evidence.answer.status === 'PENDING') {
      if (row.token) await stateMachines.heartbeat(row.token);
      return;
    }
    await recordAnswer(store, { key: row.providerKey, answer: evidence.answer });
  }
}

async function submissionsThatWait(store: Store): Promise<LedgerRow[]> {
  const shards = Array.from({ length: pendingShards }, (_, shard) => shard);
  const until = instantOf(store.now());
  const keys = (await Promise.all(shards.map((shard) => pendingKeys(store, 'EFFECT', shard, until)))).flat();
  const rows = (await store.table.batchGet(keys)).flatMap((item) => entityOf<LedgerRow>(item) ?? []);
  return rows.filter(({ kind, status }) => kind === 'REGISTRATION' && status === 'SENT');
}
