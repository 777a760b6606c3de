import { InvariantBreach } from '../domain/answer.ts';
import type { Attributes, Condition } from '../domain/condition.ts';
import { all, any, atMost, equals, exists, missing, oneOf } from '../domain/condition.ts';
import { finalStatuses, isRecorded, type LedgerRow, type LedgerStatus, type Provider } from '../domain/effect.ts';
import type { EffectId, TenantId } from '../domain/ids.ts';
import { ref } from '../domain/refs.ts';
import { instantOf } from './calendar.ts';
import { effectIndexes } from './indexes.ts';
import { keysOf } from './keys.ts';
import { readItems } from './read.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';
import type { Write } from './table-port.ts';

/** Which row: one effect of one provider. */
export type EffectName = { tenant: TenantId; provider: Provider; effectId: EffectId };

/** The transitions of effects.md §3; everything else is refused by condition. */
const from: Record<Exclude<LedgerStatus, 'PLANNED'>, readonly LedgerStatus[]> = {
  SENDING: ['PLANNED', 'FAILED_RETRYABLE', 'UNKNOWN'],
  SENT: ['SENDING', 'UNKNOWN'],
  CONFIRMED: ['SENDING', 'SENT', 'UNKNOWN', 'PARKED', 'FAILED_RETRYABLE'],
  FAILED_RETRYABLE: ['SENDING', 'UNKNOWN', 'PARKED'],
  FAILED_FINAL: ['SENDING', 'SENT', 'UNKNOWN', 'PARKED', 'FAILED_RETRYABLE'],
  UNKNOWN: ['SENDING', 'SENT'],
  PARKED: ['UNKNOWN'],
  CANCELLED: ['PLANNED', 'FAILED_RETRYABLE', 'PARKED'],
};

export async function readEffect(store: Store, { tenant, provider, effectId }: EffectName): Promise<LedgerRow> {
  const [row] = await readItems(store, tenant, [ref.effect(provider, effectId)]);
  if (!row) throw new InvariantBreach('an effect that nobody planned');
  return row;
}

const pendingIndex = ['pendingPk', 'pendingSk'];

export type Step = {
  to: Exclude<LedgerStatus, 'PLANNED'>;
  /** The row as read: its attempt is part of the premise. */
  row: LedgerRow;
  set?: Attributes;
  remove?: string[];
  /** The worker's fence; the provider's own word needs none. */
  fence?: number;
};

/** The write of one ledger step, conditional on the attempt, a from-state of the table and no later fence. */
export function stepWrite(store: Store, name: EffectName, { to, row, set, remove, fence }: Step): Write {
  const now = instantOf(store.now());
  const over = finalStatuses.includes(to) && !isRecorded(row.kind);
  const notFenced: Condition[] = fence === undefined ? [] : [any(missing('fence'), atMost('fence', fence))];
  return {
    kind: 'update',
    key: keysOf(name.tenant).effect(name.provider, name.effectId),
    update: {
      set: {
        status: to,
        updatedAt: now,
        ...set,
        ...(fence !== undefined && { fence }),
        ...(to === 'UNKNOWN' && { unknownSince: row.unknownSince ?? now }),
        ...(over ? { recordedAt: now } : effectIndexes(row, now)),
      },
      remove: [...(remove ?? []), ...outlived(to, set), ...(over ? pendingIndex : [])],
    },
    when: all(exists, oneOf('status', from[to]), equals('attempt', row.attempt), ...notFenced),
  };
}

/** A row that is parked is still unknown; one that was accepted after all has met no error. */
const outlived = (to: LedgerStatus, set: Attributes = {}) =>
  ['unknownSince', 'error'].filter(
    (attribute) =>
      !(attribute in set) &&
      (attribute === 'error' ? ['SENT', 'CONFIRMED'].includes(to) : !['UNKNOWN', 'PARKED'].includes(to)),
  );

/**
 * Takes one step and answers the row as it stands then. Where the step lost (a callback came first, a later owner), what
 * is recorded is adopted: a final state is never overwritten.
 */
export async function step(store: Store, name: EffectName, taken: Step): Promise<LedgerRow> {
  await writeOne(store, stepWrite(store, name, taken));
  return readEffect(store, name);
}

/** Notes of which attempt the party could not tell; what it permits is the effect's to say. Answers the row as it stands. */
export async function noteUntold(store: Store, name: EffectName, row: LedgerRow, fence: number): Promise<LedgerRow> {
  await writeOne(store, {
    kind: 'update',
    key: keysOf(name.tenant).effect(name.provider, name.effectId),
    update: { set: { untoldAttempt: row.attempt, fence } },
    when: all(
      exists,
      equals('status', 'UNKNOWN'),
      equals('attempt', row.attempt),
      any(missing('fence'), atMost('fence', fence)),
    ),
  });
  return readEffect(store, name);
}

/** Notes once that an accepted mail came back; how it was accepted stays. Answers whether this is the first word of it. */
export async function noteBounce(store: Store, name: EffectName): Promise<boolean> {
  const written = await writeOne(store, {
    kind: 'update',
    key: keysOf(name.tenant).effect(name.provider, name.effectId),
    update: { set: { bouncedAt: instantOf(store.now()) } },
    when: all(exists, missing('bouncedAt')),
  });
  return written.kind === 'written';
}

/** Keeps the task token where the callback finds it, unless a later owner is at work. */
export async function keepToken(store: Store, name: EffectName, token: string, fence: number): Promise<void> {
  await writeOne(store, {
    kind: 'update',
    key: keysOf(name.tenant).effect(name.provider, name.effectId),
    update: { set: { token, fence } },
    when: all(exists, any(missing('fence'), atMost('fence', fence))),
  });
}
