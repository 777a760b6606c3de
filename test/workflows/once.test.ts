import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Busy, OutcomeUnknown } from '../../domain/answer.ts';
import type { LedgerRow } from '../../domain/effect.ts';
import { leaseMs, skewMs, withLease } from '../../store/lease.ts';
import { readEffect, step } from '../../store/ledger.ts';
import type { Store } from '../../store/store.ts';
import { callTimeoutMs, once, settle } from '../../workflows/once.ts';
import { nameOf, planned, stored } from '../store/effects.ts';
import { onMovedClock } from '../store/time.ts';
import { demo, startWorld, type World } from '../store/world.ts';
import { effectOn, onItsWayMs, partyWith, type Party, type Reception } from './party.ts';

let world: World;
let store: Store;
let clock: ReturnType<typeof onMovedClock>['clock'];
beforeAll(async () => void (world = await startWorld()));
beforeEach(() => void ({ clock, store } = onMovedClock(world.store)));
afterAll(() => world.stop());

const settleMs = 2_000;
const partyThat = (...receptions: Reception[]) => partyWith(clock.now, ...receptions);
const plan = async (more: Partial<LedgerRow> = {}) => (await stored(store, planned('NOTICE_MAIL', more))).row;
const held = <T>(row: LedgerRow, work: Parameters<typeof withLease<T>>[4]) =>
  withLease(store, demo.id, row.caseId, 'worker', work);
const send = (row: LedgerRow, party: Party) => held(row, (lease) => once(store, nameOf(row), lease, effectOn(party)));
const ask = (row: LedgerRow, party: Party) => held(row, (lease) => settle(store, nameOf(row), lease, effectOn(party)));
const now = (row: LedgerRow) => readEffect(store, nameOf(row));

describe('an effect is sent', () => {
  it('once, and its answer kept; a repeat is answered by the ledger without a call', async () => {
    const row = await plan();
    const party = partyThat();
    expect(await send(row, party)).toMatchObject({ status: 'CONFIRMED', providerRequestId: 'R-1', attempt: 1 });
    expect(JSON.parse((await now(row)).response!)).toEqual({ said: 'ACCEPTED', reference: 'R-1' });
    await send(row, party);
    expect(party.sent).toHaveLength(1);
  });

  it('by one of twenty workers that want it at once', async () => {
    const row = await plan();
    const party = partyThat();
    await Promise.allSettled(Array.from({ length: 20 }, () => send(row, party)));
    expect(party.sent).toHaveLength(1);
    expect(await now(row)).toMatchObject({ status: 'CONFIRMED', attempt: 1 });
  });

  const ends: [Reception, LedgerRow['status'], typeof Busy | typeof OutcomeUnknown | undefined][] = [
    ['accepts', 'CONFIRMED', undefined],
    ['refuses', 'FAILED_FINAL', undefined],
    ['answers later', 'SENT', undefined],
    ['never takes it', 'FAILED_FINAL', undefined],
    ['is busy', 'FAILED_RETRYABLE', Busy],
    ['accepts, answer lost', 'UNKNOWN', OutcomeUnknown],
    ['accepts late', 'UNKNOWN', OutcomeUnknown],
    ['was not reached', 'UNKNOWN', OutcomeUnknown],
    ['accepts, then fails', 'UNKNOWN', OutcomeUnknown],
    ['fails before', 'UNKNOWN', OutcomeUnknown],
  ];
  for (const [reception, status, thrown] of ends)
    it(`and is ${status} where the party ${reception}`, async () => {
      const row = await plan();
      const sent = send(row, partyThat(reception));
      if (thrown) await expect(sent).rejects.toThrow(thrown);
      expect((thrown ? await now(row) : await sent).status).toBe(status);
    });

  it('again as the same bytes, after the time the party asked for', async () => {
    const row = await plan();
    const party = partyThat('is busy');
    await expect(send(row, party)).rejects.toThrow(Busy);
    await expect(send(row, party)).rejects.toThrow(Busy);
    expect(party.sent).toHaveLength(1);
    clock.move(60_000);
    expect(await send(row, party)).toMatchObject({ status: 'CONFIRMED', attempt: 2 });
    expect(party.sent).toEqual(['{"text":"request 1"}', '{"text":"request 1"}']);
  });

  it('never blindly where an earlier attempt may have been: it is unknown, and asked about', async () => {
    for (const status of ['SENDING', 'UNKNOWN'] as const) {
      const row = await plan({ status, attempt: 1, fence: 0 });
      const party = partyThat();
      await expect(send(row, party)).rejects.toThrow(OutcomeUnknown);
      expect([party.sent.length, (await now(row)).status]).toEqual([0, 'UNKNOWN']);
    }
  });

  for (const status of ['CONFIRMED', 'FAILED_FINAL', 'CANCELLED', 'PARKED', 'SENT'] as const)
    it(`not at all where it is ${status}`, async () => {
      const row = await plan({ status });
      const party = partyThat();
      expect(await send(row, party)).toEqual(row);
      expect(party.sent).toHaveLength(0);
    });

  it('not when no time is left for the call', async () => {
    const row = await plan();
    const party = partyThat();
    let reads = 0;
    const slow: Store = {
      ...store,
      table: {
        ...store.table,
        batchGet: async (keys) => (++reads === 2 && clock.move(callTimeoutMs), store.table.batchGet(keys)),
      },
    };
    await expect(held(row, (lease) => once(slow, nameOf(row), lease, effectOn(party)))).rejects.toThrow(Busy);
    expect([party.sent.length, (await now(row)).status]).toEqual([0, 'FAILED_RETRYABLE']);
  });

  it('and adopts the word of the provider that came while it waited for the answer', async () => {
    for (const reception of ['accepts, answer lost', 'is busy', 'accepts'] as const) {
      const row = await plan();
      const party = partyThat(reception);
      const provider = {
        ...party,
        send: async (request: { text: string }) => {
          const sending = await now(row);
          await step(store, nameOf(row), { to: 'CONFIRMED', row: sending, set: { providerRequestId: 'called back' } });
          return party.send(request);
        },
      };
      await send(row, provider).catch(() => undefined);
      expect(await now(row)).toMatchObject({ status: 'CONFIRMED', providerRequestId: 'called back' });
    }
  });
});

