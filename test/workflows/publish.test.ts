import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { instantOf } from '../../store/calendar.ts';
import { claim, claimMs, markPublished, pendingKeys, publishTries, readMessages } from '../../store/claims.ts';
import { keyText } from '../../store/keys.ts';
import type { Key } from '../../store/table-port.ts';
import { publish } from '../../workflows/publish.ts';
import { outboxGraceMs, sweep } from '../../workflows/sweep.ts';
import { answered, faultsBefore, type Faults } from '../store/faults.ts';
import { addParty, ana, done, openCase } from '../store/world.ts';
import { deaths, worker } from './mortal.ts';
import { eventBus, machines } from './publisher.ts';
import { issued, startStage, waiting, type Stage } from './stage.ts';
import { fakeDocuments } from './parties.ts';

let stage: Stage;
let faults: Faults;
let bus: ReturnType<typeof eventBus>;
let stateMachines: ReturnType<typeof machines>;
beforeAll(async () => {
  stage = await startStage();
  faults = faultsBefore(stage.world.clients.writer);
});
beforeEach(async () => {
  faults.next = [];
  [bus, stateMachines] = [eventBus(), machines()];
  await sweepAll(); // what earlier tests left
  [bus, stateMachines] = [eventBus(), machines()];
  stage.log.length = 0;
});
afterAll(() => stage.stop());

const documents = fakeDocuments();
const publisher = (store = stage.store) => ({ store, stateMachines, documents, events: bus });
const tell = (keys: Key[], store = stage.store) => publish(publisher(store), keys);
const hour = 3_601_000; // the longest pause between two attempts

/** As many sweeps as it takes, each after everything that waits has waited long enough. */
async function sweepAll(sweeps = 2, apart = 400_000) {
  for (let i = 0; i < sweeps; i++) {
    stage.clock.move(apart);
    await sweep(publisher(), outboxGraceMs);
  }
}
/** A case with five events. */
async function fiveEvents() {
  const { aggregateId } = await done(stage.world, ana, openCase({ leadOfficerId: 'ana' }));
  for (let version = 1; version < 5; version++)
    await done(stage.world, ana, addParty(aggregateId, { expectedVersion: version, name: `Party ${version}` }));
  const messages = await waiting(stage, aggregateId);
  return { aggregateId, keys: messages.map(({ key }) => key) };
}
const inOrder = [1, 2, 3, 4, 5];
const statuses = async (keys: Key[]) => (await readMessages(stage.store, keys)).map(({ status }) => status);

describe('the events of one case are told in their order', () => {
  const feeds: Record<string, (keys: Key[]) => Promise<unknown>> = {
    'as they come': (keys) => tell(keys),
    'when the fast path brings them backwards': async (keys) => {
      for (const key of [...keys].reverse()) await tell([key]);
    },
    'when it brings each of them three times at once': (keys) =>
      Promise.all([...keys, ...keys, ...keys].map((key) => tell([key]))),
    'when it brings only the first': ([first]) => tell([first!]),
    'when it brings only the last, and the sweep the others': (keys) => tell(keys.slice(-1)),
    'when it brings none of them': () => Promise.resolve(),
  };
  for (const [how, feed] of Object.entries(feeds))
    it(`${how}, each once`, async () => {
      const { aggregateId, keys } = await fiveEvents();
      await feed(keys);
      await sweepAll();
      expect(bus.seqsOf(aggregateId)).toEqual(inOrder);
      expect(new Set(await statuses(keys))).toEqual(new Set(['PUBLISHED']));
    });

  it('when one of them fails twice, and another case does not wait for it', async () => {
    const [slow, other] = [await fiveEvents(), await fiveEvents()];
    let failures = 2;
    bus.refuses = ({ aggregateId, seq }) => aggregateId === slow.aggregateId && seq === 2 && failures-- > 0;
    await tell([...slow.keys, ...other.keys]);
    expect([bus.seqsOf(slow.aggregateId), bus.seqsOf(other.aggregateId)]).toEqual([[1], inOrder]);
    await sweepAll(4);
    expect(bus.seqsOf(slow.aggregateId)).toEqual(inOrder);
  });

  it('over midnight, although a day has its own partition', async () => {
    const { aggregateId } = await done(stage.world, ana, openCase({ leadOfficerId: 'ana' }));
    stage.clock.move(24 * 3_600_000);
    await done(stage.world, ana, addParty(aggregateId, { expectedVersion: 1 }));
    const [first] = await waiting(stage, aggregateId);
    await tell([first!.key]);
    expect(bus.seqsOf(aggregateId)).toEqual([1, 2]);
  });

  it('and a poison one stops its own case only, is dead after its last try, and alarms', async () => {
    const [poisoned, other] = [await fiveEvents(), await fiveEvents()];
    bus.refuses = ({ aggregateId, seq }) => aggregateId === poisoned.aggregateId && seq === 2;
    for (let i = 1; i < publishTries; i++) await sweepAll(1, hour);
    expect(await statuses(poisoned.keys)).toEqual(['PUBLISHED', 'NEW', 'NEW', 'NEW', 'NEW']);
    await sweepAll(1, hour);
    expect(await statuses(poisoned.keys)).toEqual(['PUBLISHED', 'DEAD', 'NEW', 'NEW', 'NEW']);
    const [, dead, next] = await readMessages(stage.store, poisoned.keys);
    expect([dead!.attempts, next!.attempts]).toEqual([publishTries, 0]);
    expect(stage.log).toContainEqual(expect.objectContaining({ alarm: 'outbox message dead', eventId: dead!.eventId }));
    const graves = await pendingKeys(stage.store, 'DEAD', dead!.shard, instantOf(stage.clock.now()));
    expect(graves.map(keyText)).toContain(keyText(dead!.key));
    expect([bus.seqsOf(poisoned.aggregateId), bus.seqsOf(other.aggregateId)]).toEqual([[1], inOrder]);
  });
});

