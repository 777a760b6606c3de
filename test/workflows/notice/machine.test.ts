import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Busy, OutcomeUnknown } from '../../../domain/answer.ts';
import { smtpMailer } from '../../../gateways/mailer.ts';
import { startMailbox } from '../../../local/mailbox/startMailbox.ts';
import { calendar, instantOf } from '../../../store/calendar.ts';
import { receiveBounce } from '../../../workflows/bounce.ts';
import type { ActionInput } from '../../../workflows/task.ts';
import { tasks } from '../../../workflows/tasks.ts';
import { ana, demo, done, sue } from '../../store/world.ts';
import { startMachines, type MachineHost } from '../machineHost.ts';
import { fakeMailer, fakeRegistry, type FakeMailer } from '../parties.ts';
import { issued, standing, startStage, type Stage } from '../stage.ts';

let stage: Stage;
let host: MachineHost;
let mailer: FakeMailer;
let input: ActionInput;
beforeAll(async () => {
  stage = await startStage();
  host = await startMachines(stage);
});
beforeEach(() => void (mailer = fakeMailer()));
afterAll(async () => {
  await host.stop();
  await stage.stop();
});

async function issue(party: Record<string, unknown> = {}) {
  host.together();
  input = await issued(stage, party);
  host.together();
}
const carriedOut = async () => {
  const executions = await host.carryOut('notice', { mailer, registry: fakeRegistry() });
  expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'SUCCEEDED'));
  return executions[0]!.states;
};
const now = () => standing(stage, 'NOTICE_MAIL', input);
const ended = async () => {
  const { case: current, notice, row } = await now();
  return { notice: notice!.status, row: row.status, openEffects: current.openEffects, mails: mailer.mails.length };
};
const rendered = ['RenderNotice', 'Rendered', 'CheckDelivery', 'DeliveryKnown'];
const served = { notice: 'SERVED', row: 'CONFIRMED', openEffects: 0, mails: 1 };

describe('a notice is served', () => {
  it('by one mail with the document that was rendered', async () => {
    await issue();
    expect(await carriedOut()).toEqual([
      ...rendered,
      'SendEmail',
      'Delivered',
      'RecordNoticeServed',
      'ServiceRecorded',
      'Served',
    ]);
    expect(await ended()).toEqual(served);
    const [{ attachments, to, messageId }] = mailer.mails as [(typeof mailer.mails)[0]];
    expect([to, attachments.length, messageId]).toEqual([
      'office@contoh.example',
      1,
      `<demo.${input.effectId}@regulator.example>`,
    ]);
    expect(Buffer.from(attachments[0]!.content).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await now()).notice!.service).toMatchObject({ method: 'EMAIL', evidence: 'queue-1' });
  });

  for (const lost of ['loses', 'was not reached', 'fails'] as const)
    it(`by one mail, when the mail server ${lost}: it is asked before anything is sent again`, async () => {
      await issue();
      mailer.receptions = [lost];
      expect(await carriedOut()).toContain('SettleDelivery');
      expect(await ended()).toEqual(served);
      expect(mailer.sent).toBe(lost === 'loses' ? 1 : 2);
    });

  it('by one mail, when the mail server is busy for a while', async () => {
    await issue();
    mailer.receptions = ['is busy', 'is busy', 'is busy'];
    await carriedOut();
    expect([await ended(), mailer.sent]).toEqual([served, 4]);
  });

  it('once the documents can be read again: what fails before the call was certainly not sent', async () => {
    await issue();
    const { documents } = host.deps;
    let failures = 2;
    host.deps.documents = {
      ...documents,
      read: (sha256) => (failures-- > 0 ? Promise.reject(new Error('no answer')) : documents.read(sha256)),
    };
    const states = await carriedOut();
    host.deps.documents = documents;
    expect(states).not.toContain('SettleDelivery');
    expect([await ended(), mailer.sent]).toEqual([served, 1]);
  });

  it('by one mail, with a real mailbox that loses its answer', async () => {
    await issue();
    const mailbox = await startMailbox({});
    mailbox.setFaults({ loseAnswer: { times: 1 } });
    const real = smtpMailer({ smtpUrl: mailbox.smtpUrl, logUrl: mailbox.httpUrl, settleMs: 2_000 });
    await host.carryOut('notice', { mailer: real, registry: fakeRegistry() });
    expect(await ended()).toEqual({ ...served, mails: 0 });
    expect(mailbox.messages()).toHaveLength(1);
    await mailbox.close();
  });
});

