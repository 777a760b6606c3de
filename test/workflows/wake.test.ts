import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Busy } from '../../domain/answer.ts';
import { executionNameOf } from '../../store/identity.ts';
import { leaseMs, withLease } from '../../store/lease.ts';
import { readEffect, step } from '../../store/ledger.ts';
import { recordAnswer } from '../../workflows/registration/callback.ts';
import { sweep } from '../../workflows/sweep.ts';
import { command, type Deps, type ActionInput } from '../../workflows/task.ts';
import { tasks, type TaskName } from '../../workflows/tasks.ts';
import { demo } from '../store/world.ts';
import { accepted, fakeDocuments, fakeMailer, fakeRegistry, office, refused, type FakeRegistry } from './parties.ts';
import { eventBus, machines } from './publisher.ts';
import { issued, standing, startStage, submitted, type Stage } from './stage.ts';

let stage: Stage;
let stateMachines: ReturnType<typeof machines>;
let registry: FakeRegistry;
let input: ActionInput;
let number: string;
beforeAll(async () => void (stage = await startStage()));
beforeEach(async () => {
  [stateMachines, registry] = [machines(), fakeRegistry()];
  input = await submitted(stage);
  number = `R-${input.actionId}`;
});
afterAll(() => stage.stop());

const deps = (): Deps => {
  const parties = { registry, mailer: fakeMailer(), documents: fakeDocuments() };
  const scan = () => Promise.reject(new Error('nobody scans'));
  return { store: stage.store, stateMachines, scan, office, ...parties };
};
const perform = (name: TaskName, round = 0, token?: string) =>
  tasks[name]({ input: { ...input, round }, execution: `execution ${round}`, attempt: 0, token }, deps());
const submit = (token: string, round = 0) => (stateMachines.live.add(token), perform('submitToRegistry', round, token));
const callsBack = (answer = accepted(number)) => recordAnswer(stage.store, { key: `demo.${input.effectId}`, answer });
const published = () =>
  sweep({ store: stage.store, stateMachines, documents: fakeDocuments(), events: eventBus() }, -1);
const startedInRound = (round: number) =>
  stateMachines.started.has(executionNameOf('registration', input.effectId, round));
const now = () => standing(stage, 'REGISTRATION', input);
const told = () =>
  stateMachines.answers.map(({ token, answer }) => [token, 'success' in answer ? answer.success : answer.error]);

describe('who waits for the registry', () => {
  it('is told by the publisher when the callback comes', async () => {
    expect(await submit('token')).toEqual({ status: 'SENT' });
    await callsBack();
    await published();
    expect([told(), startedInRound(1)]).toEqual([[['token', { status: 'CONFIRMED' }]], false]);
  });

  it('tells itself when the callback came first, and is told once', async () => {
    const submitAtOnce = registry.submit.bind(registry);
    registry.submit = async (...asked) => {
      const answer = await submitAtOnce(...asked);
      await callsBack();
      return answer;
    };
    expect(await submit('token')).toEqual({ status: 'CONFIRMED' });
    expect(told()).toEqual([['token', { status: 'CONFIRMED' }]]);
    await published();
    expect(told()).toHaveLength(1);
  });

  for (const [word, answer] of [
    ['Registry.Refused', refused('unknown')],
    ['success', accepted('R-9')],
  ] as const)
    it(`hears ${word} at once where a repeat finds the row final, without another call`, async () => {
      await submit('first');
      await callsBack(answer as never);
      await submit('second', 1);
      expect(told()).toEqual([['second', word === 'success' ? { status: 'CONFIRMED' } : word]]);
      expect(registry.bodies).toHaveLength(1);
    });

  it('no more: the reserved round is started, once, and the ledger tells it what to record', async () => {
    await submit('token');
    stateMachines.live.clear();
    await callsBack();
    await published();
    await published();
    expect([told(), startedInRound(1)]).toEqual([[], true]);
    expect(await perform('prepareSubmission', 1)).toEqual({ current: true });
    await submit('later', 1);
    expect(told()).toEqual([['later', { status: 'CONFIRMED' }]]);
    expect(await perform('recordRegistration', 1)).toEqual({ refused: 'NO' });
    expect((await now()).action).toMatchObject({ status: 'REGISTERED', registryNumber: number });
  });

  it('is told that a person has to look when the submission was parked', async () => {
    registry.receptions = ['loses'];
    registry.findFails = true;
    await expect(submit('waits for a person')).rejects.toThrow();
    stage.clock.move(25 * 3_600_000);
    await published();
    await published();
    expect((await now()).row.status).toBe('PARKED');
    expect(told()).toContainEqual(['waits for a person', 'Effect.Parked']);
  });
});

