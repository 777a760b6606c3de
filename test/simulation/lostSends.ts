import { policy } from '../../store/attempts.ts';
import { answered, answerLost } from '../store/faults.ts';
import { ask, newRequest } from './client.ts';
import { noFaults } from './faultPlan.ts';
import { addInvestigator, calm, finding, key, newRequestOnce, officerIs, play, type Rule } from './played.ts';
import { randomOf } from './random.ts';
import { simulation, type Between, type Simulation } from './simulatedGround.ts';

/** What may become of a request whose answer is lost, or whose repeat comes too early. */
export const lostSends: readonly Rule[] = [
  {
    says: 'an ambiguous answer is met with the same bytes under the same token',
    holds: async (between) => {
      const tokens: string[] = [];
      let first = true;
      const losing: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: async (writes, token) => {
          tokens.push(token);
          if (first) throw ((first = false), answerLost());
          await between(table, request).transactWrite(writes, token);
        },
      });
      const { request } = await play(losing);
      return request.outcome === 'ok' && tokens.length === 2 && tokens[0] === tokens[1];
    },
  },
  {
    says: 'a transaction in progress is asked for past five seconds',
    holds: async (between) => {
      let until = 0;
      const busy: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: (writes, token) => {
          until ||= world!.ground.now() + 5_100;
          if (world!.ground.now() < until) throw answered('TransactionInProgressException', 400);
          return between(table, request).transactWrite(writes, token);
        },
      });
      let world: Simulation | undefined;
      const { request } = await play(busy, { timeoutMs: 7_600, begun: (begun) => (world = begun) });
      return request.outcome === 'ok';
    },
  },
  {
    says: 'a repeat that reads while its first send commits is not refused',
    holds: async (between) => {
      // The batch read is torn: no record yet, but the state that the record's own transaction made.
      let first = true;
      const torn: Between = (table, request) => ({
        ...between(table, request),
        batchGet: async (keys) => {
          if (!first) return table.batchGet(keys);
          first = false;
          const [record] = await table.batchGet(keys.slice(0, 1));
          await ask(
            world!.ground,
            world!.ground.start(noFaults),
            newRequest(world!.ground, finding.actor, finding.command, key),
          );
          return [record, ...(await table.batchGet(keys.slice(1)))];
        },
      });
      let world: Simulation | undefined;
      const { request } = await play(torn, { shape: finding, begun: (begun) => (world = begun) });
      return request.answer?.kind === 'done' && request.answer.replayed;
    },
  },
  {
    says: 'a request whose lost send may still land is not refused, and may be sent again',
    holds: (between) => fencedOff(between, false),
  },
  {
    says: 'a fence that never arrived is not taken for one',
    holds: (between) => fencedOff(between, true),
  },
  {
    says: 'what was done is told, even by a request whose time is up',
    holds: async (between) => {
      const losing: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: async (writes, token) => {
          await between(table, request).transactWrite(writes, token);
          throw answerLost();
        },
      });
      const { request } = await play(losing, { timeoutMs: policy.attempt + policy.reservedForFence + 200 });
      return request.answer?.kind === 'done';
    },
  },
  {
    says: 'a repeat that sees half of a commit is not refused',
    holds: async (between) => {
      // The state is there already, the record of the same transaction is not: for 60 ms or so.
      for (let start = 0; start < 120; start += 3) {
        const draws = randomOf(start + 1);
        let pause: (ms: number) => Promise<void> = () => Promise.resolve();
        const step = () => pause(draws.chance(0.7) ? 0 : 60);
        const world = simulation(1, { ...calm, tornReads: true, random: draws.next, step }, between);
        pause = world.scheduler.sleep;
        const { ground } = world;
        await ground.load(finding.prepared(ground.tenant));
        const send = () => ask(ground, ground.start(noFaults), newRequest(ground, finding.actor, finding.command, key));
        await Promise.all([send(), ground.sleep(start).then(send), world.scheduler.run()]);
        if (ground.history.requests.some(({ outcome }) => outcome === 'fail')) return false;
      }
      return true;
    },
  },
];

async function fencedOff(between: Between, fenceIsDropped: boolean): Promise<boolean> {
  // The first send is lost and lands late. Meanwhile the officer leaves, so the command is refused; then she is back.
  let world: Simulation | undefined;
  let first = true;
  let dropped = fenceIsDropped;
  const late: Between = (table, request) => ({
    ...between(table, request),
    write: (write) => {
      if (!dropped) return between(table, request).write(write);
      dropped = false;
      throw answerLost();
    },
    transactWrite: async (writes, token) => {
      if (!first) return between(table, request).transactWrite(writes, token);
      first = false;
      const lands = () => between(table, request).transactWrite(writes, token);
      void world!.ground
        .sleep(6_000)
        .then(lands)
        .catch(() => undefined);
      officerIs(world!, 'LEAVING');
      throw answerLost();
    },
  });
  const again = newRequestOnce();
  const { request, committed } = await play(late, {
    shape: addInvestigator,
    begun: (begun) => (world = begun),
    afterwards: async ({ ground }) => {
      officerIs(world!, 'ACTIVE');
      await ground.sleep(20_000);
      await ask(ground, ground.start(noFaults), again(ground));
    },
  });
  const reused = again.answer()?.kind === 'refused';
  return request.outcome === 'fail' && !committed && !reused;
}
