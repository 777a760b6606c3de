import { all, any, below, equals, exists, holds, missing } from '../domain/condition.ts';
import type { Instant, TenantId } from '../domain/ids.ts';
import type { OutboxMessage } from '../domain/message.ts';
import { instantOf } from './calendar.ts';
import { ofAnotherLife } from './life.ts';
import { keysOf, pendingPartition, place, keyText, tenantOfKey, type PendingKind } from './keys.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';
import { applied } from './transact.ts';
import type { Item, Key, Write } from './table-port.ts';

/** Milliseconds a claim on a message holds; a crashed publisher's message is taken over after it. */
export const claimMs = 15_000;
/** After this many failures, which span some hours, a message is DEAD and waits for an operator. */
export const publishTries = 10;
const publishedForSeconds = 7 * 24 * 3600;

export type Message = OutboxMessage & { key: Key; tenant: TenantId };

/** The messages as they stand, consistently; those that are gone are left out. */
export async function readMessages(store: Store, keys: readonly Key[]): Promise<Message[]> {
  const items = await store.table.batchGet(keys);
  return items.flatMap((item) => (item ? [messageIn(item)] : []));
}

export function messageIn(item: Item): Message {
  const { pk, sk, ...message } = item;
  return { ...(message as unknown as OutboxMessage), key: { pk, sk }, tenant: tenantOfKey({ pk, sk }) };
}

/** How far the ordered messages of an aggregate have been told: 0 before the first. */
export async function cursorOf(store: Store, message: Message): Promise<number> {
  const [cursor] = await store.table.batchGet([keysOf(message.tenant).cursor(message.aggregateId)]);
  return (cursor?.['at'] as number | undefined) ?? 0;
}

/** Whether somebody may still be telling it: its claim holds, and its claimer is not known to be dead. */
export const isClaimed = (store: Store, message: Message): boolean =>
  message.status === 'PUBLISHING' &&
  (message.claimUntil ?? '') >= instantOf(store.now()) &&
  !ofAnotherLife(store).some((dead) => holds(dead, message));

/** NEW, or PUBLISHING with a claim that has run out, becomes mine; `undefined` where somebody else was first. */
export async function claim(store: Store, message: Message): Promise<Message | undefined> {
  const now = instantOf(store.now());
  const claimUntil = instantOf(store.now() + claimMs);
  const mine = message.claim + 1;
  const { life } = store;
  const written = await writeOne(store, {
    kind: 'update',
    key: message.key,
    update: {
      set: { status: 'PUBLISHING', claim: mine, claimedAt: now, claimUntil, ...(life !== undefined && { life }) },
      ...(life === undefined && { remove: ['life'] }),
    },
    when: all(
      exists,
      equals('claim', message.claim),
      any(
        equals('status', 'NEW'),
        all(equals('status', 'PUBLISHING'), any(below('claimUntil', now), ...ofAnotherLife(store))),
      ),
    ),
  });
  return written.kind === 'written' ? { ...message, claim: mine, claimUntil, status: 'PUBLISHING' } : undefined;
}

/**
 * PUBLISHED, on my claim only; with an ordered message its aggregate's cursor moves in the same transaction. Answers
 * whether it was mine to mark; where it was not, it is told again after the claim runs out, and consumers recognise a
 * repeat. What the database refuses or does not answer is thrown.
 */
export async function markPublished(store: Store, message: Message, providerMessageId: string): Promise<boolean> {
  const mark: Write = {
    kind: 'update',
    key: message.key,
    update: {
      set: { status: 'PUBLISHED', providerMessageId, expiresAt: Math.floor(store.now() / 1000) + publishedForSeconds },
      remove: ['pendingPk', 'pendingSk', 'claimUntil', 'notBefore', 'error'],
    },
    when: all(exists, equals('status', 'PUBLISHING'), equals('claim', message.claim)),
  };
  if (message.after === undefined) return (await writeOne(store, mark)).kind === 'written';
  const cursor: Write = {
    kind: 'update',
    key: keysOf(message.tenant).cursor(message.aggregateId),
    update: { set: { itemType: 'OutboxCursor', at: message.seq } },
    when: message.after === 0 ? any(missing('at'), equals('at', 0)) : equals('at', message.after),
  };
  return applied(store, [mark, cursor]);
}

/** A failed attempt: later again, or DEAD after the last one. */
export async function markFailed(store: Store, message: Message, error: string, dead: boolean): Promise<void> {
  const attempts = message.attempts + 1;
  const now = store.now();
  const ceiling = Math.min(1_000 * 4 ** attempts, 3_600_000);
  const buried = dead || attempts >= publishTries;
  const grave = {
    pendingPk: pendingPartition('DEAD', message.shard),
    pendingSk: place(instantOf(now), keyText(message.key)),
  };
  await writeOne(store, {
    kind: 'update',
    key: message.key,
    update: {
      set: {
        status: buried ? 'DEAD' : 'NEW',
        attempts,
        error: error.slice(0, 500),
        ...(buried ? grave : { notBefore: instantOf(now + store.random() * ceiling) }),
      },
      remove: ['claimUntil'],
    },
    when: all(exists, equals('status', 'PUBLISHING'), equals('claim', message.claim)),
  });
  if (buried) store.log({ alarm: 'outbox message dead', eventId: message.eventId, messageType: message.messageType });
}

/** The next ordered message of the same aggregate, where it was written on the same day or today. */
export async function nextOrdered(store: Store, message: Message): Promise<Message | undefined> {
  const keys = keysOf(message.tenant);
  const days = new Set([message.createdAt.slice(0, 10), instantOf(store.now()).slice(0, 10)]);
  for (const day of days) {
    const first = keys.message(day, message.shard, message.aggregateId, message.seq + 1, 0);
    const last = keys.message(day, message.shard, message.aggregateId, 9_999_999_999, 9);
    const { items } = await store.table.query({
      partition: first.pk,
      from: first.sk,
      to: last.sk,
      forward: true,
      limit: 10,
      consistent: true,
    });
    const next = items.map(messageIn).find((found) => found.after === message.seq);
    if (next) return next;
  }
  return undefined;
}

/** Keys of all that waits in a shard since before an instant; the index finds, the caller confirms. */
export async function pendingKeys(store: Store, kind: PendingKind, shard: number, until: Instant): Promise<Key[]> {
  const keys: Key[] = [];
  let after: Record<string, string> | undefined;
  do {
    const page = await store.table.query({
      index: 'pending',
      partition: pendingPartition(kind, shard),
      to: place(until, '~'),
      forward: true,
      limit: 100,
      after,
      consistent: false,
    });
    keys.push(...page.items.map(({ pk, sk }) => ({ pk, sk })));
    after = page.lastKey;
  } while (after);
  return keys;
}
