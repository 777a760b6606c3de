import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Busy } from '../../../domain/answer.ts';
import type { OfficerId } from '../../../domain/ids.ts';
import { ref } from '../../../domain/refs.ts';
import { readItems } from '../../../store/read.ts';
import type { Store } from '../../../store/store.ts';
import { caseloadFailed } from '../../../workflows/caseload/execution.ts';
import type { CaseloadTask, Scan } from '../../../workflows/caseload/input.ts';
import type { Deps } from '../../../workflows/task.ts';
import { tasks } from '../../../workflows/tasks.ts';
import { ana, ben, demo, done, registerOfficer, startWorld, sue, type World } from '../../store/world.ts';
import { deaths, worker, type Fatal } from '../mortal.ts';
import {
  accepted,
  came,
  changesOfLead,
  investigates,
  leadOf,
  leads,
  officerAt,
  send,
  somebody,
  standing,
  type Asked,
} from './office.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  for (const { id } of [ana, ben, sue]) await done(world, sue, registerOfficer(id, { maxLoad: 1_000 }));
});
afterAll(() => world.stop());

/** Where an execution stands: a state whose worker died is entered again. */
type Walk = { at: 'scan' | number | 'finish'; scan?: Scan };

/** One look, every part, and the end: what the machine does for somebody who stays, one after the other. */
async function walk(walked: Walk, { input }: Asked, store: Store): Promise<string> {
  const call = async (name: 'scanCaseload' | 'moveShard' | 'finishCaseload', more: object = {}) => {
    const task = { input: { ...input, ...more }, execution: 'execution', attempt: 0 } as unknown as CaseloadTask;
    for (let tries = 0; ; tries++) {
      try {
        return (await tasks[name](task as never, { store } as Deps)) as Scan & { done: boolean; outcome: string };
      } catch (error) {
        if (!(error instanceof Busy) || tries > 5) throw error;
      }
    }
  };
  if (walked.at === 'scan') {
    walked.scan = await call('scanCaseload');
    walked.at = walked.scan.next === 'MOVE' ? 0 : 'finish';
  }
  const { items } = await standing(world.store, { input } as Asked);
  const shards = [...new Set(items.map(({ shard }) => shard))]; // in the others there is nothing to do
  while (typeof walked.at === 'number') {
    if (!(await call('moveShard', { shard: shards[walked.at] })).done) continue;
    walked.at = walked.at + 1 < shards.length ? walked.at + 1 : 'finish';
  }
  return (await call('finishCaseload', { scan: walked.scan })).outcome;
}

/** A lead and a membership, moved by a worker that dies, and then by one that goes on, or by a new round of the key. */
async function life(fatal: Fatal | undefined, then: 'goes on' | 'is resumed') {
  const [from, to] = [await somebody(world), await somebody(world)];
  const [led, joined] = [await leads(world, from, 1), await investigates(world, from)];
  const asked = await accepted(world.store, 'moveCaseload', from, [to]);
  await send(world, asked);
  const first = worker(world.store, fatal);
  // The dead wait for nothing.
  const monotonic = () => (first.isDead() ? Number.MAX_SAFE_INTEGER : world.store.monotonic());
  const walked: Walk = { at: 'scan' };
  const ended = walk(walked, asked, { ...first.store, monotonic });
  if (!fatal) await ended;
  else {
    await ended.catch(() => undefined);
    if (then === 'goes on') await walk(walked, asked, world.store);
    else {
      await caseloadFailed(world.store, asked.input);
      await send(world, asked);
      const { status, generation } = await standing(world.store, asked);
      // The end had landed, and only its answer was lost.
      if (status === 'IN_PROGRESS') {
        const next = { ...asked, input: { ...asked.input, round: generation } };
        await walk({ at: 'scan' }, next, world.store);
        expect(await walk({ at: 'finish' }, asked, world.store)).toBe('REPLACED');
      }
    }
  }
  return { asked, led, joined, from, to, calls: first.calls() };
}

async function movedOnce({ asked, led, joined, from, to }: Awaited<ReturnType<typeof life>>, death: string) {
  const { status, items } = await standing(world.store, asked);
  expect([death, status, came(items)]).toEqual([death, 'COMPLETED', ['LEAD MOVED', 'MEMBERSHIP MOVED']]);
  for (const caseId of led)
    expect([death, await leadOf(world.store, caseId), await changesOfLead(world.store, caseId)]).toEqual([
      death,
      to,
      1,
    ]);
  const [left, has] = await readItems<object>(world.store, demo.id, [
    ref.investigator(joined, from),
    ref.investigator(joined, to),
  ]);
  expect([death, left, has === undefined]).toEqual([death, undefined, false]);
  expect([death, (await officerAt(world.store, from)).activeLoad]).toEqual([death, 0]);
}

describe('a caseload is moved once, wherever a worker dies', () => {
  for (const then of ['goes on', 'is resumed'] as const)
    it(`and the run ${then}`, { timeout: 120_000 }, async () => {
      const clean = await life(undefined, then);
      await movedOnce(clean, 'nobody died');
      const all = deaths(clean.calls);
      const live = async () => {
        for (let fatal = all.shift(); fatal; fatal = all.shift())
          await movedOnce(await life(fatal, then), `died at call ${fatal.call}`);
      };
      await Promise.all([live(), live(), live(), live()]);
    });
});

describe('a run of two hundred cases', () => {
  it('passes in parts, each case once', { timeout: 120_000 }, async () => {
    const [from, to] = [await somebody(world), await somebody(world)];
    const led = await leads(world, from, 200);
    const asked = await accepted(world.store, 'moveCaseload', from, [to] as OfficerId[]);
    await send(world, asked);
    expect(await walk({ at: 'scan' }, asked, world.store)).toBe('COMPLETED');
    const { counts, items } = await standing(world.store, asked);
    expect([counts, new Set(items.map(({ shard }) => shard)).size]).toEqual([{ moved: 200, gone: 0, refused: 0 }, 8]);
    expect(await officerAt(world.store, to)).toMatchObject({ activeLoad: 200 });
    for (const caseId of led.slice(0, 20)) expect(await changesOfLead(world.store, caseId)).toBe(1);
  });
});
