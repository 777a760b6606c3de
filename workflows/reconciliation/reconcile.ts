import type { Pass } from './pass.ts';
import { compareRegions, lookAgain, lookAtShard, shardsOfPass } from './pass.ts';
import { settle, type Report } from './settle.ts';

/** A whole pass at once, as the machine makes it in steps: twice a look, `settleMs` apart, and then what follows. */
export async function reconcile(pass: Pass, settleMs: number): Promise<Report> {
  for (const shard of shardsOfPass) await lookAtShard(pass, shard, Infinity);
  await compareRegions(pass, 'FIRST');
  await pass.store.sleep(settleMs);
  await lookAgain(pass, Infinity);
  return settle(pass, Infinity);
}
