import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseId, OfficerId } from '../../../domain/ids.ts';
import { smtpMailer } from '../../../gateways/mailer.ts';
import { startMailbox } from '../../../local/mailbox/startMailbox.ts';
import { receiveBounce } from '../../../workflows/bounce.ts';
import { publish } from '../../../workflows/publish.ts';
import type { EffectInput } from '../../../workflows/task.ts';
import { startEffect } from '../../../workflows/wake.ts';
import { ref } from '../../../domain/refs.ts';
import { readItems } from '../../../store/read.ts';
import { keysOf } from '../../../store/keys.ts';
import { demo, done, registerOfficer, sue } from '../../store/world.ts';
import { itemOf } from '../../store/effects.ts';
import { startMachines, type MachineHost } from '../machineHost.ts';
import { fakeMailer, type FakeMailer } from '../parties.ts';
import { startStage, waiting, type Stage } from '../stage.ts';
import { askedFor, reassigned, rowOf } from './office.ts';

let stage: Stage;
let host: MachineHost;
let mailer: FakeMailer;
let caseId: CaseId;
let [taken, given]: EffectInput[] = [];
let officers = 0;
let lead: string;
beforeAll(async () => {
  stage = await startStage();
  host = await startMachines(stage);
});
beforeEach(async () => {
  mailer = fakeMailer();
  host.together();
  lead = `lead-${++officers}`;
  await done(stage.world, sue, registerOfficer(lead));
  caseId = await reassigned(stage, lead);
  [taken, given] = await askedFor(stage, caseId);
  host.together();
});
afterAll(async () => {
  await host.stop();
  await stage.stop();
});

/** Carries out what is asked for, and beside it these rounds of the mail to the new lead. */
async function carriedOut(rounds: number[] = []) {
  const { stateMachines } = host.publisher;
  const begin = async () => {
    for (const round of rounds) await startEffect(host.store, stateMachines, 'notification', { ...given!, round });
  };
  const executions = await host.carryOut('notification', { plainMailer: mailer }, { later: [[0, begin]] });
  expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'SUCCEEDED'));
  return executions.map(({ states }) => states);
}
/** How the mails to the old lead and to the new one ended. */
const ended = async () => {
  const rows = await Promise.all([taken!, given!].map((input) => rowOf(stage, input)));
  return rows.map(({ status }) => status);
};
const mailsTo = (address: string) => mailer.mails.filter(({ to }) => to === address);
const both = ['CONFIRMED', 'CONFIRMED'];

describe('an officer is told', () => {
  it('by one mail that names the case and what happened, and holds nothing of the case', async () => {
    const states = ['CheckNotification', 'NotificationKnown', 'SendNotification', 'Sent', 'Told'];
    expect(await carriedOut()).toEqual([states, states]);
    expect(await ended()).toEqual(both);
    const [mail] = mailsTo(`${lead}@regulator.example`);
    const [{ number } = { number: '' }] = await readItems(stage.store, demo.id, [ref.case(caseId)]);
    expect(mail).toMatchObject({
      messageId: `<demo.${given!.effectId}@regulator.example>`,
      subject: `Office: case ${number}, you lead it`,
      text: `Case ${number}: you are its lead officer from now on.\n`,
      attachments: [],
    });
    expect(mailsTo('ana@regulator.example')).toMatchObject([
      { subject: `Office: case ${number}, you no longer lead it` },
    ]);
    expect(mailer.mails).toHaveLength(2);
  });

  it('and the row is out of the way of sweeps by then, since no case records it', async () => {
    await carriedOut();
    const item = await itemOf(stage.store, await rowOf(stage, given!));
    expect([item['pendingPk'], item['recordedAt']]).toEqual([undefined, expect.any(String)]);
  });

  for (const lost of ['loses', 'was not reached', 'fails'] as const)
    it(`by one mail, when the mail server ${lost}: it is asked before anything is sent again`, async () => {
      mailer.receptions = [lost];
      expect((await carriedOut()).flat()).toContain('SettleNotification');
      expect([await ended(), mailer.mails.length, mailer.sent]).toEqual([both, 2, lost === 'loses' ? 2 : 3]);
    });

  it('by one mail, when the mail server is busy for a while', async () => {
    mailer.receptions = ['is busy', 'is busy', 'is busy'];
    await carriedOut();
    expect([await ended(), mailer.mails.length, mailer.sent]).toEqual([both, 2, 5]);
  });

  it('by one mail, when the work is asked for twice, by two who tell it at once', async () => {
    const keys = (await waiting(stage, caseId)).map(({ key }) => key);
    const tell = () => Promise.all([publish(host.publisher, keys), publish(host.publisher, keys)]);
    await host.carryOut('notification', { plainMailer: mailer }, { later: [[0, tell]] });
    await publish(host.publisher, keys);
    await carriedOut();
    expect([await ended(), mailer.sent]).toEqual([both, 2]);
  });

  it('by one mail, when two executions are at it at once, and one more comes after them', async () => {
    await carriedOut([1, 2]);
    await carriedOut([3]);
    expect([await ended(), mailsTo(`${lead}@regulator.example`).length]).toEqual([both, 1]);
  });

  for (const fault of ['loseAnswer', 'slow', 'refuse4xx'] as const)
    it(`by one mail, by a real mailbox with the fault ${fault}`, async () => {
      const mailbox = await startMailbox({});
      mailbox.setFaults({ [fault]: { times: 1, ms: 50 } });
      const real = smtpMailer({ smtpUrl: mailbox.smtpUrl, logUrl: mailbox.httpUrl, settleMs: 2_000 });
      await host.carryOut('notification', { plainMailer: real });
      expect(await ended()).toEqual(both);
      expect(mailbox.messages()).toHaveLength(2);
      await mailbox.close();
    });
});

