/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calendar, instantOf } from '../../store/calendar.ts';
import type { ActionInput } from '../../workflows/task.ts';
import { ana, demo, done, newKey, sue } from '../store/world.ts';
import { fakeMailer, fakeRegistry, type FakeMailer } from '../workflows/parties.ts';
import { issued, standing, submitted } from '../workflows/stage.ts';
import { act, auditOf, look, startControlRoom, type ControlRoom } from './controlRoom.ts';

let room: ControlRoom;
let mailer: FakeMailer;
let input: ActionInput;
let parkedId: string;
beforeAll(async () => {
  room = await startControlRoom();
});
afterAll(() => room.stop());

const goOn = () => room.machines.carryOut('notice', { mailer, registry: fakeRegistry() });
const now = () => standing(room.stage, 'NOTICE_MAIL', input);
const parked = async () => {
  const { effects } = await look(
    room.opa,
    'effects(status: PARKED) { edges { node { id status kind providerKey attempt requestedById about { caseNumber } } } }',
  );
  return effects.edges.map(({ node }: { node: unknown }) => node);
};

/** The mail server took the mail, its answer was lost, and it keeps no log. */
beforeEach(async () => {
  room.machines.together();
  input = await issued(room.stage);
  room.machines.together();
  mailer = fakeMailer();
  mailer.receptions = ['loses'];
  mailer.keepsLog = false;
  await goOn();
  room.machines.together();
  const found = (await parked()).find(({ providerKey }: { providerKey: string }) =>
    providerKey.endsWith(input.effectId),
  );
  parkedId = found.id;
});

const evidence = (more: object = {}) => ({ seen: 'log of the mail server, line 4711', toldBy: 'postmaster', ...more });
const resolve = (resolution: string, more: object = {}) => ({
  ...{ effectId: parkedId, expectedStatus: 'PARKED', resolution, evidence: evidence(), ...more },
});
const accepted = () => ({ evidence: evidence({ acceptedAt: instantOf(room.store.now()) }) });

