import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Busy } from '../../domain/answer.ts';
import { keysOf } from '../../store/keys.ts';
import { leaseMs, skewMs, withLease, type Lease } from '../../store/lease.ts';
import type { Store } from '../../store/store.ts';
import { faultsBefore, type Faults } from './faults.ts';
import { onMovedClock } from './time.ts';
import { demo, startWorld, type World } from './world.ts';

let world: World;
let faults: Faults;
let store: Store;
let clock: ReturnType<typeof onMovedClock>['clock'];
let aggregate: string;
beforeAll(async () => {
  world = await startWorld();
  faults = faultsBefore(world.clients.writer);
});
beforeEach(() => {
  ({ clock, store } = onMovedClock(world.store));
  aggregate = randomUUID();
  faults.next = [];
  faults.sent = [];
});
afterAll(() => world.stop());

const work = <T>(owner: string, task: (lease: Lease) => Promise<T>) =>
  withLease(store, demo.id, aggregate, owner, task);
const fenceOf = (owner: string) => work(owner, (lease) => Promise.resolve(lease.fence));
const row = async () => (await store.table.batchGet([keysOf(demo.id).lease(aggregate)]))[0]!;
/** A worker that is killed at its work: nothing it would do afterwards happens. */
const dies = (owner: string) =>
  new Promise<Lease>((held, failed) => {
    work(owner, (lease) => (held(lease), new Promise<never>(() => undefined))).catch(failed);
  });

describe('a lease', () => {
  it('is free again after the work, and its fence rises with every owner and is never reset', async () => {
    expect([await fenceOf('a'), await fenceOf('b'), await fenceOf('a')]).toEqual([1, 2, 3]);
    expect(await row()).toMatchObject({ state: 'FREE', fence: 3 });
  });

  it('is busy for everybody while it is held, also for another attempt of the same name', async () => {
    await dies('a');
    await expect(fenceOf('b')).rejects.toThrow(Busy);
    await expect(fenceOf('a')).rejects.toThrow(Busy);
    expect(await row()).toMatchObject({ owner: 'a', fence: 1 });
  });

  it('of a dead worker is taken over only after its time and the bound of wrong clocks', async () => {
    await dies('a');
    clock.move(leaseMs + skewMs);
    await expect(fenceOf('b')).rejects.toThrow(Busy);
    clock.move(1);
    expect(await fenceOf('b')).toBe(2);
  });

  it('of a dead host is taken over at once by the next that has the data for itself', async () => {
    store = { ...store, life: 'first' };
    await dies('a');
    await expect(fenceOf('b')).rejects.toThrow(Busy);
    store = { ...store, life: 'second' };
    expect(await fenceOf('b')).toBe(2);
  });

  it('has one holder on such a host, too, when the clock is set back', async () => {
    store = { ...store, life: 'first' };
    clock.move(-3_600_000);
    await dies('a');
    await expect(fenceOf('b')).rejects.toThrow(Busy);
  });

  it('of a command beside such a host is freed by time alone', async () => {
    const beside = store;
    store = { ...beside, life: 'host' };
    await fenceOf('a');
    store = beside;
    await dies('command');
    store = { ...beside, life: 'host' };
    await expect(fenceOf('b')).rejects.toThrow(Busy);
    clock.move(leaseMs + skewMs + 1);
    expect(await fenceOf('b')).toBe(3);
  });

  it('is released when the work fails, and the failure is the answer', async () => {
    await expect(work('a', () => Promise.reject(new Error('the work failed')))).rejects.toThrow('the work failed');
    expect(await row()).toMatchObject({ state: 'FREE' });
  });

  it('goes to one of twenty that ask at once', async () => {
    let refused = 0;
    const othersAreTold = () => vi.waitFor(() => expect(refused).toBe(19), { timeout: 10_000 });
    const asked = Array.from({ length: 20 }, (_, i) => work(`w${i}`, othersAreTold).catch(() => refused++));
    await Promise.all(asked);
    expect([refused, await row()]).toEqual([19, expect.objectContaining({ fence: 1 })]);
  });
});

