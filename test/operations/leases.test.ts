/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Busy } from '../../domain/answer.ts';
import type { CaseId } from '../../domain/ids.ts';
import { withLease } from '../../store/lease.ts';
import { ana, demo, done, newKey, openCase } from '../store/world.ts';
import { act, auditOf, look, startControlRoom, type ControlRoom } from './controlRoom.ts';

let room: ControlRoom;
beforeAll(async () => {
  room = await startControlRoom();
});
afterAll(() => room.stop());

const opened = async () => (await done(room.stage.world, ana, openCase())).aggregateId as CaseId;
const held = async () => {
  const { leases } = await look(room.opa, 'leases { edges { node { id owner fence state about { caseNumber } } } }');
  return leases.edges.map(({ node }: { node: unknown }) => node);
};

describe('a lease', () => {
  it('is seen while it is held, and no longer', async () => {
    const caseId = await opened();
    await withLease(room.store, demo.id, caseId, 'notice-1/0', async () => {
      expect(await held()).toMatchObject([{ owner: 'notice-1/0', fence: 1, state: 'HELD' }]);
    });
    expect(await held()).toEqual([]);
  });

  it('is taken from its holder, who stops work; the next one begins at once, under a higher fence', async () => {
    const caseId = await opened();
    const idempotencyKey = newKey().slice(0, 64);
    await withLease(room.store, demo.id, caseId, 'a worker that hangs', async (lease) => {
      const [{ id, fence }] = await held();
      const input = { leaseId: id, expectedStatus: 'HELD', fence, idempotencyKey };
      const answer = await act(room.opa, 'releaseLease', input);
      expect(answer).toMatchObject({ errors: [], lease: { state: 'FREE', fence: 1, owner: 'a worker that hangs' } });
      expect(await act(room.opa, 'releaseLease', input)).toEqual({ ...answer, replayed: true });

      room.machines.clock.moveBy(25_000);
      await expect(lease.ensure(1_000)).rejects.toBeInstanceOf(Busy);
      const next = await withLease(room.store, demo.id, caseId, 'another', ({ fence: mine }) => Promise.resolve(mine));
      expect(next).toBe(2);
    });
    const last = (await auditOf(room, caseId)).at(-1);
    expect(last).toMatchObject({
      type: 'releaseLease',
      actor: 'opa',
      details: { owner: 'a worker that hangs', fence: 1 },
    });
  });

  it('is not taken from somebody else than was meant, on another status, or in another tenant', async () => {
    const caseId = await opened();
    const foreign = await room.api.as('opa', ['OPERATOR'], { tenant: 'other' });
    await withLease(room.store, demo.id, caseId, 'first', () => Promise.resolve());
    await withLease(room.store, demo.id, caseId, 'second', async () => {
      const [{ id, fence }] = await held();
      const asked = { leaseId: id, expectedStatus: 'HELD', fence };
      const rows = [
        ['PRECONDITION_FAILED', room.opa, { ...asked, fence: fence - 1 }],
        ['ILLEGAL_TRANSITION', room.opa, { ...asked, expectedStatus: 'FREE' }],
        ['NOT_FOUND', foreign, asked],
        ['VALIDATION_FAILED', room.opa, { ...asked, reason: '' }],
      ] as const;
      for (const [code, ask, input] of rows) {
        const { errors } = await act(ask, 'releaseLease', input);
        expect(errors.map((error: { code: string }) => error.code)).toEqual([code]);
      }
      expect(await held()).toHaveLength(1);
    });
  });
});
