import { createHash, randomUUID } from 'node:crypto';
import { Busy, NotAccepted, OutcomeUnknown } from '../domain/answer.ts';
import { finalStatuses, type LedgerRow } from '../domain/effect.ts';
import type { Evidence } from '../domain/ports.ts';
import { instantOf } from '../store/calendar.ts';
import { skewMs, type Lease } from '../store/lease.ts';
import { noteUntold, readEffect, step, type EffectName } from '../store/ledger.ts';
import type { Store } from '../store/store.ts';
import type { Table } from '../store/table-port.ts';

/** Milliseconds a call to a party may take; with its margin it fits into what is left of a lease. */
export const callTimeoutMs = 10_000;
const marginMs = 2_000;

/** What the party's answer means for the row. */
export type Verdict = {
  to: 'SENT' | 'CONFIRMED' | 'FAILED_FINAL';
  providerRequestId?: string;
  error?: string;
};

/** Acts on the other side, at once. The key lets it recognise a repeat. */
export type Call<R> = (key: string, signal: AbortSignal) => Promise<R>;

/** One act on the outside world. Whoever adds a party must say how one learns the truth from it. */
export type Effect<Q, R> = {
  /** Built once, stored, and sent as the same bytes at every attempt. */
  request: () => Promise<Q>;
  /** Gets ready whatever the call needs; what fails here was certainly not sent. */
  prepare: (request: Q) => Promise<Call<R>>;
  /** How one learns the truth. NotFound only when it certainly did not arrive; CannotTell is an answer. */
  find: (key: string, signal: AbortSignal) => Promise<Evidence<R>>;
  /** Milliseconds after which a lost request has arrived or will not. */
  settleMs: number;
  verdict: (answer: R) => Verdict;
  /** Milliseconds after planning at which "not accepted; later again" becomes "never". */
  triesForMs: number;
  /**
   * What is done where the party cannot tell. A legal notice is never sent twice, and waits for a person. A plain mail may
   * be: once, as the same bytes under the same Message-ID, by which a reader knows it for the same.
   */
  whenCannotTell: 'PARKED' | 'RESENT_ONCE';
};

/**
 * Sends an effect at most once for all that can be known: effects.md §3, rules 1-4 and 7. A row that says what happened
 * is the answer, without a call. Throws `Busy` (certainly not sent, later again) or `OutcomeUnknown` (ask first).
 */
export async function once<Q, R>(
  store: Store,
  name: EffectName,
  lease: Lease,
  effect: Effect<Q, R>,
): Promise<LedgerRow> {
  const row = await readEffect(store, name);
  if (finalStatuses.includes(row.status) || row.status === 'PARKED' || row.status === 'SENT') return row;
  if (row.status === 'SENDING') {
    // The lease is ours, so the attempt that wrote this is dead or past its call: what it did is unknown.
    await step(store, name, { to: 'UNKNOWN', row, fence: lease.fence });
    throw new OutcomeUnknown('an earlier attempt may have been sent');
  }
  if (row.status === 'UNKNOWN' && !mayBeResent(effect, row))
    throw new OutcomeUnknown('an earlier attempt may have been sent');
  if (row.notBefore !== undefined && row.notBefore > instantOf(store.now()))
    throw new Busy('the party asked us to wait', 'NOT_YET');
  return sendOnce(store, name, lease, effect, row);
}

