import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Busy } from '../../domain/answer.ts';
import type { LedgerRow } from '../../domain/effect.ts';
import { pendingKeys, readMessages } from '../../store/claims.ts';
import { instantOf } from '../../store/calendar.ts';
import { shardOf } from '../../store/identity.ts';
import { pendingShards } from '../../store/indexes.ts';
import { readEffect } from '../../store/ledger.ts';
import type { Store } from '../../store/store.ts';
import { moveAndWake, wakeAgain } from '../../store/word.ts';
import { nameOf, planned, stored } from './effects.ts';
import { answered, cancelled, faultsBefore, type Faults } from './faults.ts';
import { noon, onMovedClock } from './time.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let store: Store;
let faults: Faults;
beforeAll(async () => {
  world = await startWorld();
  faults = faultsBefore(world.clients.writer);
});
beforeEach(() => {
  ({ store } = onMovedClock(world.store));
  faults.next = [];
});
afterAll(() => world.stop());

const sent = async (more: Partial<LedgerRow> = {}) =>
  (await stored(store, planned('REGISTRATION', { status: 'SENT', attempt: 1, fence: 3, ...more }))).row;
const open = ['SENDING', 'SENT', 'UNKNOWN'] as const;
const confirm = (row: LedgerRow, number = 'R-1') =>
  moveAndWake(store, nameOf(row), 'CONFIRMED', { providerRequestId: number }, open);

async function wakesOf({ effectId }: LedgerRow) {
  const keys = await pendingKeys(store, 'OUTBOX', shardOf(effectId, pendingShards), instantOf(noon + 60_000));
  return (await readMessages(store, keys)).filter(({ payload }) => payload['effectId'] === effectId);
}
const conflict = () => cancelled({ Code: 'TransactionConflict' }, { Code: 'None' });

describe("the provider's word", () => {
  it('moves the row and asks somebody to record it, under a round reserved in the same transaction', async () => {
    const row = await sent();
    expect(await confirm(row)).toMatchObject({ moved: true, row: { status: 'CONFIRMED', round: 1 } });
    expect(await wakesOf(row)).toMatchObject([{ messageType: 'wake', status: 'NEW', payload: { round: 1 } }]);
  });

  it('is taken once from twenty that bring it at once, and asks once', async () => {
    const row = await sent();
    const told = await Promise.all(Array.from({ length: 20 }, (_, i) => confirm(row, `R-${i}`)));
    expect(told.filter(({ moved }) => moved)).toHaveLength(1);
    expect(new Set(told.map((answer) => answer.row.providerRequestId)).size).toBe(1);
    expect(await wakesOf(row)).toHaveLength(1);
  });

  it('is said to be taken by one of twenty that bring the same word in the same instant', async () => {
    const row = await sent();
    const told = await Promise.all(Array.from({ length: 20 }, () => confirm(row)));
    expect(told.filter(({ moved }) => moved)).toHaveLength(1);
  });

  it('leaves a final row as it is', async () => {
    const row = await sent({ status: 'FAILED_FINAL' });
    expect(await confirm(row)).toMatchObject({ moved: false, row: { status: 'FAILED_FINAL', round: 0 } });
    expect(await wakesOf(row)).toHaveLength(0);
  });

  for (const [what, lost] of [
    ['its answer is lost', ['lose']],
    ['the request is lost', ['drop']],
    ['it meets a conflict', [{ answer: conflict() }, { answer: conflict() }]],
    ['the database has a fault', [{ answer: answered('InternalServerError', 500) }]],
  ] as const)
    it(`is stored once, with one wake, when ${what}`, async () => {
      const row = await sent();
      faults.next = [...lost];
      expect(await confirm(row)).toMatchObject({ moved: true, row: { status: 'CONFIRMED', round: 1 } });
      expect(await wakesOf(row)).toHaveLength(1);
    });

  it('is never reported as stored when it could not be', async () => {
    const row = await sent();
    faults.next = () => ({ answer: conflict() });
    await expect(confirm(row)).rejects.toThrow(Busy);
    faults.next = [];
    expect(await readEffect(store, nameOf(row))).toEqual(row);
  });
});

describe('another look at a row', () => {
  it('reserves the next round and asks once, however many ask for it', async () => {
    const row = await sent({ status: 'PLANNED' });
    await Promise.all(Array.from({ length: 10 }, () => wakeAgain(store, nameOf(row), row)));
    expect(await readEffect(store, nameOf(row))).toMatchObject({ status: 'PLANNED', round: 1 });
    expect(await wakesOf(row)).toHaveLength(1);
  });

  it('is not asked for when the row has moved meanwhile', async () => {
    const row = await sent();
    await wakeAgain(store, nameOf(row), { ...row, status: 'FAILED_RETRYABLE' });
    expect(await wakesOf(row)).toHaveLength(0);
  });
});
