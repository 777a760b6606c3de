import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseId } from '../../domain/ids.ts';
import { messageStatuses, type MessageStatus } from '../../domain/message.ts';
import { instantOf } from '../../store/calendar.ts';
import {
  claim,
  markFailed,
  markPublished,
  messageIn,
  pendingKeys,
  readMessages,
  type Message,
} from '../../store/claims.ts';
import { shardOf } from '../../store/identity.ts';
import { pendingShards } from '../../store/indexes.ts';
import { keysOf } from '../../store/keys.ts';
import { wakeMessage } from '../../store/outbox.ts';
import type { Item, Write } from '../../store/table-port.ts';
import { planned } from './effects.ts';
import { noon, onMovedClock } from './time.ts';
import { addParty, ana, demo, done, openCase, registerOfficer, startWorld, sue, type World } from './world.ts';

let world: World;
let stage: ReturnType<typeof onMovedClock>;
beforeAll(async () => {
  const real = await startWorld();
  stage = onMovedClock(real.store);
  world = { ...real, store: stage.store };
  await done(world, sue, registerOfficer('ana'));
});
afterAll(() => world.stop());

const pendingOf = async (kind: 'OUTBOX' | 'DEAD', aggregateId: string): Promise<Message[]> => {
  const shard = shardOf(aggregateId, pendingShards);
  const keys = await pendingKeys(stage.store, kind, shard, instantOf(stage.clock.now() + 1));
  return (await readMessages(stage.store, keys)).filter((message) => message.aggregateId === aggregateId);
};
async function twoEvents() {
  const { aggregateId } = await done(world, ana, openCase({ leadOfficerId: 'ana' }));
  await done(world, ana, addParty(aggregateId, { expectedVersion: 1, name: 'PT Rahasia' }));
  return pendingOf('OUTBOX', aggregateId);
}
const after = async ({ key }: Message) => (await readMessages(stage.store, [key]))[0]!;

describe('the message of an event', () => {
  it('is written with it, knows its place in the order of its case, and can be found until it is told', async () => {
    const messages = await twoEvents();
    expect(messages.map(({ seq, after, n, status }) => ({ seq, after, n, status }))).toEqual([
      { seq: 1, after: 0, n: 0, status: 'NEW' },
      { seq: 2, after: 1, n: 0, status: 'NEW' },
    ]);
    expect(messages.map(({ messageType }) => messageType)).toEqual(['CaseOpened', 'PartyAdded']);
    expect(new Set(messages.map(({ eventId }) => eventId)).size).toBe(2);
  });

  it('holds ids, and no value of a person', async () => {
    expect(JSON.stringify(await twoEvents())).not.toMatch(/Rahasia|contoh\.example|Jalan/);
  });

  it('belongs to its tenant, which its key says', async () => {
    const [message] = await twoEvents();
    expect([message!.tenant, message!.key.pk]).toEqual([
      demo.id,
      expect.stringMatching(/^T#demo#OUTBOX#2026-03-02#\d$/),
    ]);
  });

  it('is found in every state that is not the end, and in no other', async () => {
    const found: Partial<Record<MessageStatus, string>> = {};
    const [told, fails, claimed, fresh] = [
      await twoEvents(),
      await twoEvents(),
      await twoEvents(),
      await twoEvents(),
    ].map((two) => two[0]!);
    await markPublished(stage.store, (await claim(stage.store, told!))!, 'bus-1');
    await markFailed(stage.store, (await claim(stage.store, fails!))!, 'poison', true);
    await claim(stage.store, claimed!);
    for (const message of [told!, fails!, claimed!, fresh!]) {
      const lists = await Promise.all(
        (['OUTBOX', 'DEAD'] as const).map((kind) => pendingOf(kind, message.aggregateId)),
      );
      const inList = (['OUTBOX', 'DEAD'] as const).filter((_, i) =>
        lists[i]!.some(({ eventId }) => eventId === message.eventId),
      );
      found[(await after(message)).status] = inList.join();
    }
    expect(found).toEqual({ NEW: 'OUTBOX', PUBLISHING: 'OUTBOX', DEAD: 'DEAD', PUBLISHED: '' });
    expect(messageStatuses.filter((status) => !(status in found))).toEqual(['SKIPPED']); // an end, too
  });

  it('waits longer after every failure, at a time drawn at random, and says why', async () => {
    const [message] = await twoEvents();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      stage.clock.move(400_000);
      const failed = (await claim(stage.store, await after(message!)))!;
      await markFailed(stage.store, failed, 'x'.repeat(600), false);
      const { notBefore, attempts, status, error } = await after(message!);
      expect([attempts, status, error!.length]).toEqual([attempt, 'NEW', 500]);
      waits.push(Date.parse(notBefore!) - stage.clock.now());
    }
    expect(waits).toEqual([2_000, 8_000, 32_000]); // half of the ceiling, since half is what this clock draws
  });

  it('is failed by nobody who does not hold its claim any more', async () => {
    const [message] = await twoEvents();
    const first = (await claim(stage.store, message!))!;
    stage.clock.move(60_000);
    await claim(stage.store, await after(message!));
    await markFailed(stage.store, first, 'late', true);
    expect(await after(message!)).toMatchObject({ status: 'PUBLISHING', claim: 2, attempts: 0 });
  });
});

describe('the wish to be woken', () => {
  const itemOf = (write: Write): Item => ({ ...write.key, ...(write as Extract<Write, { kind: 'put' }>).item });

  it('has one key for one round of one effect, so that it is wished once', () => {
    const row = planned('REGISTRATION');
    const at = instantOf(noon);
    const [a, b, c] = [1, 1, 2].map((round) => wakeMessage(demo.id, row, round, at));
    expect(a).toEqual(b);
    expect([a!.when, a!.key]).not.toEqual([c!.when, c!.key]);
  });

  it('says what its machine is started with, and is not in the order of any case', () => {
    const row = planned('NOTICE_MAIL', { caseId: 'case' as CaseId });
    const message = messageIn(itemOf(wakeMessage(demo.id, row, 3, instantOf(noon))));
    expect(message).toMatchObject({
      messageType: 'wake',
      payload: { effectId: row.effectId, round: 3, provider: 'mailer' },
    });
    expect(message.after).toBeUndefined();
    expect(message.key).not.toEqual(keysOf(demo.id).cursor('case'));
  });
});
