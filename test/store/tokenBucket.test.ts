import { describe, expect, it } from 'vitest';
import { attemptsOf } from '../../store/attempts.ts';
import type { Metric } from '../../store/metrics.ts';
import { inLogLines, inMemory } from '../../store/metrics.ts';
import type { Store } from '../../store/store.ts';
import { tokenBucket } from '../../store/tokenBucket.ts';
import type { Plan } from '../../store/writes.ts';

const plan = { token: 'one', generation: 0 } as Plan;

/** A store of which only the clocks matter; `wall` is the one that somebody may set back. */
function clocks(retries?: Store['retries']) {
  const clock = { wall: 1_000_000, monotonic: 0 };
  const pauses: number[] = [];
  const store = {
    now: () => clock.wall,
    monotonic: () => clock.monotonic,
    random: () => 0.999,
    sleep: (ms: number) => Promise.resolve(void (pauses.push(ms), (clock.wall += ms), (clock.monotonic += ms))),
    log: () => undefined,
    retries,
  } as unknown as Store;
  return { store, clock, pauses };
}

describe('what a process spends on repeats', () => {
  it('is a hundred at once in a brown-out, one a second after that, and more with every success', () => {
    let now = 0;
    const bucket = tokenBucket(() => now);
    const taken = () => Array.from({ length: 300 }, () => bucket.take()).filter(Boolean).length;
    expect(taken()).toBe(100);
    now = 10_000;
    expect(taken()).toBe(10);
    for (let i = 0; i < 50; i++) bucket.give();
    expect(taken()).toBe(10);
  });

  it('ends a request that finds nothing left, at once and without a pause', async () => {
    const { store, pauses } = clocks({ take: () => false, give: () => undefined });
    const attempts = attemptsOf(store, undefined);
    await attempts.pause('OVERLOADED');
    expect(attempts.mayTry()).toBe(false);
    expect(pauses).toEqual([]);
  });

  it('is not spent on rivals: a conflict is no trouble of the database', async () => {
    const { store } = clocks({ take: () => false, give: () => undefined });
    const attempts = attemptsOf(store, undefined);
    await attempts.pause('CONTENTION');
    expect(attempts.mayTry()).toBe(true);
  });
});

describe('the attempts of a request', () => {
  it('never use a token again nine minutes after its first use, whatever the wall clock says', () => {
    const { store, clock } = clocks();
    const attempts = attemptsOf(store, undefined);
    expect(attempts.mayResend(plan)).toBe(true);
    clock.monotonic = 9 * 60_000;
    expect(attempts.mayResend(plan)).toBe(true);
    clock.monotonic += 1;
    expect(attempts.mayResend(plan)).toBe(false);
  });

  it('end with one at the last moment that leaves time to fence, and none after it', async () => {
    const { store, clock } = clocks();
    const attempts = attemptsOf(store, 2_500);
    for (let i = 0; i < 5; i++) await attempts.pause('IN_PROGRESS');
    expect(clock.monotonic).toBeCloseTo(500);
    expect(attempts.mayTry()).toBe(false);
    expect(attempts.hasTimeToFence()).toBe(true);
  });
});

describe('a wall clock that somebody sets back', () => {
  it('lengthens no deadline', () => {
    const { store, clock } = clocks();
    const attempts = attemptsOf(store, 2_500);
    clock.monotonic += 2_501;
    clock.wall -= 600_000;
    expect([attempts.mayTry(), attempts.hasTimeToFence()]).toEqual([false, false]);
  });
});

describe('figures', () => {
  const metric: Metric = 'command.retry.count';

  it('stand in a log line where CloudWatch finds them', () => {
    const lines: string[] = [];
    inLogLines(
      (line) => lines.push(line),
      () => 7,
    )(metric);
    expect(JSON.parse(lines[0]!)).toEqual({
      _aws: {
        Timestamp: 7,
        CloudWatchMetrics: [{ Namespace: 'Docket', Dimensions: [[]], Metrics: [{ Name: metric, Unit: 'Count' }] }],
      },
      [metric]: 1,
    });
  });

  it('are kept in memory where nobody reads logs', () => {
    const { count, figures } = inMemory();
    count(metric);
    count(metric);
    expect(figures()).toEqual({ [metric]: 2 });
  });
});