describe('a mail of which the mail server cannot tell', () => {
  beforeEach(() => void (mailer.keepsLog = false));

  it('is sent once more, as the same bytes under the same Message-ID', async () => {
    mailer.receptions = ['loses'];
    await carriedOut();
    expect([await ended(), mailer.sent]).toEqual([both, 3]);
    const sent = mailer.mails.map((mail) => JSON.stringify(mail));
    expect([sent.length, new Set(sent).size]).toEqual([3, 2]);
  });

  for (const again of ['loses', 'was not reached', 'is busy', 'never takes it'] as const)
    it(`is left to a person when it cannot tell of that one either: the second time it ${again}`, async () => {
      mailer.receptions = ['fails', 'fails', again, again];
      await carriedOut();
      expect([await ended(), mailer.sent]).toEqual([['PARKED', 'PARKED'], 4]);
      expect(stage.log).toContainEqual(expect.objectContaining({ alarm: 'effect parked', effectId: given!.effectId }));
      await carriedOut([3, 4]);
      expect(mailer.sent).toBe(4);
    });
});

describe('an officer is not told', () => {
  it('when the address is refused for good; an operator is, and nobody looks again', async () => {
    mailer.receptions = ['never takes it', 'never takes it'];
    expect((await carriedOut()).map((states) => states.at(-1))).toEqual(['NotReached', 'NotReached']);
    expect([await ended(), mailer.sent]).toEqual([['FAILED_FINAL', 'FAILED_FINAL'], 2]);
    expect(stage.log).toContainEqual(
      expect.objectContaining({ alarm: 'officer not reached', effectId: given!.effectId }),
    );
    expect((await itemOf(stage.store, await rowOf(stage, given!)))['pendingPk']).toBeUndefined();
  });

  it('once they have left', async () => {
    const key = keysOf(demo.id).of(ref.officer(lead as OfficerId));
    await stage.store.table.write({
      kind: 'update',
      key,
      update: { set: { state: 'INACTIVE' } },
      when: { is: 'exists' },
    });
    await carriedOut();
    expect([await ended(), mailsTo(`${lead}@regulator.example`)]).toEqual([['CONFIRMED', 'CANCELLED'], []]);
  });

  it('at an address from which mail comes back, for thirty days; at another one they are', async () => {
    await carriedOut();
    const bounced = () => receiveBounce(host.store, `<demo.${given!.effectId}@regulator.example>`);
    expect([await bounced(), await bounced()]).toEqual([true, true]);
    const alarms = stage.log.filter(
      ({ alarm, effectId }) => alarm === 'officer not reached' && effectId === given!.effectId,
    );
    expect(alarms).toHaveLength(1);
    expect(await rowOf(stage, given!)).toMatchObject({ status: 'CONFIRMED', bouncedAt: expect.any(String) as string });

    const next = async () => {
      host.together();
      caseId = await reassigned(stage, lead);
      [taken, given] = await askedFor(stage, caseId);
      host.together();
      await carriedOut();
      return (await ended())[1];
    };
    expect(await next()).toBe('CANCELLED');
    host.together();
    await done(stage.world, sue, {
      type: 'changeOfficerEmail',
      officerId: lead,
      expectedVersion: 1,
      email: `${lead}@new.example`,
    });
    host.together();
    expect(await next()).toBe('CONFIRMED');
    host.together();
    await done(stage.world, sue, {
      type: 'changeOfficerEmail',
      officerId: lead,
      expectedVersion: 2,
      email: `${lead.toUpperCase()}@regulator.example`,
    });
    host.together();
    expect(await next()).toBe('CANCELLED');
    host.clock.moveBy(30 * 24 * 3_600_000);
    expect(await next()).toBe('CONFIRMED');
  });
});
