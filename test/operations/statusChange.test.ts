import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseId, EffectId, OfficerId } from '../../domain/ids.ts';
import type { Execution } from '../../domain/operations/execution.ts';
import { ref } from '../../domain/refs.ts';
import { readItems } from '../../store/read.ts';
import { recordStatusChange, type StatusChange } from '../../workflows/statusChange.ts';
import { redrive, stop } from '../../workflows/steer.ts';
import { startEffect } from '../../workflows/wake.ts';
import { asActor, demo, done, openCase, startWorld, type World } from '../store/world.ts';
import { machines } from '../workflows/publisher.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

let count = 0;
const newInput = () => ({
  ...{ tenant: demo.id, caseId: 'c1' as CaseId, actionId: 'a1' as never, effectId: `e${++count}` as EffectId },
  ...{ round: 0, correlationId: 'test', requestedBy: 'sue' as OfficerId },
});
const started = async () => {
  const input = newInput();
  const told = await startEffect(world.store, machines(), 'notice', input);
  return { input, name: (told as { providerMessageId: string }).providerMessageId };
};
const read = async (name: string) => (await readItems<Execution>(world.store, demo.id, [ref.execution(name)]))[0]!;

const began = Date.parse('2026-03-02T12:00:00.000Z');
type Told = [status: string, redriveCount: number];
/** Failed, redriven, timed out, redriven again, done: what Step Functions has to tell of one execution. */
const story: Told[] = [
  ['RUNNING', 0],
  ['FAILED', 0],
  ['RUNNING', 1],
  ['TIMED_OUT', 1],
  ['RUNNING', 2],
  ['SUCCEEDED', 2],
];
const change = (name: string, input: object, [status, redriveCount]: Told): StatusChange => {
  const ended = status === 'RUNNING' ? null : began + 60_000 * (redriveCount + 1);
  const error = status === 'FAILED' ? 'Busy' : null;
  return {
    detail: { name, status, redriveCount, startDate: began, stopDate: ended, input: JSON.stringify(input), error },
  };
};

describe('what Step Functions tells', () => {
  it('leads to the same end, whatever comes twice and in whatever order', { timeout: 60_000 }, async () => {
    const told = fc.shuffledSubarray([...story, ...story], { minLength: 1 }).filter((some) => some.includes(story[5]!));
    await fc.assert(
      fc.asyncProperty(told, fc.boolean(), async (some, publisherFirst) => {
        const { input, name } = publisherFirst ? await started() : { input: newInput(), name: `notice-x${++count}` };
        for (const one of some) await recordStatusChange(world.store, change(name, input, one));
        expect(await read(name)).toEqual({
          ...{ name, machine: 'notice', aggregateType: 'Case', aggregateId: 'c1', correlationId: 'test', round: 0 },
          ...{ effect: { provider: 'mailer', effectId: input.effectId }, status: 'SUCCEEDED', redriveCount: 2 },
          ...{ startedAt: '2026-03-02T12:00:00.000Z', stoppedAt: '2026-03-02T12:03:00.000Z' },
        });
      }),
      { numRuns: 40 },
    );
  });

  it('is not undone by a publisher that comes late', async () => {
    const input = newInput();
    const port = machines();
    const name = ((await startEffect(world.store, port, 'notice', input)) as { providerMessageId: string })
      .providerMessageId;
    await recordStatusChange(world.store, change(name, input, ['FAILED', 0]));
    await startEffect(world.store, port, 'notice', input);
    expect(await read(name)).toMatchObject({ status: 'FAILED', error: 'Busy' });
  });

  it('about an execution that is none of ours is alarmed and kept nowhere', async () => {
    world.log.length = 0;
    for (const [name, input] of [
      ['other-1', newInput()],
      ['notice-1', { some: 'input' }],
      ['notice-2', null],
    ] as const)
      await recordStatusChange(world.store, change(name, input ?? {}, ['FAILED', 0]));
    expect(world.log.map((line) => line['alarm'])).toEqual(Array(3).fill('execution of nobody'));
    expect(await readItems(world.store, demo.id, [ref.execution('notice-1')])).toEqual([undefined]);
  });
});