describe('a message', () => {
  it('is told by one of twenty publishers', async () => {
    const { aggregateId, keys } = await fiveEvents();
    await Promise.all(Array.from({ length: 20 }, () => tell(keys)));
    await sweepAll();
    expect(bus.seqsOf(aggregateId)).toEqual(inOrder);
  });

  it('is left to the fast path for its grace, and found by the sweep after it', async () => {
    const { aggregateId, keys } = await fiveEvents();
    stage.clock.move(1);
    await sweep(publisher(), outboxGraceMs);
    expect(bus.seqsOf(aggregateId)).toEqual([]);
    await Promise.all([tell(keys), sweep(publisher(), outboxGraceMs)]);
    expect(bus.seqsOf(aggregateId)).toEqual(inOrder);
  });

  it('counts by its own entry: of ten in a call that succeeded, two were not taken', async () => {
    const cases = await Promise.all(
      Array.from({ length: 10 }, () => done(stage.world, ana, openCase({ leadOfficerId: 'ana' }))),
    );
    const ids = cases.map(({ aggregateId }) => aggregateId);
    const keys = (await Promise.all(ids.map((id) => waiting(stage, id)))).flat().map(({ key }) => key);
    bus.refuses = ({ aggregateId }) => aggregateId === ids[2] || aggregateId === ids[6];
    await tell(keys);
    const messages = await readMessages(stage.store, keys);
    const [failed, told] = [messages.filter(({ status }) => status === 'NEW'), bus.told.length];
    expect([failed.map(({ attempts }) => attempts), told]).toEqual([[1, 1], 8]);
    expect(failed.every(({ error, notBefore }) => error === 'NotPublished' && notBefore !== undefined)).toBe(true);
  });

  it('that was told leaves the index and expires, in whole seconds', async () => {
    const { keys } = await fiveEvents();
    await tell(keys);
    const [item] = await stage.store.table.batchGet(keys);
    expect(item).not.toHaveProperty('pendingPk');
    expect(item!['expiresAt']).toBe(Math.floor(stage.clock.now() / 1_000) + 7 * 24 * 3_600);
  });

  it('is not marked by a publisher whose claim ran out and was taken over', async () => {
    const [message] = await waiting(stage, (await fiveEvents()).aggregateId);
    const first = await claim(stage.store, message!);
    expect(await claim(stage.store, message!)).toBeUndefined();
    stage.clock.move(claimMs + 1);
    const [later] = await readMessages(stage.store, [message!.key]);
    expect(await claim(stage.store, later!)).toMatchObject({ claim: 2 });
    expect(await markPublished(stage.store, first!, 'late')).toBe(false);
    expect(await statuses([message!.key])).toEqual(['PUBLISHING']);
  });

  it('is not marked in silence where the database refuses: whoever brought it learns of it, and it is told again', async () => {
    const { aggregateId, keys } = await fiveEvents();
    faults.next = ['pass', { answer: answered('AccessDeniedException', 400) }];
    await expect(tell(keys.slice(0, 1))).rejects.toThrow('AccessDenied');
    const [first] = await readMessages(stage.store, keys.slice(0, 1));
    expect(first).toMatchObject({ status: 'PUBLISHING', attempts: 0 }); // it was told, so no attempt has failed
    await sweepAll();
    expect(bus.seqsOf(aggregateId)).toEqual([1, ...inOrder]);
  });

  for (const lost of [['lose'], ['pass', 'lose'], ['drop'], ['pass', 'drop']] as const)
    it(`is told, in order, when an answer of the database is lost: ${lost.join(', ')}`, async () => {
      const { aggregateId, keys } = await fiveEvents();
      faults.next = [...lost];
      await tell(keys);
      await sweepAll(3);
      expect([...new Set(bus.seqsOf(aggregateId))]).toEqual(inOrder);
      expect(bus.seqsOf(aggregateId)).toEqual([...bus.seqsOf(aggregateId)].sort());
      expect(new Set(await statuses(keys))).toEqual(new Set(['PUBLISHED']));
    });
});

