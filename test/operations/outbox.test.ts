/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseId } from '../../domain/ids.ts';
import { publishTries } from '../../store/claims.ts';
import { sweep } from '../../workflows/sweep.ts';
import { addParty, ana, done, newKey, openCase } from '../store/world.ts';
import { act, auditOf, look, startControlRoom, type ControlRoom } from './controlRoom.ts';

let room: ControlRoom;
let caseId: CaseId;
beforeAll(async () => {
  room = await startControlRoom();
});
afterAll(() => room.stop());

/** More than any two attempts are apart. */
const longestPause = 3_601_000;
const { stringify } = JSON;
const bus = () =>
  room.machines.publisher.events as unknown as {
    refuses: (event: { aggregateId: string; seq: number }) => boolean;
    seqsOf: (aggregateId: string) => number[];
  };
const told = () => bus().seqsOf(caseId);

type Seen = { id: string; seq: number; status: string; isNext: boolean; about: { id: string; caseNumber: string } };
async function queue(name: 'DEAD' | 'WAITING'): Promise<Seen[]> {
  const fields = 'edges { node { id seq status isNext type attempts error about { id caseNumber } } }';
  const { outbox } = await look(room.opa, `outbox(queue: ${name}, first: 100) { ${fields} }`);
  const ours = Buffer.from(`Case:${caseId}`).toString('base64url');
  return outbox.edges.map(({ node }: { node: Seen }) => node).filter(({ about }: Seen) => about.id === ours);
}
const retry = (messageId: string, more: object = {}) =>
  act(room.opa, 'retryOutboxMessage', { messageId, expectedStatus: 'DEAD', ...more });
const skip = (messageId: string, more: object = {}) =>
  act(room.opa, 'skipOutboxMessage', { messageId, expectedStatus: 'DEAD', ...more });

/** A case whose second event nobody takes, so that it is given up, and the third waits behind it. */
beforeEach(async () => {
  room.machines.together();
  bus().refuses = ({ aggregateId, seq }) => aggregateId === caseId && seq === 2;
  caseId = (await done(room.stage.world, ana, openCase({ leadOfficerId: ana.id }))).aggregateId as CaseId;
  await done(room.stage.world, ana, { ...addParty(caseId), expectedVersion: 1 });
  const third = { type: 'recordContravention', caseId, expectedVersion: 2 };
  await done(room.stage.world, ana, { ...third, provision: 'Act 12', date: '2026-02-01', partyIds: [] });
  for (let attempt = 0; attempt < publishTries + 1; attempt++) {
    room.machines.clock.moveBy(longestPause);
    await sweep(room.machines.publisher, 0);
  }
});