describe('a notice is not served by mail', () => {
  it('when the mail server refuses it for good', async () => {
    await issue();
    mailer.receptions = ['never takes it'];
    expect((await carriedOut()).slice(-3)).toEqual(['RecordNoticeUndeliverable', 'FailureRecorded', 'Undeliverable']);
    expect(await ended()).toEqual({ notice: 'UNDELIVERABLE', row: 'FAILED_FINAL', openEffects: 0, mails: 0 });
  });

  it('a second time, and a person decides, when nobody can tell whether it was sent', async () => {
    await issue();
    mailer.receptions = ['loses'];
    mailer.keepsLog = false;
    expect((await carriedOut()).slice(-2)).toEqual(['Settled', 'LeftToOperator']);
    expect(await ended()).toEqual({ notice: 'RENDERED', row: 'PARKED', openEffects: 1, mails: 1 });
    expect(stage.log).toContainEqual(expect.objectContaining({ alarm: 'effect parked', effectId: input.effectId }));
  });

  it('when the party is served by post: it is rendered, and nothing is sent', async () => {
    await issue({ serviceChannel: 'POST' });
    expect(await carriedOut()).toEqual([...rendered, 'NothingToSend']);
    expect(await ended()).toEqual({ notice: 'RENDERED', row: 'CANCELLED', openEffects: 1, mails: 0 });
  });

  it('when it was withdrawn before it was sent', async () => {
    await issue();
    const { caseId, actionId } = input;
    await done(stage.world, sue, {
      type: 'withdrawEnforcementAction',
      caseId,
      actionId,
      expectedVersion: 2,
      reason: 'settled',
    });
    expect(await carriedOut()).toEqual([...rendered, 'NothingToSend']);
    expect(await ended()).toEqual({ notice: 'WITHDRAWN', row: 'CANCELLED', openEffects: 0, mails: 0 });
  });

  it('when what it says cannot be shown', async () => {
    await issue({ name: 'PT \u4e2d\u6587' });
    expect(await carriedOut()).toEqual(['RenderNotice', 'Rendered', 'NotRendered']);
    expect(await ended()).toEqual({ notice: 'FAILED', row: 'CANCELLED', openEffects: 0, mails: 0 });
  });
});

describe('a mail that comes back', () => {
  const bounces = () => receiveBounce(host.store, `<demo.${input.effectId}@regulator.example>`);

  it('makes the notice undeliverable, once, and the ledger keeps that it was accepted', async () => {
    await issue();
    await carriedOut();
    expect(await bounces()).toBe(true);
    const first = await now();
    expect(await bounces()).toBe(true);
    expect(await now()).toMatchObject({ case: { auditSeq: first.case.auditSeq }, row: { status: 'CONFIRMED' } });
    expect(await ended()).toEqual({ ...served, notice: 'UNDELIVERABLE' });
  });

  it('counts also when it comes before the service is recorded, and is told again while the sending is unknown', async () => {
    await issue();
    Object.assign(host.deps, { mailer });
    mailer.receptions = ['loses'];
    const task = { input, execution: 'execution', attempt: 0 };
    await tasks.renderNotice(task, host.deps);
    await expect(tasks.sendEmail(task, host.deps)).rejects.toThrow(OutcomeUnknown);
    await expect(bounces()).rejects.toThrow(Busy);
    await tasks.settleDelivery(task, host.deps);
    await bounces();
    await tasks.recordNoticeServed(task, host.deps);
    expect(await ended()).toEqual({ ...served, notice: 'UNDELIVERABLE' });
    await carriedOut();
    expect(await ended()).toEqual({ ...served, notice: 'UNDELIVERABLE' });
  });

  it('leaves a notice alone that was served by other means', async () => {
    await issue();
    mailer.receptions = ['never takes it'];
    await carriedOut();
    host.together();
    const { caseId, actionId } = input;
    const inPerson = {
      method: 'IN_PERSON',
      date: calendar.dateIn(demo.zone, instantOf(host.clock.now())),
      evidence: 'receipt 7',
    };
    await done(stage.world, ana, { type: 'serveNotice', caseId, actionId, expectedVersion: 2, ...inPerson });
    await bounces();
    expect((await now()).notice).toMatchObject({ status: 'SERVED', service: { method: 'IN_PERSON' } });
  });

  it('that is none of ours is nobody`s concern', async () => {
    expect(await receiveBounce(host.store, '<somebody@elsewhere.example>')).toBe(false);
    expect(await receiveBounce(host.store, `<demo.${'a'.repeat(32)}@regulator.example>`)).toBe(false);
  });
});
