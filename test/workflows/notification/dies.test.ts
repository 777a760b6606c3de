import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Busy } from '../../../domain/answer.ts';
import { providerKeyOf } from '../../../domain/effect.ts';
import type { CaseId } from '../../../domain/ids.ts';
import { effectIdOf } from '../../../store/identity.ts';
import { leaseMs, skewMs } from '../../../store/lease.ts';
import type { Store } from '../../../store/store.ts';
import machine from '../../../workflows/notification/notification.asl.json';
import type { Deps, EffectInput, Task } from '../../../workflows/task.ts';
import { tasks, type TaskName } from '../../../workflows/tasks.ts';
import { planned, stored } from '../../store/effects.ts';
import { onMovedClock } from '../../store/time.ts';
import { ana, ben, demo, done, registerOfficer, startWorld, sue, type World } from '../../store/world.ts';
import { deaths, worker, type Fatal } from '../mortal.ts';
import { fakeMailer, office, type FakeMailer } from '../parties.ts';
import { reassigned, rowOf } from './office.ts';

let world: World;
let caseId: CaseId;
beforeAll(async () => {
  world = await startWorld();
  for (const { id } of [ana, ben, sue]) await done(world, sue, registerOfficer(id));
  caseId = await reassigned({ world }, ben.id);
});
afterAll(() => world.stop());

/** One more mail about the case, with a row of its own. */
async function asked(store: Store): Promise<EffectInput> {
  const effectId = effectIdOf(randomUUID(), 'NOTIFICATION', 0);
  const row = planned('NOTIFICATION', { caseId, effectId, recipientId: ben.id, template: 'LEAD_GIVEN' });
  await stored(store, { ...row, providerKey: providerKeyOf(demo.id, effectId) });
  return { tenant: demo.id, caseId, effectId, round: 0, correlationId: 'test', requestedBy: sue.id };
}

type Choice = { StringEquals: string; Next: string };
type State = { Type: string; Next?: string; Default?: string; Choices?: Choice[]; Catch?: { Next: string }[] };
const states = machine.States as Record<string, State>;
const taskOf = (state: string) => `${state[0]!.toLowerCase()}${state.slice(1)}` as TaskName;

/** Where an execution stands: a worker that dies leaves it where it is, and the state is entered again. */
type Walk = { at: string; attempt: number };

/** Walks the machine's own definition, a busy task again after a while, with the given worker at its tasks. */
async function walk(
  walked: Walk,
  input: EffectInput,
  deps: Deps,
  isDead: () => boolean,
  wait: () => void,
): Promise<void> {
  let status = '';
  for (let turn = 0; turn < 200; turn++) {
    const state = states[walked.at]!;
    if (state.Type === 'Succeed') return;
    if (state.Type === 'Choice') {
      walked.at = state.Choices!.find(({ StringEquals }) => StringEquals === status)?.Next ?? state.Default!;
      continue;
    }
    try {
      const task = { input, execution: 'execution', attempt: walked.attempt++ } as Task<never>;
      ({ status } = (await tasks[taskOf(walked.at)](task, deps)) as { status: string });
      walked.at = state.Next!;
    } catch (error) {
      if (isDead()) throw error;
      if (error instanceof Busy) wait();
      else walked.at = state.Catch!.at(-1)!.Next;
    }
  }
  throw new Error('it never ended');
}

type Story = {
  receptions: FakeMailer['receptions'];
  keepsLog?: boolean;
  fatal?: Fatal;
  skewMs?: number;
  anew?: boolean;
};

/** One mail, of a worker that dies and one that comes after it: in the same state, or in an execution of a later round. */
async function life({ receptions, keepsLog = true, fatal, skewMs: skew = 0, anew = false }: Story) {
  const { clock, store } = onMovedClock(world.store);
  const input = await asked(store);
  const mailer = fakeMailer();
  mailer.receptions = [...receptions];
  mailer.keepsLog = keepsLog;
  const working = (mortal: ReturnType<typeof worker>): Deps =>
    ({
      ...{ store: mortal.store, office },
      mailer: { ...mailer, send: mortal.call(mailer.send.bind(mailer)), find: mortal.call(mailer.find.bind(mailer)) },
    }) as unknown as Deps;
  const wait = () => clock.move(20_000);
  const first = worker(store, fatal);
  const walked = { at: machine.StartAt, attempt: 0 };
  const ended = walk(walked, input, working(first), first.isDead, wait);
  if (fatal) {
    await ended.catch(() => undefined);
    const later: Store = { ...store, now: () => store.now() + skew };
    const next = worker(later);
    if (anew) await walk({ at: machine.StartAt, attempt: 0 }, { ...input, round: 1 }, working(next), next.isDead, wait);
    else await walk(walked, input, working(next), next.isDead, wait);
  } else await ended;
  return { mailer, calls: first.calls(), row: await rowOf({ store }, input) };
}