describe('a lease whose answers are lost', () => {
  for (const lost of [['lose'], ['drop'], ['lose', 'lose'], ['drop', 'lose', 'drop']] as const)
    it(`is acquired once all the same: ${lost.join(', ')}`, async () => {
      faults.next = [...lost];
      expect(await fenceOf('a')).toBe(1);
    });

  it('is busy for who lost the answer, too, where somebody else was first', async () => {
    await dies('a');
    faults.next = ['lose'];
    await expect(fenceOf('b')).rejects.toThrow(Busy);
    expect(await row()).toMatchObject({ owner: 'a', fence: 1 });
  });

  it('is renewed all the same, and released all the same', async () => {
    await work('a', async (lease) => {
      clock.move(leaseMs / 2);
      faults.next = ['lose'];
      await lease.ensure(leaseMs - 1_000);
      expect((await row())['leaseUntil']).toBeGreaterThan(clock.now() + leaseMs - 1_000);
      faults.next = ['lose'];
    });
    expect(await row()).toMatchObject({ state: 'FREE' });
    expect(await fenceOf('b')).toBe(2);
  });

  it('costs nothing but time when the request comes late, after its owner is gone', async () => {
    let arrive = () => undefined as void;
    faults.next = [{ late: new Promise<void>((now) => (arrive = now)) }];
    expect(await fenceOf('a')).toBe(1);
    arrive();
    await vi.waitFor(async () => expect(await row()).toMatchObject({ state: 'HELD', fence: 2 }));
    clock.move(leaseMs + skewMs + 1);
    expect(await fenceOf('b')).toBe(3);
  });

  it('is not claimed at all while the database stays out of reach', async () => {
    faults.next = Array.from({ length: 8 }, () => 'drop' as const);
    await expect(fenceOf('a')).rejects.toThrow(Busy);
    expect(faults.sent).toHaveLength(8);
  });
});

describe('a lease at work', () => {
  afterEach(() => void vi.useRealTimers());

  it('is renewed at every third of its time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await work('a', async () => {
      const { leaseUntil } = await row();
      clock.move(leaseMs / 3);
      vi.advanceTimersByTime(leaseMs / 3);
      await vi.waitFor(async () => expect((await row())['leaseUntil']).toBe(Number(leaseUntil) + leaseMs / 3));
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not renewed while it covers what is asked, and is when it does not', async () => {
    await work('a', async (lease) => {
      clock.move(5_000);
      faults.sent = [];
      await lease.ensure(leaseMs - 5_000);
      expect(faults.sent).toHaveLength(0);
      await lease.ensure(leaseMs - 4_000);
      expect(faults.sent).toHaveLength(1);
    });
  });

  it('is lost to a worker that was paused for three lease lengths while another one took over', async () => {
    await work('a', async (lease) => {
      clock.move(3 * leaseMs);
      expect(await fenceOf('b')).toBe(2);
      await expect(lease.ensure(1)).rejects.toThrow(Busy);
      await expect(lease.ensure(1)).rejects.toThrow(Busy);
    });
    expect(await row()).toMatchObject({ owner: 'b', fence: 2 });
  });

  it('that another worker holds is not released by the one that lost it', async () => {
    await work('a', async () => {
      clock.move(3 * leaseMs);
      await dies('b');
    });
    expect(await row()).toMatchObject({ state: 'HELD', owner: 'b', fence: 2 });
  });

  it('goes on for a worker that was paused while nobody else wanted it', async () => {
    await work('a', async (lease) => {
      clock.move(3 * leaseMs);
      await lease.ensure(12_000);
      expect(lease.fence).toBe(1);
    });
  });

  it('stops the work when its renewal cannot be confirmed', async () => {
    await work('a', async (lease) => {
      clock.move(leaseMs);
      faults.next = Array.from({ length: 8 }, () => 'drop' as const);
      await expect(lease.ensure(12_000)).rejects.toThrow(Busy);
    });
  });
});