async function sendOnce<Q, R>(
  store: Store,
  name: EffectName,
  lease: Lease,
  effect: Effect<Q, R>,
  row: LedgerRow,
): Promise<LedgerRow> {
  const request = row.request ?? JSON.stringify(await effect.request());
  const call = await effect.prepare(JSON.parse(request) as Q);
  await lease.ensure(callTimeoutMs + marginMs);
  const startedAt = store.monotonic();
  const sendId = randomUUID();
  const sending = await step(store, name, {
    to: 'SENDING',
    row,
    fence: lease.fence,
    set: {
      attempt: row.attempt + 1,
      sendId,
      request,
      requestDigest: digestOf(request),
      sendBy: instantOf(store.now() + callTimeoutMs),
      ...(row.status === 'UNKNOWN' && { resent: true }),
    },
    remove: ['notBefore', 'error'],
  });
  if (sending.sendId !== sendId) throw new Busy('somebody else took this effect up', 'NOT_YET');

  const left = Math.floor(callTimeoutMs - (store.monotonic() - startedAt));
  if (left <= 0)
    return failed(store, name, lease, effect, sending, new NotAccepted('no time was left to send', 'later'));
  const signal = AbortSignal.timeout(left);
  try {
    const answer = await onItsWay(store, name, effect, () => call(sending.providerKey, signal));
    return await recorded(store, name, sending, effect.verdict(answer), answer, lease.fence);
  } catch (error) {
    if (error instanceof NotAccepted) return failed(store, name, lease, effect, sending, error);
    if (error instanceof Busy) throw error;
    const now = await step(store, name, {
      to: 'UNKNOWN',
      row: sending,
      fence: lease.fence,
      set: { error: nameOf(error) },
    });
    if (finalStatuses.includes(now.status)) return now; // a callback came first
    throw new OutcomeUnknown('the party may have accepted');
  }
}

/** The provider's own answer, closed into the row. */
export const recorded = <R>(
  store: Store,
  name: EffectName,
  row: LedgerRow,
  verdict: Verdict,
  answer: R,
  fence: number | undefined,
): Promise<LedgerRow> => step(store, name, { to: verdict.to, row, fence, set: answered(verdict, answer) });

/** What a row keeps of an answer. */
export function answered<R>(verdict: Verdict, answer: R): Record<string, unknown> {
  const response = JSON.stringify(answer);
  const { providerRequestId, error } = verdict;
  return {
    response,
    responseHash: digestOf(response),
    ...(providerRequestId && { providerRequestId }),
    ...(error && { error }),
  };
}

/** Certainly not accepted: later again, or never, or not any more. */
async function failed<Q, R>(
  store: Store,
  name: EffectName,
  lease: Lease,
  { triesForMs }: Effect<Q, R>,
  row: LedgerRow,
  { again, message, retryAfterMs }: NotAccepted,
) {
  if (row.resent) {
    // This sending certainly did not arrive; of the one before it nobody could tell, and still cannot.
    await step(store, name, { to: 'UNKNOWN', row, fence: lease.fence, set: { error: message } });
    throw new OutcomeUnknown('an earlier attempt may have been accepted');
  }
  const usedUp = store.now() - Date.parse(row.triedSince ?? row.plannedAt) > triesForMs;
  if (again === 'never' || usedUp) {
    const error = again === 'never' ? message : `tries used up: ${message}`;
    return step(store, name, { to: 'FAILED_FINAL', row, fence: lease.fence, set: { error } });
  }
  const wait = retryAfterMs ?? store.random() * Math.min(2_000 * 2 ** row.attempt, 60_000);
  await step(store, name, {
    to: 'FAILED_RETRYABLE',
    row,
    fence: lease.fence,
    set: { error: message, notBefore: instantOf(store.now() + wait) },
  });
  throw new Busy('not accepted; later again', 'NOT_YET');
}

/**
 * Asks the party what became of an effect whose sending is unknown, or whose answer is owed: effects.md §3.5. NotFound
 * counts only if it was asked when the request could no longer be on its way; a failed question leaves the row as it is.
 */
