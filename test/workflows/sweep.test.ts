import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { ledgerStatuses, type LedgerRow, type LedgerStatus } from '../../domain/effect.ts';
import { instantOf } from '../../store/calendar.ts';
import { wireOf } from '../../store/dynamo.ts';
import { executionNameOf } from '../../store/identity.ts';
import { effectIndexes } from '../../store/indexes.ts';
import { keysOf } from '../../store/keys.ts';
import { readEffect } from '../../store/ledger.ts';
import { sweep } from '../../workflows/sweep.ts';
import { nameOf, planned, stored } from '../store/effects.ts';
import { onMovedClock } from '../store/time.ts';
import { demo, startWorld, type World } from '../store/world.ts';
import { eventBus, machines } from './publisher.ts';
import { waiting } from './stage.ts';
import { fakeDocuments } from './parties.ts';

let world: World;
let stateMachines: ReturnType<typeof machines>;
let stage: ReturnType<typeof onMovedClock>;
beforeAll(async () => {
  world = await startWorld();
  stage = onMovedClock(world.store);
});
beforeEach(() => {
  stage.clock.move(100 * hour);
  stateMachines = machines();
});
afterAll(() => world.stop());

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const now = () => instantOf(stage.clock.now());

const rowIn = async (status: LedgerStatus, more: Partial<LedgerRow> = {}) =>
  (await stored(stage.store, planned('REGISTRATION', { status, updatedAt: now(), plannedAt: now(), ...more }))).row;
const swept = () => sweep({ store: stage.store, stateMachines, documents: fakeDocuments(), events: eventBus() }, 0);
const after = async (row: LedgerRow) => (await readEffect(stage.store, nameOf(row))).status;
const wakes = async ({ effectId }: LedgerRow) => (await waiting(stage, effectId)).length;
const startedFor = ({ effectId }: LedgerRow, round: number) =>
  stateMachines.started.has(executionNameOf('registration', effectId, round));

describe('the sweep of the ledger', () => {
  const owed: [LedgerStatus, number, LedgerStatus][] = [
    ['PLANNED', 15 * minute, 'PLANNED'],
    ['FAILED_RETRYABLE', 15 * minute, 'FAILED_RETRYABLE'],
    ['SENDING', 45 * second, 'UNKNOWN'],
    ['SENT', 48 * hour, 'UNKNOWN'],
    ['UNKNOWN', 15 * minute, 'UNKNOWN'],
    // How these ended is known; that nobody has recorded it is what is left behind.
    ['CONFIRMED', 15 * minute, 'CONFIRMED'],
    ['FAILED_FINAL', 15 * minute, 'FAILED_FINAL'],
    ['CANCELLED', 15 * minute, 'CANCELLED'],
  ];
  for (const [status, patience, becomes] of owed)
    it(`looks again at what is ${status} after its time and no sooner: it is ${becomes} then, and somebody is woken`, async () => {
      const row = await rowIn(status);
      stage.clock.move(patience);
      await swept();
      expect([await after(row), await wakes(row)]).toEqual([status, 0]);
      stage.clock.move(1);
      await swept();
      expect([await after(row), await wakes(row)]).toEqual([becomes, 1]);
      expect((await readEffect(stage.store, nameOf(row))).round).toBe(1);
      await swept();
      expect(startedFor(row, 1)).toBe(true);
    });

  it('leaves no state to nobody', () => {
    const others = ledgerStatuses.filter((status) => !owed.some(([known]) => known === status));
    expect(others).toEqual(['PARKED']); // which waits for a person
  });

  it('leaves alone what is parked, and what an execution works on', async () => {
    const rows = await Promise.all((['PARKED', 'PLANNED'] as const).map((s) => rowIn(s)));
    const name = executionNameOf('registration', rows[1]!.effectId, 0);
    stateMachines.started.set(name, { machine: 'registration', input: '', running: true });
    stage.clock.move(90 * hour);
    await swept();
    for (const row of rows) expect([await after(row), await wakes(row)]).toEqual([row.status, 0]);
  });

  it('waits as long as the party asked us to wait', async () => {
    const row = await rowIn('FAILED_RETRYABLE', { notBefore: instantOf(stage.clock.now() + hour) });
    stage.clock.move(hour - 1);
    await swept();
    expect(await wakes(row)).toBe(0);
    stage.clock.move(2);
    await swept();
    expect(await wakes(row)).toBe(1);
  });

  it('wakes once, however many sweeps there are', async () => {
    const rows = await Promise.all([rowIn('PLANNED'), rowIn('SENDING'), rowIn('UNKNOWN')]);
    stage.clock.move(30 * hour);
    await Promise.all(Array.from({ length: 5 }, swept));
    for (const row of rows) expect((await readEffect(stage.store, nameOf(row))).round).toBe(1);
  });

  it('parks what stayed unknown for a day, and says so when it has parked it', async () => {
    const row = await rowIn('UNKNOWN', { unknownSince: now() });
    stage.clock.move(25 * hour);
    await Promise.all([swept(), swept()]);
    const alarms = world.log.filter(({ alarm, effectId }) => alarm === 'effect parked' && effectId === row.effectId);
    expect(alarms).toHaveLength(1);
    expect(await after(row)).toBe('PARKED');
  });

  it('takes up the others where one cannot be taken up, and says that something is left', async () => {
    const rows = await Promise.all(Array.from({ length: 6 }, () => rowIn('PLANNED')));
    const poison = new Set(rows.slice(0, 3).map(({ effectId }) => executionNameOf('registration', effectId, 0)));
    stateMachines.isRunning = (_machine, name) =>
      poison.has(name) ? Promise.reject(new Error('Step Functions does not answer')) : Promise.resolve(false);
    stage.clock.move(hour);
    await expect(swept()).rejects.toThrow('does not answer');
    expect(await Promise.all(rows.map(wakes))).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('finds what waits behind thousands that wait for a person', async () => {
    const parked = Array.from({ length: 1_100 }, () => planned('REGISTRATION', { status: 'PARKED', updatedAt: now() }));
    const row = planned('REGISTRATION', { status: 'SENDING', updatedAt: instantOf(stage.clock.now() + second) });
    const { pendingPk } = effectIndexes(row, now());
    const items = parked.map((waits) =>
      wireOf({
        ...keysOf(demo.id).effect('registry', waits.effectId),
        ...waits,
        ...effectIndexes(waits, now()),
        pendingPk,
      }),
    );
    for (let i = 0; i < items.length; i += 25) {
      const requests = items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } }));
      await world.clients.reader.send(new BatchWriteItemCommand({ RequestItems: { [world.tableName]: requests } }));
    }
    await stored(stage.store, row);
    stage.clock.move(hour);
    await swept();
    expect(await after(row)).toBe('UNKNOWN');
  });
});