describe('a publisher that dies at any step', () => {
  async function run(fatal?: { call: number; landed: boolean }) {
    const { aggregateId } = await done(stage.world, ana, openCase({ leadOfficerId: 'ana' }));
    await done(stage.world, ana, addParty(aggregateId, { expectedVersion: 1 }));
    const keys = (await waiting(stage, aggregateId)).map(({ key }) => key);
    const mortal = worker(stage.store, fatal);
    const events = { publish: mortal.call(bus.publish) };
    await publish({ ...publisher(mortal.store), events }, keys.slice(0, 1)).catch(() => undefined);
    return { aggregateId, keys, calls: mortal.calls() };
  }

  it('loses nothing, and what is told again is told in order', async () => {
    const { calls } = await run();
    const lives = [];
    for (const fatal of deaths(calls)) lives.push({ fatal, ...(await run(fatal)) });
    await sweepAll(3);
    for (const { fatal, aggregateId, keys } of lives) {
      const seqs = bus.seqsOf(aggregateId);
      expect([fatal, [...new Set(seqs)], seqs]).toEqual([fatal, [1, 2], [...seqs].sort()]);
      expect([fatal, await statuses(keys)]).toEqual([fatal, ['PUBLISHED', 'PUBLISHED']]);
    }
  });
});

describe('work that is asked for', () => {
  const request = async () => {
    const input = await issued(stage);
    const [message] = (await waiting(stage, input.effectId)).filter(({ messageType }) => messageType === 'notice');
    return message!;
  };

  it('is started under the name of its effect, and started once when it is told again', async () => {
    const message = await request();
    const died = worker(stage.store, { call: 3, landed: false }); // read, claim, and no mark
    await expect(publish(publisher(died.store), [message.key])).rejects.toThrow();
    stage.clock.move(claimMs + 1);
    await tell([message.key]);
    expect([...stateMachines.started.keys()]).toEqual([expect.stringMatching(/^notice-[a-z2-7]{32}$/)]);
    const [after] = await readMessages(stage.store, [message.key]);
    expect(after).toMatchObject({ status: 'PUBLISHED', providerMessageId: [...stateMachines.started.keys()][0] });
  });

  it('is dead, with an alarm, where its name is taken by another input', async () => {
    const message = await request();
    await tell([message.key]);
    const [name, execution] = [...stateMachines.started][0]!;
    const other = await request();
    stateMachines.start = () => Promise.resolve('different');
    await tell([other.key]);
    expect(await statuses([other.key])).toEqual(['DEAD']);
    expect(stage.log).toContainEqual(expect.objectContaining({ alarm: 'outbox message dead' }));
    expect(JSON.parse(execution.input)).toMatchObject({
      tenant: 'demo',
      round: 0,
      effectId: message.payload['effectId'],
    });
    expect(name).not.toContain(message.payload['effectId'] as string);
  });

  it('that nobody knows how to do is dead at once', async () => {
    const message = await request();
    const { key } = message;
    const update = { set: { messageType: 'sing' } };
    await stage.store.table.write({ kind: 'update', key, update, when: { is: 'exists' } });
    await tell([key]);
    expect(await statuses([key])).toEqual(['DEAD']);
  });
});