describe('an unknown effect', () => {
  const sentFirst = async (...receptions: Reception[]) => {
    const row = await plan();
    const party = partyThat(...receptions);
    await send(row, party).catch(() => undefined);
    return { row, party };
  };
  const settled = callTimeoutMs + skewMs + settleMs;

  it('is what the party says it is', async () => {
    const { row, party } = await sentFirst('accepts, answer lost');
    expect(await ask(row, party)).toMatchObject({ status: 'CONFIRMED', providerRequestId: 'R-1' });
  });

  it('may still arrive: "not found" is no evidence before the request can no longer be on its way', async () => {
    const { row, party } = await sentFirst('was not reached');
    clock.move(settled);
    await expect(ask(row, party)).rejects.toThrow(Busy);
    expect((await now(row)).status).toBe('UNKNOWN');
    clock.move(1);
    expect(await ask(row, party)).toMatchObject({ status: 'FAILED_RETRYABLE', notFound: 1 });
    expect(await send(row, party)).toMatchObject({ status: 'CONFIRMED' });
    expect([party.accepted.length, new Set(party.sent).size]).toEqual([1, 1]);
  });

  it('may still arrive while a slow answer to an early question is on its way back', async () => {
    const { row, party } = await sentFirst('accepts late');
    party.evidence = () => {
      const truth = party.known();
      clock.move(2 * settled);
      return truth;
    };
    await expect(ask(row, party)).rejects.toThrow(Busy);
    expect((await now(row)).status).toBe('UNKNOWN');
    expect(await ask(row, party)).toMatchObject({ status: 'CONFIRMED' });
    expect(onItsWayMs).toBeLessThan(settled);
  });

  it('stays as it is when the question fails, and is parked for a person when the party cannot tell', async () => {
    const { row, party } = await sentFirst('accepts, answer lost');
    party.evidence = () => Promise.reject(new Error('503'));
    await expect(ask(row, party)).rejects.toThrow(Busy);
    expect((await now(row)).status).toBe('UNKNOWN');
    party.evidence = () => ({ kind: 'cannotTell' });
    expect(await ask(row, party)).toMatchObject({ status: 'PARKED' });
    expect(world.log.at(-1)).toMatchObject({ alarm: 'effect parked', effectId: row.effectId });
    expect(await send(row, party)).toMatchObject({ status: 'PARKED' });
    expect(party.sent).toHaveLength(1);
  });

  it('is asked about, too, where a worker died while it sent', async () => {
    const row = await plan({ status: 'SENDING', attempt: 1, fence: 0, sendBy: planned('NOTICE_MAIL').plannedAt });
    await expect(ask(row, partyThat())).rejects.toThrow(Busy);
    expect((await now(row)).status).toBe('UNKNOWN');
    clock.move(settled);
    expect(await ask(row, partyThat())).toMatchObject({ status: 'FAILED_RETRYABLE' });
  });
});

describe('an answer that is owed', () => {
  it('is asked for: it is taken where there is one, and awaited where the party says anything else', async () => {
    const row = await plan();
    const party = partyThat('answers later');
    await send(row, party);
    const others = [() => party.known(), () => ({ kind: 'notFound' }), () => ({ kind: 'cannotTell' })] as const;
    for (const other of [...others, () => Promise.reject(new Error('503'))]) {
      party.evidence = other as Party['evidence'];
      expect((await ask(row, party)).status).toBe('SENT');
    }
    party.evidence = () => ({ kind: 'found', answer: { said: 'ACCEPTED', reference: 'R-7' } });
    expect(await ask(row, party)).toMatchObject({ status: 'CONFIRMED', providerRequestId: 'R-7' });
    expect(party.sent).toHaveLength(1);
  });
});

describe('a worker that was paused for three lease lengths', () => {
  it('during its call cannot write what it heard over what its successor found', async () => {
    const row = await plan();
    const party = partyThat('is busy');
    const slow = {
      ...party,
      send: async (request: { text: string }) => {
        clock.move(3 * leaseMs);
        await expect(send(row, partyThat())).rejects.toThrow(OutcomeUnknown);
        return party.send(request);
      },
    };
    await expect(send(row, slow)).rejects.toThrow(Busy);
    expect(await now(row)).toMatchObject({ status: 'UNKNOWN', fence: 2, attempt: 1 });
  });

  it('before its call does not make it', async () => {
    const row = await plan();
    const party = partyThat();
    const paused = held(row, async (lease) => {
      clock.move(3 * leaseMs);
      await send(row, partyThat('answers later'));
      return once(store, nameOf(row), lease, effectOn(party));
    });
    expect(await paused).toMatchObject({ status: 'SENT', fence: 2 });
    expect(party.sent).toHaveLength(0);
  });
});
