import type { CommandId, Instant } from '../domain/ids.ts';
import { keysOf } from '../store/keys.ts';
import { liveRecord } from '../store/record.ts';
import type { Context } from './context.ts';

/** What commands have done, in the order of their ids: who, when, on what, how it ended; never what was said. */
export async function commandRecords({ reads, tenant }: Context, ids: readonly CommandId[]) {
  const keys = keysOf(tenant);
  const items = await reads.table.batchGet(ids.map((id) => keys.command(/^[a-z2-7]{32}$/.test(id) ? id : '~')));
  return items.map((item, i) => {
    const record = liveRecord(item, reads.now());
    if (!item || !record) return null;
    const { command, status, generation, result, refusal, executionName, expiresAt } = record;
    return {
      ...{ id: ids[i]!, command, status, generation },
      actorId: item['actor'] as string,
      at: item['at'] as Instant,
      about: result ?? null,
      appliedVersion: result?.appliedVersion ?? null,
      refusal: refusal?.code ?? null,
      executionName: executionName ?? null,
      expiresAt: new Date(expiresAt * 1000).toISOString() as Instant,
    };
  });
}
