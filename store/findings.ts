import { Busy } from '../domain/answer.ts';
import { absent, all, equals } from '../domain/condition.ts';
import type { Instant, TenantId } from '../domain/ids.ts';
import { findingKinds, type Finding, type Sighting } from '../domain/operations/finding.ts';
import { ref } from '../domain/refs.ts';
import { instantOf } from './calendar.ts';
import { findingIdOf } from './identity.ts';
import { findingIndexes } from './indexes.ts';
import { keysOf } from './keys.ts';
import { readItems } from './read.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';

/**
 * FIRST: it may be something on its way, and counts when it is seen AGAIN. CERTAIN: a party has said it, or a workflow met
 * it; one look is enough.
 */
export type LookKind = 'FIRST' | 'AGAIN' | 'CERTAIN';

/** Two first looks so far apart are two looks; nearer ones may be one that was repeated after a crash. */
const apartMs = 10 * 60_000;
const tries = 8;

/** Takes in what one look has seen: the same fault is one finding, however often and by whomever it is seen. */
export async function sight(store: Store, tenant: TenantId, seen: Sighting, look: LookKind): Promise<Finding> {
  const id = findingIdOf(seen);
  for (let attempt = 0; attempt < tries; attempt++) {
    const [known] = await readItems(store, tenant, [ref.finding(id)]);
    const next = known
      ? seenAgain(known, seen, look, instantOf(store.now()))
      : begun(id, seen, look, instantOf(store.now()));
    const written = await writeOne(store, {
      kind: 'update',
      key: keysOf(tenant).of(ref.finding(id)),
      update: {
        set: { itemType: 'Finding', ...next, ...findingIndexes(tenant, next) },
        ...(known && next.settledAt === undefined && { remove: ['settledAt', 'settledBy'] }),
      },
      when: known ? all(equals('version', known.version), equals('auditSeq', known.auditSeq)) : absent,
    });
    if (written.kind === 'written') return next;
  }
  throw new Busy('the finding could not be stored', 'CONTENTION');
}

/**
 * A whole pass has not met it again: what was only suspected never was; what ends by itself, or was set right by others,
 * has ended. What needs a person stays until one says so.
 */
export async function notSeen(store: Store, tenant: TenantId, finding: Finding): Promise<void> {
  const key = keysOf(tenant).of(ref.finding(finding.id));
  const when = all(equals('version', finding.version), equals('status', finding.status));
  if (finding.status === 'SUSPECTED' && finding.occurrence === 1)
    return void (await writeOne(store, { kind: 'delete', key, when }));
  if (finding.status === 'OPEN' && findingKinds[finding.kind] === 'BY_HAND') return;
  const next: Finding = {
    ...finding,
    status: 'RESOLVED',
    settledAt: instantOf(store.now()),
    version: finding.version + 1,
  };
  await writeOne(store, { kind: 'update', key, update: { set: { ...next, ...findingIndexes(tenant, next) } }, when });
}

function begun(id: string, { about, ...seen }: Sighting, look: LookKind, now: Instant): Finding {
  return {
    ...{ id, ...seen, ...(about ?? { aggregateType: 'Finding', aggregateId: id }) },
    ...{ status: look === 'CERTAIN' ? 'OPEN' : 'SUSPECTED', firstSeenAt: now, lastSeenAt: now, seen: 1, occurrence: 1 },
    ...{ version: 1, auditSeq: 0, auditHead: '' },
  };
}

function seenAgain(known: Finding, { basis }: Sighting, look: LookKind, now: Instant): Finding {
  const moved = { ...known, basis, lastSeenAt: now, version: known.version + 1 };
  switch (known.status) {
    case 'OPEN':
      return { ...moved, seen: known.seen + 1 };
    case 'SUSPECTED': {
      const counts = look !== 'FIRST' || Date.parse(now) - Date.parse(known.lastSeenAt) > apartMs;
      return counts ? { ...moved, status: 'OPEN', seen: known.seen + 1 } : moved;
    }
    case 'REPAIRED':
    case 'RESOLVED': {
      const { settledAt: _at, settledBy: _by, ...rest } = moved;
      const status = look === 'CERTAIN' ? 'OPEN' : 'SUSPECTED';
      return { ...rest, status, seen: 1, occurrence: known.occurrence + 1 };
    }
  }
}