describe('an execution that ends without an outcome', () => {
  let caseId: CaseId;
  beforeAll(async () => {
    const { aggregateId } = await done(world, asActor('sue', 'SUPERVISOR'), openCase());
    caseId = aggregateId as CaseId;
  });
  const inputOn = () => ({ ...newInput(), caseId });
  const taskOf = async (execution: string) => {
    const [open] = await readItems(world.store, demo.id, [ref.openTask(caseId, 'OPERATOR', execution)]);
    return open && (await readItems(world.store, demo.id, [ref.task(caseId, open.taskId)]))[0];
  };
  const told = async (name: string, input: object, ...some: Told[]) => {
    for (const one of some) await recordStatusChange(world.store, change(name, input, one));
  };

  for (const status of ['FAILED', 'TIMED_OUT', 'ABORTED'])
    it(`${status}, is one task for operators on its case, however often it is told`, async () => {
      const [name, input] = [`notice-task-${++count}`, inputOn()];
      await told(name, input, ['RUNNING', 0], [status, 0], [status, 0]);
      const task = await taskOf(name);
      expect(task).toMatchObject({ type: 'OPERATOR', status: 'UNASSIGNED', teamId: 'OPERATIONS', priority: 'HIGH' });
      await Promise.all([1, 2, 3].map(() => told(name, input, [status, 0])));
      await told(name, input, ['RUNNING', 1], ['FAILED', 1]);
      expect(await taskOf(name)).toEqual(task);
    });

  it('is nobody’s task any more once it has come to its end after a redrive', async () => {
    const [name, input] = [`notice-task-${++count}`, inputOn()];
    await told(name, input, ['FAILED', 0], ['RUNNING', 1], ['SUCCEEDED', 1], ['SUCCEEDED', 1]);
    expect(await taskOf(name)).toBeUndefined();
    await told(name, input, ['FAILED', 0]);
    expect(await taskOf(name)).toBeUndefined();
  });

  it('on a case that is not there is alarmed all the same', async () => {
    world.log.length = 0;
    await told(`notice-task-${++count}`, { ...newInput(), caseId: 'gone' }, ['FAILED', 0]);
    expect(world.log.map((line) => line['alarm']).filter(Boolean)).toEqual([
      'execution ended badly',
      'no task for an operator',
    ]);
  });
});

describe('what an operator asked of Step Functions', () => {
  const asked = (execution: string, redriveCount: number) => ({ execution, machine: 'notice', redriveCount }) as const;

  it('is done once, however often it is told', async () => {
    const port = machines();
    port.started.set('notice-1', { machine: 'notice', input: '{}', running: false });
    for (let times = 0; times < 3; times++)
      expect(await redrive(port, asked('notice-1', 0))).toEqual({ providerMessageId: 'notice-1' });
    expect(port.started.get('notice-1')).toMatchObject({ running: true, redriveCount: 1 });
  });

  it('is not done to a later run than the one that was seen', async () => {
    const port = machines();
    port.started.set('notice-1', { machine: 'notice', input: '{}', running: true, redriveCount: 1 });
    await stop(port, asked('notice-1', 0));
    expect(port.started.get('notice-1')!.running).toBe(true);
    await stop(port, asked('notice-1', 1));
    expect(port.started.get('notice-1')!.running).toBe(false);
  });

  it('is given up where Step Functions does not know it, or refuses', async () => {
    const port = machines();
    expect(await redrive(port, asked('notice-9', 0))).toEqual({ conflict: 'notice-9 is not known' });
    expect(await stop(port, asked('notice-9', 0))).toEqual({ conflict: 'notice-9 is not known' });
    port.started.set('notice-1', { machine: 'notice', input: '{}', running: false });
    const refuses = { ...port, redrive: () => Promise.resolve('refused' as const) };
    expect(await redrive(refuses, asked('notice-1', 0))).toEqual({ conflict: 'notice-1 cannot be redriven' });
  });
});