describe('a mail of which nobody can tell', () => {
  it('is seen by an operator, with what the mail server knows it by and nothing of the case', async () => {
    const { case: current } = await now();
    expect(await parked()).toContainEqual({
      ...{ id: parkedId, status: 'PARKED', kind: 'NOTICE_MAIL', attempt: 1, requestedById: sue.id },
      ...{ providerKey: `demo.${input.effectId}`, about: { caseNumber: current.number } },
    });
  });

  it('is served on the day it was accepted, once an operator has found it; nothing is sent again', async () => {
    const answer = await act(room.opa, 'resolveEffect', resolve('CONFIRMED', accepted()));
    expect(answer).toMatchObject({
      ...{ errors: [], replayed: false, effect: { status: 'CONFIRMED', round: 1, resolvedById: 'opa' } },
    });
    await goOn();
    const { notice, row, case: current } = await now();
    expect([notice!.status, row.status, current.openEffects, mailer.sent]).toEqual(['SERVED', 'CONFIRMED', 0, 1]);
    expect(notice!.service!.date).toBe(calendar.dateIn(demo.zone, row.acceptedAt!));
  });

  it('is sent again exactly once, after it was certain that it had not arrived', async () => {
    const answer = await act(room.opa, 'resolveEffect', resolve('FAILED_RETRYABLE'));
    expect(answer.effect).toMatchObject({ status: 'FAILED_RETRYABLE', round: 1 });
    await goOn();
    await goOn();
    const { notice, row } = await now();
    expect([notice!.status, row.status, mailer.sent]).toEqual(['SERVED', 'CONFIRMED', 2]);
    expect(new Set(mailer.mails.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('is called off, and the notice is served by hand', async () => {
    await act(room.opa, 'resolveEffect', resolve('CANCELLED'));
    await goOn();
    expect([(await now()).row.status, mailer.sent]).toEqual(['CANCELLED', 1]);
    const by = {
      method: 'IN_PERSON',
      date: calendar.dateIn(demo.zone, instantOf(room.store.now())),
      evidence: 'receipt',
    };
    const { caseId, actionId } = input;
    const { version } = (await now()).action;
    await done(room.stage.world, ana, { type: 'serveNotice', caseId, actionId, expectedVersion: version, ...by });
    const { notice, case: current } = await now();
    expect([notice!.status, current.openEffects]).toEqual(['SERVED', 0]);
  });

  it('stands in the audit of its case: who found what, who told it, and why', async () => {
    await act(room.opa, 'resolveEffect', resolve('CONFIRMED', accepted()));
    await goOn();
    const events = await auditOf(room, input.caseId);
    const at = events.findIndex(({ type }) => type === 'resolveEffect');
    expect(events[at]).toMatchObject({
      ...{ actor: 'opa', changed: ['effect'] },
      details: { was: 'PARKED', is: 'CONFIRMED', toldBy: 'postmaster', reason: 'found by the morning round' },
    });
    expect(events[at]!.about).toHaveLength(1);
    expect(events[at + 1]).toMatchObject({ type: 'recordNoticeServed', actor: 'workflows', onBehalfOf: sue.id });
  });

  it('is resolved once: the same key answers again, another key is refused', async () => {
    const idempotencyKey = newKey().slice(0, 64);
    const first = await act(room.opa, 'resolveEffect', { idempotencyKey, ...resolve('FAILED_RETRYABLE') });
    const again = await act(room.opa, 'resolveEffect', { idempotencyKey, ...resolve('FAILED_RETRYABLE') });
    expect(again).toEqual({ ...first, replayed: true });
    const other = await act(room.opa, 'resolveEffect', resolve('CONFIRMED', accepted()));
    expect(other.errors).toMatchObject([{ code: 'ILLEGAL_TRANSITION', from: 'FAILED_RETRYABLE', allowed: ['PARKED'] }]);
    const changed = await act(room.opa, 'resolveEffect', { idempotencyKey, ...resolve('CANCELLED') });
    expect(changed.errors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    await goOn();
    expect(mailer.sent).toBe(2);
  });

  it('is resolved by one of two operators who decide at once', async () => {
    const other = await room.api.as('omar', ['OPERATOR']);
    const answers = await Promise.all([
      act(room.opa, 'resolveEffect', resolve('CONFIRMED', accepted())),
      act(other, 'resolveEffect', resolve('FAILED_RETRYABLE')),
    ]);
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    await goOn();
    expect((await now()).notice!.status).toBe('SERVED');
    expect((await auditOf(room, input.caseId)).filter(({ type }) => type === 'resolveEffect')).toHaveLength(1);
  });

  it('stays what it is where the act is refused', async () => {
    const sueToo = await room.api.as(sue.id, ['SUPERVISOR', 'OPERATOR']);
    const foreign = await room.api.as('opa', ['OPERATOR'], { tenant: 'other' });
    const rows = [
      ['SEPARATION_OF_DUTIES', sueToo, resolve('CANCELLED')],
      ['NOT_FOUND', foreign, resolve('CANCELLED')],
      ['ILLEGAL_TRANSITION', room.opa, resolve('CANCELLED', { expectedStatus: 'UNKNOWN' })],
      ['VALIDATION_FAILED', room.opa, resolve('CONFIRMED')],
      ['VALIDATION_FAILED', room.opa, resolve('CANCELLED', { evidence: evidence({ toldBy: ' ' }) })],
    ] as const;
    for (const [code, ask, asked] of rows) {
      const answer = await act(ask, 'resolveEffect', asked);
      expect(answer.errors.map((error: { code: string }) => error.code)).toEqual([code]);
    }
    expect((await now()).row).toMatchObject({ status: 'PARKED', round: 0 });
    expect((await auditOf(room, input.caseId)).map(({ type }) => type)).not.toContain('resolveEffect');
  });
});

describe('a submission of which nobody can tell', () => {
  it('is registered under the number that the operator read in the registry', async () => {
    room.machines.together();
    const asked = await submitted(room.stage);
    room.machines.together();
    const registry = fakeRegistry();
    registry.receptions = ['loses'];
    registry.findFails = true;
    const aDayLater = [30 * 3_600_000, () => Promise.resolve()] as [number, () => Promise<void>];
    const silent = { polls: false, later: [aDayLater] };
    await room.machines.carryOut('registration', { registry, mailer: fakeMailer() }, silent);
    room.machines.together();
    const state = () => standing(room.stage, 'REGISTRATION', asked);
    expect((await state()).row.status).toBe('PARKED');

    const { effects } = await look(room.opa, 'effects(status: PARKED) { edges { node { id kind providerKey } } }');
    const { node } = effects.edges.find(({ node: one }: { node: { providerKey: string } }) =>
      one.providerKey.endsWith(asked.effectId),
    );
    const resolution = { effectId: node.id, expectedStatus: 'PARKED', resolution: 'CONFIRMED' };
    const missing = await act(room.opa, 'resolveEffect', { ...resolution, evidence: evidence() });
    expect(missing.errors).toMatchObject([{ code: 'VALIDATION_FAILED', rule: 'REQUIRED' }]);
    await act(room.opa, 'resolveEffect', { ...resolution, evidence: evidence({ registryNumber: 'R-2026-77' }) });
    await room.machines.carryOut('registration', { registry, mailer: fakeMailer() }, { polls: false });
    expect((await state()).action).toMatchObject({ status: 'REGISTERED', registryNumber: 'R-2026-77' });
    expect(registry.bodies).toHaveLength(1);
  });
});
