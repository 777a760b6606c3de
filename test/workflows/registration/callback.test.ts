import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Busy } from '../../../domain/answer.ts';
import type { LedgerRow, LedgerStatus } from '../../../domain/effect.ts';
import type { RegistryAnswer } from '../../../domain/ports.ts';
import { signCallback } from '../../../gateways/registryCallback.ts';
import { readEffect } from '../../../store/ledger.ts';
import { receiveCallback } from '../../../workflows/registration/callback.ts';
import { pollRegistry } from '../../../workflows/registration/poll.ts';
import type { Deps } from '../../../workflows/task.ts';
import { nameOf, planned, stored } from '../../store/effects.ts';
import { cancelled, faultsBefore, type Faults } from '../../store/faults.ts';
import { onMovedClock } from '../../store/time.ts';
import { startWorld, type World } from '../../store/world.ts';
import { accepted, fakeRegistry, refused } from '../parties.ts';
import { machines } from '../publisher.ts';
import { waiting } from '../stage.ts';

let world: World;
let stage: ReturnType<typeof onMovedClock>;
let faults: Faults;
beforeAll(async () => {
  world = await startWorld();
  faults = faultsBefore(world.clients.writer);
  stage = onMovedClock(world.store);
});
beforeEach(() => {
  faults.next = [];
  world.log.length = 0;
});
afterAll(() => world.stop());

const secret = 'the registry and we know it';
const rowIn = async (status: LedgerStatus, more: Partial<LedgerRow> = {}) =>
  (await stored(stage.store, planned('REGISTRATION', { status, attempt: 1, fence: 1, ...more }))).row;
const bodyOf = (row: LedgerRow, answer: RegistryAnswer) => JSON.stringify({ key: row.providerKey, ...answer });
const signed = (body: string, at = stage.clock.now()) => signCallback(body, secret, at);
function callsBack(row: LedgerRow, answer: RegistryAnswer) {
  const body = bodyOf(row, answer);
  return receiveCallback(stage.store, secret, body, signed(body));
}
const now = (row: LedgerRow) => readEffect(stage.store, nameOf(row));
const wakes = async ({ effectId }: LedgerRow) => (await waiting(stage, effectId)).length;
const alarms = () => world.log.flatMap(({ alarm }) => alarm ?? []);

describe("the registry's callback", () => {
  for (const status of ['SENDING', 'SENT', 'UNKNOWN', 'PARKED', 'FAILED_RETRYABLE'] as const)
    it(`is stored as its word over ${status}, and wakes somebody to record it`, async () => {
      const [yes, no] = [await rowIn(status), await rowIn(status)];
      expect([await callsBack(yes, accepted('R-1')), await callsBack(no, refused('unknown'))]).toEqual([204, 204]);
      expect(await now(yes)).toMatchObject({ status: 'CONFIRMED', providerRequestId: 'REF-1', round: 1 });
      expect(await now(no)).toMatchObject({ status: 'FAILED_FINAL', error: 'unknown', round: 1 });
      expect([await wakes(yes), await wakes(no), alarms()]).toEqual([1, 1, []]);
    });

  it('that comes twice, or twenty times at once, is one', async () => {
    const row = await rowIn('SENT');
    const told = await Promise.all(Array.from({ length: 20 }, () => callsBack(row, accepted('R-1'))));
    expect([new Set(told), await wakes(row), alarms()]).toEqual([new Set([204]), 1, []]);
  });

  for (const [what, other] of [
    ['another number', accepted('R-2')],
    ['the opposite', refused('in error')],
  ] as const)
    it(`that says ${what} later changes nothing, and is a finding`, async () => {
      const row = await rowIn('SENT');
      await callsBack(row, accepted('R-1'));
      const first = await now(row);
      expect(await callsBack(row, other)).toBe(204);
      expect([await now(row), alarms()]).toEqual([first, ['CALLBACK_CONFLICT']]);
    });

  it('that accepts what was cancelled changes nothing, and is a finding; one that refuses it is none', async () => {
    const row = await rowIn('CANCELLED');
    expect(await callsBack(row, refused('unknown'))).toBe(204);
    expect(alarms()).toEqual([]);
    expect(await callsBack(row, accepted('R-1'))).toBe(204);
    expect([(await now(row)).status, alarms(), await wakes(row)]).toEqual(['CANCELLED', ['EFFECT_AFTER_CANCEL'], 0]);
  });

  it('about what was never sent, or is not ours, is not found', async () => {
    const row = await rowIn('PLANNED');
    expect(await callsBack(row, accepted('R-1'))).toBe(404);
    expect((await now(row)).status).toBe('PLANNED');
    expect(await callsBack(planned('REGISTRATION'), accepted('R-1'))).toBe(404);
    expect(await callsBack({ ...row, providerKey: 'somebody else' }, accepted('R-1'))).toBe(404);
  });

  it('is not believed with a wrong, an old or no signature, nor with a body that says nothing', async () => {
    const row = await rowIn('SENT');
    const body = bodyOf(row, accepted('R-1'));
    const say = (text: string, signature?: string) => receiveCallback(stage.store, secret, text, signature);
    expect(await say(body)).toBe(401);
    expect(await say(body, signCallback(body, 'another secret', stage.clock.now()))).toBe(401);
    expect(await say(body, signed(body, stage.clock.now() - 301_000))).toBe(401);
    expect(await say(`${body} `, signed(body))).toBe(401);
    const pending = bodyOf(row, { status: 'PENDING', reference: 'REF-1' });
    expect(await say(pending, signed(pending))).toBe(400);
    expect(await now(row)).toEqual(row);
  });

  it('that could not be stored is not answered as stored, so that it comes again', async () => {
    const row = await rowIn('SENT');
    faults.next = () => ({ answer: cancelled({ Code: 'TransactionConflict' }, { Code: 'None' }) });
    await expect(callsBack(row, accepted('R-1'))).rejects.toThrow(Busy);
    faults.next = [];
    expect(await callsBack(row, accepted('R-1'))).toBe(204);
    expect((await now(row)).status).toBe('CONFIRMED');
  });
});