describe('a message that was given up', () => {
  it('is seen with its case and its place; what follows it waits', async () => {
    expect(await queue('DEAD')).toMatchObject([
      { seq: 2, status: 'DEAD', isNext: true, type: 'PartyAdded', attempts: publishTries, error: 'NotPublished' },
    ]);
    expect(await queue('WAITING')).toMatchObject([{ seq: 3, status: 'NEW', isNext: false }]);
    expect(told()).toEqual([1]);
  });

  it('is told again, and then what follows it, in order', async () => {
    const [dead] = await queue('DEAD');
    bus().refuses = () => false;
    const answer = await retry(dead!.id);
    expect(answer).toMatchObject({ errors: [], message: { status: 'NEW', attempts: 0, redriveCount: 1 } });
    await sweep(room.machines.publisher, 0);
    expect(told()).toEqual([1, 2, 3, 4]);
    expect(await queue('DEAD')).toEqual([]);
    expect(await queue('WAITING')).toEqual([]);
    const [last] = (await auditOf(room, caseId)).slice(-1);
    expect(last).toMatchObject({
      type: 'retryOutboxMessage',
      actor: 'opa',
      details: { seq: 2, error: 'NotPublished' },
    });
  });

  it('is told at the next sweep, without the grace of a new one', async () => {
    const [dead] = await queue('DEAD');
    bus().refuses = () => false;
    await retry(dead!.id);
    await sweep(room.machines.publisher, 30_000);
    expect(told()).toContain(2);
  });

  it('is given up again after as many attempts, and counts its redrives', async () => {
    const [dead] = await queue('DEAD');
    await retry(dead!.id);
    for (let attempt = 0; attempt < publishTries + 1; attempt++) {
      room.machines.clock.moveBy(longestPause);
      await sweep(room.machines.publisher, 0);
    }
    const { outboxMessage } = await look(room.opa, 'outboxMessage(id: $id) { status redriveCount }', { id: dead!.id });
    expect(outboxMessage).toEqual({ status: 'DEAD', redriveCount: 1 });
  });

  it('is skipped: nobody is told of it, and the next one is told', async () => {
    const [dead] = await queue('DEAD');
    const idempotencyKey = newKey().slice(0, 64);
    const answer = await skip(dead!.id, { idempotencyKey });
    expect(answer).toMatchObject({ errors: [], replayed: false, message: { status: 'SKIPPED', isNext: false } });
    await sweep(room.machines.publisher, 0);
    expect(told()).toEqual([1, 3, 4]);
    expect(await skip(dead!.id, { idempotencyKey })).toEqual({ ...answer, replayed: true });
    expect((await auditOf(room, caseId)).at(-1)).toMatchObject({ type: 'skipOutboxMessage', details: { seq: 2 } });
  });

  it('is skipped only as the next one', async () => {
    const [later] = await queue('WAITING');
    const answer = await skip(later!.id, { expectedStatus: 'NEW' });
    expect(answer.errors).toMatchObject([{ code: 'PRECONDITION_FAILED', name: 'NOT_NEXT' }]);
    expect(answer.message).toMatchObject({ status: 'NEW' });
  });

  it('is retried or skipped, not both, by two operators at once', async () => {
    const [dead] = await queue('DEAD');
    bus().refuses = () => false;
    const answers = await Promise.all([retry(dead!.id), skip(dead!.id)]);
    const applied = answers.filter(({ errors }) => errors.length === 0);
    await sweep(room.machines.publisher, 0);
    await sweep(room.machines.publisher, 0);
    expect([...new Set(told())].filter((seq) => seq > 2)).toEqual([3, 4, ...(applied.length === 2 ? [5] : [])]);
    const { outboxMessage } = await look(room.opa, 'outboxMessage(id: $id) { status }', { id: dead!.id });
    expect(['PUBLISHED', 'SKIPPED']).toContain(outboxMessage.status);
    expect(told().filter((seq) => seq === 2).length).toBe(outboxMessage.status === 'PUBLISHED' ? 1 : 0);
  });

  it('is not touched on another status, in another tenant, or with another case in its id', async () => {
    const [dead] = await queue('DEAD');
    const foreign = await room.api.as('opa', ['OPERATOR'], { tenant: 'other' });
    const forged = Buffer.from(dead!.id, 'base64url').toString().replace(`Case:${caseId}`, 'Case:another');
    const rows = [
      ['ILLEGAL_TRANSITION', room.opa, { messageId: dead!.id, expectedStatus: 'NEW' }],
      ['NOT_FOUND', foreign, { messageId: dead!.id, expectedStatus: 'DEAD' }],
      ['NOT_FOUND', room.opa, { messageId: Buffer.from(forged).toString('base64url'), expectedStatus: 'DEAD' }],
      ['NOT_FOUND', room.opa, { messageId: 'nonsense', expectedStatus: 'DEAD' }],
    ] as const;
    for (const [code, ask, input] of rows)
      for (const name of ['retryOutboxMessage', 'skipOutboxMessage']) {
        const { errors } = await act(ask, name, input);
        expect(
          errors.map((error: { code: string }) => error.code),
          `${name} ${stringify(input)}`,
        ).toEqual([code]);
      }
    expect(await queue('DEAD')).toHaveLength(1);
  });
});
