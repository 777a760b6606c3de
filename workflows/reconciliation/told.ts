import type { Sighting } from '../../domain/operations/finding.ts';
import { ref } from '../../domain/refs.ts';
import type { AuditEvent } from '../../store/audit.ts';
import { shardOf } from '../../store/identity.ts';
import { pendingShards } from '../../store/indexes.ts';
import { keysOf } from '../../store/keys.ts';
import { proven, provenUpTo } from '../../store/passes.ts';
import { hours, type Look, type seer } from './checked.ts';

/** Told messages are kept for seven days; an hour less, so that none goes while one looks. */
const evidenceLastsMs = 7 * 24 * hours - hours;

/**
 * Every event was told, or waits to be: its message says so, or the cursor that passed it. From where the last pass could
 * prove it; what is older than its evidence can last stays unproven.
 */
export async function untold(
  { store, tenant }: Look,
  aggregateId: string,
  events: readonly AuditEvent[],
  see: ReturnType<typeof seer>,
): Promise<{ seen: Sighting[]; unproven: number; behind: boolean }> {
  const keys = keysOf(tenant);
  const from = await provenUpTo(store, tenant, aggregateId);
  const asked = events.filter(({ seq }) => seq > from).sort((a, b) => a.seq - b.seq);
  const shard = shardOf(aggregateId, pendingShards);
  const [cursor, ...messages] = await store.table.batchGet([
    keys.of(ref.cursor(aggregateId)),
    ...asked.map(({ at, seq }) => keys.message(at.slice(0, 10), shard, aggregateId, seq, 0)),
  ]);
  const passed = (cursor?.['at'] as number | undefined) ?? 0;
  const seen: Sighting[] = [];
  let [unproven, upTo, whole] = [0, from, true];
  asked.forEach(({ seq, at }, i) => {
    const status = messages[i]?.['status'];
    const told = seq <= passed || status === 'PUBLISHED' || status === 'SKIPPED';
    const old = store.now() - Date.parse(at) > evidenceLastsMs;
    if (!told && !messages[i] && !old) seen.push(see('EVENT_UNTOLD', String(seq), { seq }));
    if (!told && !messages[i] && old) unproven++;
    whole &&= told || (!messages[i] && old);
    if (whole) upTo = seq;
  });
  if (upTo > from) await proven(store, tenant, aggregateId, upTo);
  return { seen, unproven, behind: !whole };
}