describe('the poller', () => {
  const poll = (registry: ReturnType<typeof fakeRegistry>, stateMachines: ReturnType<typeof machines>) =>
    pollRegistry({ store: stage.store, registry, stateMachines } as unknown as Deps);
  const known = (...rows: [LedgerRow, RegistryAnswer][]) => {
    const registry = fakeRegistry();
    for (const [row, answer] of rows) registry.applications.set(row.providerKey, { request: {} as never, answer });
    return registry;
  };
  const pending: RegistryAnswer = { status: 'PENDING', reference: 'REF-1' };

  it('keeps alive who waits for what the registry works on, and takes the answers that never came', async () => {
    const [works, yes, no] = [
      await rowIn('SENT', { token: 'works' }),
      await rowIn('SENT', { token: 'yes' }),
      await rowIn('SENT'),
    ];
    const stateMachines = machines();
    await poll(known([works, pending], [yes, accepted('R-1')], [no, refused('unknown')]), stateMachines);
    expect(stateMachines.heartbeats).toEqual(['works']);
    expect(await Promise.all([works, yes, no].map(async (row) => (await now(row)).status))).toEqual([
      'SENT',
      'CONFIRMED',
      'FAILED_FINAL',
    ]);
    expect([await wakes(yes), await wakes(no)]).toEqual([1, 1]);
  });

  it('keeps a hundred tasks alive at a registry that takes its time, one round in the time of a few questions', async () => {
    const rows: LedgerRow[] = [];
    for (let i = 0; i < 100; i++) rows.push(await rowIn('SENT', { token: `slow-${i}` }));
    const registry = known(...rows.map((row) => [row, pending] as [LedgerRow, RegistryAnswer]));
    let [asking, most] = [0, 0];
    const find = registry.find.bind(registry);
    registry.find = async (...asked) => {
      most = Math.max(most, ++asking);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return find(...asked).finally(() => asking--);
    };
    const stateMachines = machines();
    await poll(registry, stateMachines);
    expect(stateMachines.heartbeats.filter((token) => token.startsWith('slow-'))).toHaveLength(100);
    expect(most).toBe(16);
  });

  it('moves nothing on the word that nothing arrived, or on none', async () => {
    const row = await rowIn('SENT');
    await poll(known(), machines());
    await poll(Object.assign(known([row, accepted('R-1')]), { findFails: true }), machines());
    expect((await now(row)).status).toBe('SENT');
  });

  it('asks about the others where one cannot be kept alive', async () => {
    const rows = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => rowIn('SENT', { token: `token ${i}` })));
    const stateMachines = machines();
    const asked: string[] = [];
    stateMachines.heartbeat = (token) => (asked.push(token), Promise.reject(new Error('no answer')));
    await expect(
      poll(known(...rows.map((row) => [row, pending] as [LedgerRow, RegistryAnswer])), stateMachines),
    ).rejects.toThrow();
    expect(asked.filter((token) => token.startsWith('token ')).sort()).toEqual(rows.map(({ token }) => token!));
  });
});
