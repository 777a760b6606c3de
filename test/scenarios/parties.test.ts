import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  approved,
  drafted,
  issue,
  on,
  onAction,
  openOffice,
  send,
  submit,
  today,
  type Enforced,
  type Office,
} from './office.ts';
import { actionIs, auditVerifies, faults, mailsAbout, noticeIs, submissionsAbout, until } from './outcome.ts';
import { deployedUrl, startTarget, type Local, type Target } from './target.ts';

let target: Target;
let local: Local;
let office: Office;
beforeAll(async () => {
  target = await startTarget();
  if (!target.local) return;
  ({ local } = target);
  office = await openOffice(target);
  const enough = Array.from({ length: 8 }, async () => drafted(office, await approved(office)));
  drafts.push(...(await Promise.all(enough)));
  const more = Array.from({ length: 8 }, async () => issue(office, await drafted(office, await approved(office))));
  const issues = await Promise.all(more);
  served.push(...(await Promise.all(issues.map((enforced) => until(office.sue, enforced, noticeIs('SERVED'))))));
}, 60_000);
afterAll(() => target?.stop());
beforeEach(async () => {
  if (!local) return;
  await faults(local, 'registry', {});
  await faults(local, 'mailbox', {});
});

/** Each test takes one; they were all brought so far together, while no party failed. */
const drafts: Enforced[] = [];
const served: Enforced[] = [];
const issued = () => issue(office, drafts.pop()!);

const byHand = (enforced: Enforced) =>
  onAction(office.ana, enforced, 'serveNotice', {
    method: 'IN_PERSON',
    date: today(),
    evidence: 'Handed over at the gate.',
  });

/** Registered and closed, with nothing open: whatever happened on the way, the case comes to the same end. */
async function comesToItsEnd(enforced: Enforced, wanted: { mails: number; submissions: object[] }) {
  const registered = await until(office.sue, enforced, actionIs('REGISTERED'));
  const closed = await on(office.ana, registered, 'closeCase', { outcome: 'ENFORCED', reason: 'Registered.' });
  const end = await until(office.sue, { ...registered, ...closed }, actionIs('CONCLUDED'));
  expect(end.now.case.counts.openEffects).toBe(0);
  const submissions = submissionsAbout(local, closed.number);
  expect(submissions).toMatchObject(wanted.submissions);
  expect(mailsAbout(local, closed.number)).toHaveLength(wanted.mails);
  const events = await auditVerifies(target, office.sue, closed);
  expect(events.filter(({ type }) => type === 'recordRegistration')).toHaveLength(1);
  return { ...end, events };
}

describe.skipIf(deployedUrl)('a registry (of the local host)', () => {
  it('that refuses is submitted to again, and accepts the second', async () => {
    const enforced = served.pop()!;
    await faults(local, 'registry', { refuse: { times: 1 } });
    const refused = await until(office.sue, await submit(office, enforced), actionIs('REGISTRATION_FAILED'));
    expect(refused.now.registrationRefusal).toBe('The provision is not subject to registration.');
    const { now } = await comesToItsEnd(await submit(office, refused), {
      mails: 1,
      submissions: [
        { submissionNumber: 1, status: 'REFUSED' },
        { submissionNumber: 2, status: 'ACCEPTED' },
      ],
    });
    expect(now).toMatchObject({ submissionNumber: 2, registrationRefusal: null });
  });

  it('that takes it in and refuses it later is told apart from one that has not answered yet', async () => {
    const enforced = served.pop()!;
    await faults(local, 'registry', { refuseLater: { times: 1 }, delay: { times: 1, ms: 500 } });
    const pending = await submit(office, enforced);
    const early = await send(office.sue, 'withdrawEnforcementAction', {
      actionId: pending.actionId,
      expectedVersion: pending.actionVersion,
      reason: 'Changed our mind.',
    });
    expect(early.errors[0]!.code).toMatch(/^(ILLEGAL_TRANSITION|EFFECT_IN_FLIGHT)$/);
    const refused = await until(office.sue, pending, actionIs('REGISTRATION_FAILED'));
    await comesToItsEnd(await submit(office, refused), { mails: 1, submissions: [{ status: 'REFUSED' }, {}] });
  });

  const onceOnly = [
    ['that takes it in and loses its answer', { loseAnswer: { times: 1 } }],
    ['that takes it in and answers 503', { failAfter: { times: 1 } }],
    ['that answers twice', { answerTwice: { times: 1 } }],
    ['that says the opposite afterwards', { contradict: { times: 1 } }],
    ['that answers late', { slow: { times: 1, ms: 300 } }],
  ] as const;
  for (const [what, fault] of onceOnly)
    it(`${what} has one application, and the case one number`, async () => {
      const enforced = served.pop()!;
      await faults(local, 'registry', fault);
      const { now } = await comesToItsEnd(await submit(office, enforced), {
        mails: 1,
        submissions: [{ submissionNumber: 1, status: 'ACCEPTED' }],
      });
      expect(now.registryNumber).toBe(
        (submissionsAbout(local, enforced.number)[0] as { registryNumber: string }).registryNumber,
      );
    });
});

describe.skipIf(deployedUrl)('a mailbox (of the local host)', () => {
  const undeliverable = [
    ['that refuses the recipient for good', { refuse5xx: { times: 1 } }, 0],
    ['that sends the mail back', { bounce: { times: 1 } }, 1],
  ] as const;
  for (const [what, fault, mails] of undeliverable)
    it(`${what} leaves the notice undeliverable, until it is served by hand`, async () => {
      await faults(local, 'mailbox', fault);
      const back = await until(office.sue, await issued(), noticeIs('UNDELIVERABLE'));
      const early = await send(office.sue, 'submitToRegistry', {
        actionId: back.actionId,
        expectedVersion: back.actionVersion,
      });
      expect(early.errors[0]).toMatchObject({ code: 'PRECONDITION_FAILED', name: 'NOTICE_NOT_SERVED' });
      const { now } = await comesToItsEnd(await submit(office, await byHand(back)), {
        mails,
        submissions: [{ status: 'ACCEPTED' }],
      });
      expect(now.notice!.service!.method).toBe('IN_PERSON');
    });

  const onceOnly = [
    ['that takes the mail in and loses its answer', { loseAnswer: { times: 1 } }],
    ['that answers late', { slow: { times: 1, ms: 300 } }],
    ['that is busy at first', { refuse4xx: { times: 1 } }],
  ] as const;
  for (const [what, fault] of onceOnly)
    it(`${what} holds exactly one mail, and the notice is served`, async () => {
      await faults(local, 'mailbox', fault);
      const enforced = await until(office.sue, await issued(), noticeIs('SERVED'));
      await comesToItsEnd(await submit(office, enforced), { mails: 1, submissions: [{ status: 'ACCEPTED' }] });
    });
});