describe('a repeat in a later round', () => {
  it('of what is recorded is done, and changes nothing', async () => {
    registry.atOnce = () => accepted(number);
    await submit('token');
    for (const round of [0, 1, 2]) expect(await perform('recordRegistration', round)).toEqual({ refused: 'NO' });
    expect((await now()).case).toMatchObject({ status: 'REGISTERED', openEffects: 0 });
    expect(await perform('prepareSubmission', 3)).toEqual({ current: false });
  });

  it('of a refusal is done, and changes nothing', async () => {
    registry.receptions = ['refuses'];
    await submit('token');
    for (const round of [0, 1]) expect(await perform('recordRegistrationRefusal', round)).toEqual({ refused: 'NO' });
    expect((await now()).action).toMatchObject({
      status: 'REGISTRATION_FAILED',
      registrationRefusal: 'not registrable',
    });
  });

  it('of an unknown answer is recorded once, and not at all once there is an answer', async () => {
    registry.receptions = ['loses'];
    registry.findFails = true;
    await expect(submit('token')).rejects.toThrow();
    stage.clock.move(25 * 3_600_000);
    await published();
    for (const round of [1, 2]) expect(await perform('recordRegistrationUnknown', round)).toEqual({ refused: 'NO' });
    const { case: current, row } = await now();
    expect(await recordAnswer(stage.store, { key: row.providerKey, answer: accepted(number) })).toBe(204);
    await perform('recordRegistration', 3);
    expect(await perform('recordRegistrationUnknown', 4)).toEqual({ refused: 'NO' });
    expect((await now()).case.auditSeq).toBe(current.auditSeq + 1);
  });

  it('cannot record what the ledger does not say', async () => {
    await submit('token');
    await expect(perform('recordRegistration')).rejects.toThrow('without a registry number');
    expect(await perform('recordRegistrationRefusal')).toEqual({ refused: 'PRECONDITION_FAILED' });
    expect((await now()).action.status).toBe('REGISTRATION_PENDING');
  });
});

describe('a worker that was paused for three lease lengths', () => {
  it('cannot change the case over its successor, and is told so at once', async () => {
    const notice = await issued(stage);
    const { caseId, actionId, noticeId } = notice;
    const name = { tenant: demo.id, provider: 'mailer', effectId: notice.effectId } as const;
    const document = { sha256: 'b'.repeat(64), size: 2_000 };
    const work = (owner: string, type: string, more: object, before: () => Promise<unknown>) =>
      withLease(stage.store, demo.id, caseId, owner, async (lease) => {
        await before();
        return command(stage.store, notice, lease, { type, caseId, actionId, noticeId, ...more });
      });
    const paused = work('paused', 'recordNoticeServed', {}, async () => {
      stage.clock.move(3 * leaseMs);
      expect(await work('successor', 'recordNoticeRendered', document, () => Promise.resolve())).toEqual({
        refused: 'NO',
      });
      const sending = await step(stage.store, name, {
        to: 'SENDING',
        row: await readEffect(stage.store, name),
        fence: 2,
      });
      await step(stage.store, name, { to: 'CONFIRMED', row: sending });
      stage.world.calls.reset();
    });
    await expect(paused).rejects.toThrow(Busy);
    expect(stage.world.calls.count).toBe(2); // what stands, and the lease that is no longer its own
    const { case: current, notice: stored } = await standing(stage, 'NOTICE_MAIL', notice);
    expect([current.fence, stored!.status]).toEqual([2, 'RENDERED']);
    expect(await work('later', 'recordNoticeServed', {}, () => Promise.resolve())).toEqual({ refused: 'NO' });
  });
});