export async function settle<Q, R>(
  store: Store,
  name: EffectName,
  lease: Lease,
  effect: Effect<Q, R>,
): Promise<LedgerRow> {
  let row = await readEffect(store, name);
  if (row.status === 'SENDING') row = await step(store, name, { to: 'UNKNOWN', row, fence: lease.fence });
  if (row.status === 'SENT') return owed(store, name, lease, effect, row);
  if (row.status !== 'UNKNOWN') return row;

  const askedAt = store.now(); // the answer is about then, however long it takes
  const evidence = await effect.find(row.providerKey, AbortSignal.timeout(callTimeoutMs)).catch(() => {
    throw new Busy('the party could not be asked', 'NOT_YET');
  });
  switch (evidence.kind) {
    case 'found':
      return recorded(store, name, row, effect.verdict(evidence.answer), evidence.answer, lease.fence);
    case 'notFound':
      if (mayStillArrive(effect, row, askedAt) || isOnItsWay(store, name))
        throw new Busy('it may still arrive', 'NOT_YET');
      return step(store, name, {
        to: 'FAILED_RETRYABLE',
        row,
        fence: lease.fence,
        set: { notFound: (row.notFound ?? 0) + 1, notBefore: instantOf(store.now()) },
      });
    case 'cannotTell':
      if (effect.whenCannotTell === 'RESENT_ONCE' && !row.resent) {
        if (mayStillArrive(effect, row, askedAt)) throw new Busy('it may yet be told', 'NOT_YET');
        return noteUntold(store, name, row, lease.fence);
      }
      store.log({ alarm: 'effect parked', effectId: row.effectId, kind: row.kind });
      return step(store, name, { to: 'PARKED', row, fence: lease.fence });
  }
}

/**
 * What this process itself is sending, or sent a moment ago: until when, on the clock that nobody sets. A wall clock that
 * jumps (a machine that wakes from sleep) would else make a request that is on its way look long past.
 */
const sendings = new WeakMap<Table, Map<string, number>>();
const sendingsOf = ({ table }: Store) => {
  const known = sendings.get(table) ?? new Map<string, number>();
  sendings.set(table, known);
  return known;
};
const named = ({ tenant, provider, effectId }: EffectName) => `${tenant} ${provider} ${effectId}`;

const isOnItsWay = (store: Store, name: EffectName): boolean =>
  (sendingsOf(store).get(named(name)) ?? -Infinity) > store.monotonic();

/** It ends by itself at its limit; what is told after that is told within the party's settle time. */
function onItsWay<Q, R>(store: Store, name: EffectName, { settleMs }: Effect<Q, R>, call: () => Promise<R>) {
  const now = store.monotonic();
  const known = sendingsOf(store);
  for (const [other, until] of known) if (until <= now) known.delete(other);
  known.set(named(name), now + callTimeoutMs + settleMs);
  return call();
}

const mayStillArrive = <Q, R>({ settleMs }: Effect<Q, R>, row: LedgerRow, askedAt: number): boolean =>
  askedAt <= Date.parse(row.sendBy ?? row.updatedAt) + skewMs + settleMs;

/** Asked about this very attempt, the party could not tell; and it has been sent again never before. */
const mayBeResent = <Q, R>({ whenCannotTell }: Effect<Q, R>, { attempt, untoldAttempt, resent }: LedgerRow): boolean =>
  whenCannotTell === 'RESENT_ONCE' && untoldAttempt === attempt && !resent;

/** The party has it and owes its answer: only that answer moves the row. */
async function owed<Q, R>(
  store: Store,
  name: EffectName,
  lease: Lease,
  effect: Effect<Q, R>,
  row: LedgerRow,
): Promise<LedgerRow> {
  const evidence = await effect.find(row.providerKey, AbortSignal.timeout(callTimeoutMs)).catch(() => undefined);
  if (evidence?.kind !== 'found') return row;
  const verdict = effect.verdict(evidence.answer);
  return verdict.to === 'SENT' ? row : recorded(store, name, row, verdict, evidence.answer, lease.fence);
}

const digestOf = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Error texts of parties may hold personal data; the kind of error does not. */
const nameOf = (error: unknown) => (error as { code?: string }).code ?? (error as Error).name;
