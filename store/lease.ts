import { randomUUID } from 'node:crypto';
import { Busy } from '../domain/answer.ts';
import { absent, all, any, below, equals, exists } from '../domain/condition.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Aggregate } from '../domain/operations/execution.ts';
import type { LeaseRow } from '../domain/operations/lease.ts';
import { instantOf } from './calendar.ts';
import { leaseIndexes } from './indexes.ts';
import { ofAnotherLife } from './life.ts';
import { keysOf } from './keys.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';
import type { Item, Key } from './table-port.ts';

/** Milliseconds: how long a lease holds, and how wrong two clocks may be (effects.md §2). */
export const leaseMs = 30_000;
export const skewMs = 5_000;
const renewEveryMs = leaseMs / 3;
const trustedMs = (leaseMs * 2) / 3;

/** Who works on an aggregate, within one task invocation, and the number that proves a later owner. */
export type Lease = {
  readonly fence: number;
  /** Throws `Busy` unless the lease was confirmed recently enough and still covers `ms` more; renews it if needed. */
  ensure: (ms: number) => Promise<void>;
};

/** What is worked on: a case, by its id; or work that leaves its case alone, by a name of its own, and holds up nobody. */
export type Subject = string | { name: string; about: Aggregate };

/** Runs the work as the one owner of its subject, or throws `Busy`, which state machines retry. */
export async function withLease<T>(
  store: Store,
  tenant: TenantId,
  subject: Subject,
  owner: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const { name, about } = typeof subject === 'string' ? { name: subject, about: undefined } : subject;
  const held = await acquire(store, keysOf(tenant).lease(name), owner, about);
  const timer = setInterval(() => void held.renew().catch(() => undefined), renewEveryMs);
  try {
    return await work(held);
  } finally {
    clearInterval(timer);
    await held.release();
  }
}

async function acquire(store: Store, key: Key, owner: string, about: Aggregate | undefined) {
  const rvn = randomUUID();
  const now = store.now();
  const startedAt = store.monotonic();
  const written = await writeOne(store, {
    kind: 'update',
    key,
    update: {
      set: {
        ...{ itemType: 'Lease', owner, rvn, heldAt: now, leaseUntil: now + leaseMs, state: 'HELD' },
        ...(about && { about }),
        ...(store.life !== undefined && { life: store.life }),
        ...leaseIndexes(key, instantOf(now)),
      },
      ...(store.life === undefined && { remove: ['life'] }), // a command beside the host: only time frees what it holds
      add: { fence: 1 },
    },
    when: any(absent, equals('state', 'FREE'), below('leaseUntil', now - skewMs), ...ofAnotherLife(store)),
  });
  const row = written.kind === 'written' ? written.after : mine(written.old, owner, rvn);
  if (!row) throw new Busy('somebody else works on it', 'NOT_YET');
  return heldLease(store, key, row as unknown as LeaseRow, startedAt);
}

/** The row if this very write made it: its answer was lost, its effect was not. */
const mine = (row: Item | undefined, owner: string, rvn: string) =>
  row && row['owner'] === owner && row['rvn'] === rvn ? row : undefined;

function heldLease(store: Store, key: Key, row: LeaseRow, acquiredAt: number) {
  const { owner, fence } = row;
  let { rvn } = row;
  let confirmedAt = acquiredAt; // monotonic, from before the request was sent
  let lost = false;
  let renewing: Promise<void> | undefined;

  const renewOnce = async () => {
    const startedAt = store.monotonic();
    const next = randomUUID();
    const written = await writeOne(store, {
      kind: 'update',
      key,
      update: { set: { rvn: next, heldAt: store.now(), leaseUntil: store.now() + leaseMs } },
      when: all(exists, equals('owner', owner), equals('fence', fence), equals('rvn', rvn)),
    });
    if (written.kind === 'failed' && !mine(written.old, owner, next)) {
      lost = true;
      return;
    }
    rvn = next;
    confirmedAt = startedAt;
  };
  const renew = () => (renewing ??= renewOnce().finally(() => (renewing = undefined)));

  return {
    fence,
    renew,
    ensure: async (ms: number) => {
      const age = () => store.monotonic() - confirmedAt;
      if (!lost && (leaseMs - age() < ms || age() > trustedMs)) await renew();
      if (lost || age() > trustedMs || leaseMs - age() < ms) throw new Busy('the lease is lost', 'NOT_YET');
    },
    release: async () => {
      await renewing?.catch(() => undefined);
      await writeOne(store, {
        kind: 'update',
        key,
        update: { set: { state: 'FREE' }, remove: ['pendingPk', 'pendingSk'] },
        when: all(exists, equals('owner', owner), equals('fence', fence)),
      }).catch(() => undefined); // not released is only late: it runs out
    },
  };
}