/** Lives do not meet, so they are led side by side. */
const each = <T>(all: T[], live: (one: T) => Promise<void>) => Promise.all(all.map(live));

const distinct = ({ mails }: FakeMailer) => new Set(mails.map((mail) => JSON.stringify(mail))).size;

const told: [FakeMailer['receptions'], number, string][] = [
  [['takes it'], 1, 'CONFIRMED'],
  [['loses'], 1, 'CONFIRMED'],
  [['was not reached'], 1, 'CONFIRMED'],
  [['is busy'], 1, 'CONFIRMED'],
  [['never takes it'], 0, 'FAILED_FINAL'],
];

describe('an officer is told once, wherever a worker dies', () => {
  for (const [receptions, mails, status] of told)
    it(`when the mail server ${receptions.join(', then ')}`, { timeout: 60_000 }, async () => {
      const clean = await life({ receptions });
      expect([clean.mailer.mails.length, clean.row.status]).toEqual([mails, status]);
      await each(
        deaths(clean.calls).flatMap((fatal) => [false, true].map((anew) => ({ fatal, anew }))),
        async ({ fatal, anew }) => {
          const { mailer, row } = await life({ receptions, fatal, anew });
          const death = `died at call ${fatal.call}${fatal.landed ? '' : ', before it landed'}${anew ? ', later round' : ''}`;
          // A death may use up a fault that the mail server had in store: then the mail is taken after all.
          expect([death, mailer.mails.length, row.status]).toEqual(
            row.status === status ? [death, mails, status] : [death, 1, 'CONFIRMED'],
          );
        },
      );
    });

  for (const minutes of [-10, 10])
    it(`when whoever comes after has a clock that is off by ${minutes} minutes`, { timeout: 60_000 }, async () => {
      const { calls } = await life({ receptions: ['takes it'] });
      await each(deaths(calls), async (fatal) => {
        const { mailer, row } = await life({ receptions: [], fatal, skewMs: minutes * 60_000 });
        expect([fatal, mailer.mails.length, row.status]).toEqual([fatal, 1, 'CONFIRMED']);
      });
    });

  it('or at most twice, as the same mail, where the mail server keeps no log', { timeout: 60_000 }, async () => {
    const receptions: FakeMailer['receptions'] = ['loses'];
    const { calls } = await life({ receptions, keepsLog: false });
    await each(deaths(calls), async (fatal) => {
      const { mailer, row } = await life({ receptions, keepsLog: false, fatal });
      expect([fatal, distinct(mailer), mailer.mails.length <= 2]).toEqual([fatal, 1, true]);
      expect(['CONFIRMED', 'PARKED']).toContain(row.status);
    });
  });
});

describe('a worker that was paused for three lease lengths', () => {
  it('sends nothing after its successor has', async () => {
    const { clock, store } = onMovedClock(world.store);
    const input = await asked(store);
    const mailer = fakeMailer();
    const deps = { store, office, mailer } as unknown as Deps;
    const wait = () => clock.move(20_000);
    const run = (with_: Deps) => walk({ at: machine.StartAt, attempt: 0 }, input, with_, () => false, wait);
    let paused = false;
    const pausing: Store = {
      ...store,
      table: {
        ...store.table,
        write: async (write) => {
          const answer = await store.table.write(write);
          if (write.kind === 'update' && write.update.set?.['status'] === 'SENDING' && !paused) {
            paused = true;
            clock.move(3 * leaseMs + skewMs);
            await run(deps);
          }
          return answer;
        },
      },
    };
    await run({ ...deps, store: pausing });
    expect([paused, mailer.mails.length, (await rowOf({ store }, input)).status]).toEqual([true, 1, 'CONFIRMED']);
  });
});
