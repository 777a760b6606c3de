import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerStatuses, type LedgerStatus } from '../../domain/effect.ts';
import { instantOf } from '../../store/calendar.ts';
import { pendingKeys } from '../../store/claims.ts';
import { pendingShards } from '../../store/indexes.ts';
import { keyText, keysOf } from '../../store/keys.ts';
import { keepToken, readEffect, step, type Step } from '../../store/ledger.ts';
import { itemOf, nameOf, planned, stored } from './effects.ts';
import { faultsBefore, type Faults } from './faults.ts';
import { demo, startWorld, type World } from './world.ts';

let world: World;
let faults: Faults;
beforeAll(async () => {
  world = await startWorld();
  faults = faultsBefore(world.clients.writer);
});
afterAll(() => world.stop());

/** The life of an effect, and what the provider's own word may add to it at any time. */
const life: Record<LedgerStatus, LedgerStatus[]> = {
  PLANNED: ['SENDING', 'CANCELLED'],
  SENDING: ['SENT', 'CONFIRMED', 'FAILED_RETRYABLE', 'FAILED_FINAL', 'UNKNOWN'],
  SENT: ['CONFIRMED', 'FAILED_FINAL', 'UNKNOWN'],
  FAILED_RETRYABLE: ['SENDING', 'CANCELLED', 'FAILED_FINAL'],
  UNKNOWN: ['SENT', 'CONFIRMED', 'FAILED_RETRYABLE', 'PARKED', 'SENDING'],
  PARKED: ['CONFIRMED', 'FAILED_RETRYABLE', 'CANCELLED'],
  CONFIRMED: [],
  FAILED_FINAL: [],
  CANCELLED: [],
};
const byProvidersWord: Partial<Record<LedgerStatus, LedgerStatus[]>> = {
  SENT: ['CONFIRMED', 'FAILED_FINAL'],
  UNKNOWN: ['CONFIRMED', 'FAILED_FINAL'],
  PARKED: ['CONFIRMED', 'FAILED_FINAL'],
  FAILED_RETRYABLE: ['CONFIRMED', 'FAILED_FINAL'],
};
const allowed = (from: LedgerStatus, to: LedgerStatus) =>
  life[from].includes(to) || byProvidersWord[from]?.includes(to) === true;

const rowIn = async (status: LedgerStatus, more: object = {}) =>
  (await stored(world.store, planned('REGISTRATION', { status, attempt: 1, fence: 5, ...more }))).row;

describe('a row of the ledger', () => {
  const targets = ledgerStatuses.filter((status): status is Step['to'] => status !== 'PLANNED');
  for (const from of ledgerStatuses)
    for (const to of targets) {
      const moves = allowed(from, to);
      it(`${moves ? 'goes' : 'never goes'} from ${from} to ${to}`, async () => {
        const row = await rowIn(from);
        const after = await step(world.store, nameOf(row), { to, row, fence: 5 });
        expect(after.status).toBe(moves ? to : from);
        if (!moves) expect(after).toEqual(row);
        expect(await itemOf(world.store, row)).toHaveProperty('pendingPk');
      });
    }

  it('keeps what else it holds when it moves, and stays findable until its end is recorded', async () => {
    const row = await rowIn('SENDING', { token: 'token-1', request: '{"a":1}' });
    await step(world.store, nameOf(row), { to: 'CONFIRMED', row, fence: 5, set: { providerRequestId: 'R-1' } });
    const item = await itemOf(world.store, row);
    expect(item).toMatchObject({ token: 'token-1', request: '{"a":1}', providerRequestId: 'R-1', status: 'CONFIRMED' });
    expect(item).toHaveProperty('pendingPk');
  });
});

describe('the pending index', () => {
  it('shows every row whose end is not recorded, in whatever state it stands', async () => {
    const rows = await Promise.all(ledgerStatuses.map((status) => rowIn(status)));
    const until = instantOf(Date.now() + 60_000);
    const shards = Array.from({ length: pendingShards }, (_, shard) => shard);
    const keys = await Promise.all(shards.map((shard) => pendingKeys(world.store, 'EFFECT', shard, until)));
    const found = keys.flat().map(keyText).join();
    for (const row of rows) expect([row.status, found.includes(row.effectId)]).toEqual([row.status, true]);
  });
});

describe('a worker at a row', () => {
  it('with an earlier fence is refused, with the same or a later one is not', async () => {
    for (const [fence, status] of [
      [4, 'SENDING'],
      [5, 'UNKNOWN'],
      [6, 'UNKNOWN'],
    ] as const) {
      const row = await rowIn('SENDING');
      const after = await step(world.store, nameOf(row), { to: 'UNKNOWN', row, fence });
      expect(after).toMatchObject({ status, fence: Math.max(fence, 5) });
    }
  });

  it('that speaks of an earlier attempt is refused', async () => {
    const row = await rowIn('SENDING', { attempt: 2 });
    const after = await step(world.store, nameOf(row), {
      to: 'FAILED_RETRYABLE',
      row: { ...row, attempt: 1 },
      fence: 5,
    });
    expect(after.status).toBe('SENDING');
  });

  it('needs no fence to hand on the word of the provider', async () => {
    const row = await rowIn('SENT');
    expect(await step(world.store, nameOf(row), { to: 'CONFIRMED', row })).toMatchObject({
      status: 'CONFIRMED',
      fence: 5,
    });
  });

  it('takes a step once, though its answer is lost', async () => {
    const row = await rowIn('PLANNED', { attempt: 0, fence: undefined });
    faults.next = ['lose', 'drop'];
    const taken = { to: 'SENDING', row, fence: 1, set: { attempt: 1, sendId: 'mine' } } as const;
    expect(await step(world.store, nameOf(row), taken)).toMatchObject({
      status: 'SENDING',
      attempt: 1,
      sendId: 'mine',
    });
  });

  it('adopts what another one wrote first: of twenty that begin to send, one does', async () => {
    const row = await rowIn('PLANNED', { attempt: 0, fence: undefined });
    const begin = (sendId: string) =>
      step(world.store, nameOf(row), { to: 'SENDING', row, fence: 1, set: { attempt: 1, sendId } });
    const seen = await Promise.all(Array.from({ length: 20 }, (_, i) => begin(`send-${i}`)));
    expect(new Set(seen.map(({ sendId }) => sendId)).size).toBe(1);
    expect(seen[0]!.attempt).toBe(1);
  });

  it('keeps its token where the callback finds it, unless a later owner has kept another', async () => {
    const row = await rowIn('PLANNED');
    await keepToken(world.store, nameOf(row), 'of the later owner', 7);
    await keepToken(world.store, nameOf(row), 'of the earlier owner', 6);
    expect(await readEffect(world.store, nameOf(row))).toMatchObject({ token: 'of the later owner', fence: 7 });
  });

  it('cannot read an effect that nobody planned', async () => {
    await expect(readEffect(world.store, nameOf(planned('REGISTRATION')))).rejects.toThrow('nobody planned');
    expect(keysOf(demo.id).effect('registry', planned('REGISTRATION').effectId).sk).toBe('RESULT');
  });
});
