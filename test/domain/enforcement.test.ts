import { describe, expect, it } from 'vitest';
import { providerKeyOf } from '../../domain/effect.ts';
import type { ActionId, EffectId, NoticeId } from '../../domain/ids.ts';
import { ref, type Ref } from '../../domain/refs.ts';
import {
  a1,
  action,
  ana,
  approved,
  c1,
  cai,
  closed,
  contravention,
  dan,
  draft,
  entered,
  inEnforcement,
  k1,
  mail,
  n1,
  notice,
  now,
  p1,
  party,
  pending,
  registered,
  requested,
  served,
  submission,
  sue,
  tenant,
  tomorrow,
  yesterday,
} from './builders.ts';
import { afterRegistration, afterService, afterSubmission, rows, scenes } from './scenes.ts';
import { answerTo, ask, but } from './ask.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const theCase = ref.case(c1);
const theAction = ref.action(c1, a1);
const theNotice = ref.notice(c1, n1);
const isNow = <Item>(item: Ref<Item>, value: object | undefined) => ({ items: [[item, value]] }) as const;

describe('startEnforcement', () => {
  const scene = scenes.startEnforcement;
  const id = 'action-startEnforcement-0' as ActionId;

  it('drafts the action and takes the guard', () => {
    expect(after(scene, theCase)).toMatchObject({
      status: 'ENFORCEMENT',
      activeActionId: id,
      version: 6,
      contentVersion: 4,
    });
    expect(after(scene, ref.enforcementGuard(c1))).toEqual({ actionId: id });
    expect(after(scene, ref.action(c1, id))).toMatchObject({ status: 'DRAFT', submissionNumber: 0, version: 1 });
  });

  it('does not go through beside another action, or once a finding was changed', () => {
    const next = transitionOf(scene);
    expect(broken(next, but(scene, isNow(ref.enforcementGuard(c1), { actionId: 'a2' })).items)).toEqual([
      'enforcementGuard',
    ]);
    const changed = contravention({ finding: 'UNDETERMINED' });
    expect(broken(next, but(scene, isNow(ref.contravention(c1, k1), changed)).items)).toEqual(['contravention']);
  });

  const penalty = { minorUnits: 100, currency: 'IDR' };
  refuses(scene, [
    ['NOT_PERMITTED', 'to an investigator', { actor: cai }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'beside another action', isNow(theCase, inEnforcement())],
    ['LIMIT_REACHED', 'while the guard is taken', isNow(ref.enforcementGuard(c1), { actionId: 'a2' })],
    ['REFERENCE_INVALID(partyId)', 'against nobody of the case', { command: { partyId: 'p2' } }],
    [
      'PRECONDITION_FAILED(PARTY_NOT_SUBJECT)',
      'against a witness',
      isNow(ref.party(c1, p1), party({ role: 'WITNESS' })),
    ],
    ['VALIDATION_FAILED(REQUIRED)', 'without a contravention', { command: { contraventionIds: [] } }],
    ['VALIDATION_FAILED(DISTINCT)', 'naming one twice', { command: { contraventionIds: [k1, k1] } }],
    [
      'VALIDATION_FAILED(AT_MOST)',
      'naming more than fits a transaction',
      { command: { contraventionIds: Array.from({ length: 51 }, (_, i) => `k${i}`) } },
    ],
    ['REFERENCE_INVALID(contraventionIds)', 'for one of another case', { command: { contraventionIds: [k1, 'k2'] } }],
    [
      'PRECONDITION_FAILED(NOT_SUBSTANTIATED)',
      'for what was not substantiated',
      isNow(ref.contravention(c1, k1), contravention({ finding: 'NOT_SUBSTANTIATED' })),
    ],
    [
      'VALIDATION_FAILED(REQUIRED)',
      'as a penalty notice without a penalty',
      { command: { actionType: 'PENALTY_NOTICE' } },
    ],
    ['VALIDATION_FAILED(PENALTY)', 'with a penalty that its type does not impose', { command: { penalty } }],
    [
      'VALIDATION_FAILED(RANGE)',
      'with half a cent',
      { command: { actionType: 'PENALTY_NOTICE', penalty: { ...penalty, minorUnits: 0.5 } } },
    ],
    [
      'VALIDATION_FAILED(CURRENCY)',
      'in no currency',
      { command: { actionType: 'PENALTY_NOTICE', penalty: { ...penalty, currency: 'rp' } } },
    ],
  ]);
});

describe('issueEnforcementAction', () => {
  const scene = scenes.issueEnforcementAction;
  const id = 'notice-issueEnforcementAction-0' as NoticeId;
  const effectId = `${id}/NOTICE_MAIL/0`;
  const row = ref.effect('mailer', effectId as EffectId);

  it('asks for the notice and plans its mail, and only the action moves its version', () => {
    expect(after(scene, theCase)).toMatchObject({ status: 'ENFORCEMENT', version: 5, openEffects: 1 });
    expect(after(scene, theAction)).toMatchObject({ status: 'ISSUED', version: 2, noticeId: id, issuedAt: now });
    expect(after(scene, ref.notice(c1, id))).toMatchObject({ status: 'REQUESTED', mailEffectId: effectId });
    expect(after(scene, row)).toMatchObject({
      status: 'PLANNED',
      providerKey: providerKeyOf(tenant.id, effectId as EffectId),
      kind: 'NOTICE_MAIL',
      noticeId: id,
      round: 0,
    });
    expect(after(scene, ref.enforcementGuard(c1))).toEqual({ actionId: a1, noticeId: id });
    expect(transitionOf(scene).requests).toEqual([
      { type: 'notice', payload: { caseId: c1, actionId: a1, noticeId: id, effectId, round: 0 } },
    ]);
  });

  it('lets an appeal be made for 28 days from the date of issue in the zone of the tenant', () => {
    expect(after(scene, theAction)).toMatchObject({ appealBy: '2026-08-04' });
    expect(after(but(scene, { command: { appealBy: tomorrow, complyBy: tomorrow } }), theAction)).toMatchObject({
      appealBy: tomorrow,
      complyBy: tomorrow,
    });
  });

  it('renders a notice that is served by post, too, and sends no mail', () => {
    const post = but(scene, isNow(ref.party(c1, p1), party({ serviceChannel: 'POST', email: undefined })));
    expect(after(post, row)).toMatchObject({ status: 'CANCELLED' });
    expect(after(post, theCase)).toMatchObject({ openEffects: 1 });
    expect(transitionOf(post).requests).toHaveLength(1);
  });

  it('does not go through once the party has changed', () => {
    const moved = but(scene, isNow(ref.party(c1, p1), party({ version: 2 })));
    expect(broken(transitionOf(scene), moved.items)).toEqual(['party']);
  });

  const penal = (minorUnits: number, currency = 'IDR') =>
    isNow(theAction, draft({ type: 'PENALTY_NOTICE', penalty: { minorUnits, currency } }));
  it('imposes a penalty up to the authority of the tenant', () => {
    expect(answerTo(but(scene, penal(50_000_000)))).toBe('done');
  });

  refuses(scene, [
    ['NOT_FOUND', 'for no such action', isNow(theAction, undefined)],
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['VERSION_CONFLICT', 'on a version of the action that has passed', isNow(theAction, draft({ version: 2 }))],
    ['VALIDATION_FAILED(REQUIRED)', 'without a version', { command: { expectedVersion: undefined } }],
    ['ILLEGAL_TRANSITION', 'once it is issued', isNow(theAction, action({ version: 1 }))],
    ['ILLEGAL_TRANSITION', 'once the case has left enforcement', isNow(theCase, approved())],
    ['VALIDATION_FAILED(LOCAL_DATE)', 'with a date that does not exist', { command: { complyBy: '2026-02-30' } }],
    ['VALIDATION_FAILED(NOT_BEFORE_ISSUE)', 'with a date that has passed', { command: { appealBy: yesterday } }],
    ['REFERENCE_INVALID(partyId)', 'against who is gone', isNow(ref.party(c1, p1), undefined)],
    [
      'PRECONDITION_FAILED(NO_ADDRESS_FOR_SERVICE)',
      'without an address for mail',
      isNow(ref.party(c1, p1), party({ email: undefined })),
    ],
    [
      'PRECONDITION_FAILED(NO_ADDRESS_FOR_SERVICE)',
      'without an address for post',
      isNow(ref.party(c1, p1), party({ serviceChannel: 'POST', addressLines: [] })),
    ],
    ['PRECONDITION_FAILED(PENALTY_AUTHORITY)', 'with a penalty beyond the authority', penal(50_000_001)],
    ['PRECONDITION_FAILED(PENALTY_AUTHORITY)', 'with a penalty in another currency', penal(1, 'EUR')],
  ]);

  it('names what moved on the action since the version that was echoed', () => {
    const stale = but(scene, isNow(theAction, draft({ version: 3, touched: { type: 1, penalty: 3 } })));
    expect(ask(stale).answer).toMatchObject({ details: { expected: 1, actual: 3, changedFields: ['penalty'] } });
  });
});

describe('serveNotice', () => {
  const scene = scenes.serveNotice;
  const withMail = (status: Parameters<typeof mail>[0]) => isNow(rows.mail, mail(status));

  it('records the service, calls off the mail and settles the effect', () => {
    expect(after(scene, theNotice)).toMatchObject({
      status: 'SERVED',
      version: 3,
      service: { method: 'IN_PERSON', evidence: 'signed receipt 7' },
    });
    expect(after(scene, rows.mail)).toMatchObject({ status: 'CANCELLED', updatedAt: now });
    expect(after(scene, theCase)).toMatchObject({ version: 5, openEffects: 0 });
    expect(after(scene, theAction)).toMatchObject({ version: 2 });
  });

  it('does not go through once the mail is being sent', () => {
    expect(broken(transitionOf(scene), but(scene, withMail('SENDING')).items)).toEqual(['effect']);
  });

  it('serves a notice once', () => {
    expect(broken(transitionOf(but(scene, { actor: sue })), commit(transitionOf(scene), scene.items))).toEqual([
      'notice',
      'effect',
    ]);
  });

  for (const status of ['FAILED', 'UNDELIVERABLE'] as const)
    it(`serves what is ${status}, whose effect was settled before`, () => {
      const there = but(scene, {
        items: [
          [theCase, inEnforcement()],
          [theNotice, notice({ status, failure: 'no' })],
          [rows.mail, mail('FAILED_FINAL')],
        ],
      });
      expect(after(there, theCase)).toMatchObject({ openEffects: 0 });
      expect(after(there, theNotice)).not.toHaveProperty('failure');
      expect(after(there, rows.mail)).toMatchObject({ status: 'FAILED_FINAL' });
    });

  it('serves what came back after the action was registered', () => {
    const bounced = notice({ status: 'UNDELIVERABLE' });
    const items = [...afterRegistration, [theNotice, bounced]] as const;
    expect(answerTo({ ...scene, items })).toBe('done');
  });

  for (const status of ['FAILED_RETRYABLE', 'CANCELLED', 'FAILED_FINAL'] as const)
    it(`goes through beside a mail that is ${status}`, () => {
      const there = but(scene, withMail(status));
      const kept = status === 'FAILED_RETRYABLE' ? 'CANCELLED' : status;
      expect(after(there, rows.mail)).toMatchObject({ status: kept });
      expect(after(there, theCase)).toMatchObject({ openEffects: 0 });
    });

  refuses(scene, [
    ...(['SENDING', 'SENT', 'UNKNOWN', 'PARKED', 'CONFIRMED'] as const).map(
      (status) => ['EFFECT_IN_FLIGHT', `while its mail is ${status}`, withMail(status)] as const,
    ),
    ['NOT_PERMITTED', 'to an officer without a part in the case', { actor: dan }],
    ['VERSION_CONFLICT', 'on a version of the action that has passed', { command: { expectedVersion: 1 } }],
    ['ILLEGAL_TRANSITION', 'a second time', isNow(theNotice, served())],
    ['ILLEGAL_TRANSITION', 'before it is rendered', isNow(theNotice, requested())],
    ['ILLEGAL_TRANSITION', 'before the action is issued', isNow(theAction, draft({ version: 2 }))],
    ['ILLEGAL_TRANSITION', 'once the action is withdrawn', isNow(theAction, action({ status: 'WITHDRAWN' }))],
    ['ILLEGAL_TRANSITION', 'once the case is closed', isNow(theCase, closed())],
    ['VALIDATION_FAILED(SERVICE_METHOD)', 'by e-mail', { command: { method: 'EMAIL' } }],
    ['VALIDATION_FAILED(LOCAL_DATE)', 'on no date', { command: { date: 'today' } }],
    ['VALIDATION_FAILED(NOT_IN_FUTURE)', 'tomorrow', { command: { date: tomorrow } }],
    ['VALIDATION_FAILED(NOT_BEFORE_ISSUE)', 'before the action was issued', { command: { date: '2026-06-30' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without evidence', { command: { evidence: '' } }],
  ]);
});

describe('submitToRegistry', () => {
  const scene = scenes.submitToRegistry;

  it('plans the first submission and awaits its answer', () => {
    expect(after(scene, theAction)).toMatchObject({ status: 'REGISTRATION_PENDING', submissionNumber: 1, version: 3 });
    expect(after(scene, rows.submission)).toMatchObject({
      status: 'PLANNED',
      kind: 'REGISTRATION',
      provider: 'registry',
    });
    expect(after(scene, theCase)).toMatchObject({ status: 'ENFORCEMENT', version: 5, openEffects: 1 });
    expect(transitionOf(scene).requests).toEqual([
      { type: 'registration', payload: { caseId: c1, actionId: a1, effectId: 'a1/REGISTRATION/1', round: 0 } },
    ]);
  });

  it('submits again after a refusal, as an effect of its own, and clears the error', () => {
    const failed = pending({ status: 'REGISTRATION_FAILED', registrationRefusal: 'no', unknownSince: now });
    const again = but(scene, isNow(theAction, failed));
    expect(after(again, theAction)).toMatchObject({ submissionNumber: 2, submissionEffectId: 'a1/REGISTRATION/2' });
    expect(after(again, theAction)).not.toHaveProperty('registrationRefusal');
    expect(after(again, theAction)).not.toHaveProperty('unknownSince');
  });

  it('does not go through once the mail came back', () => {
    const bounced = but(scene, isNow(theNotice, notice({ status: 'UNDELIVERABLE' })));
    expect(broken(transitionOf(scene), bounced.items)).toEqual(['notice']);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['VERSION_CONFLICT', 'on a version of the action that has passed', { command: { expectedVersion: 1 } }],
    ['ILLEGAL_TRANSITION', 'while an answer is awaited', isNow(theAction, pending())],
    [
      'PRECONDITION_FAILED(NOT_REGISTRABLE)',
      'for a type the registry does not enter',
      isNow(theAction, action({ type: 'WARNING' })),
    ],
    ['PRECONDITION_FAILED(NOTICE_NOT_SERVED)', 'before service', isNow(theNotice, notice())],
  ]);
});

describe('withdrawEnforcementAction', () => {
  const scene = scenes.withdrawEnforcementAction;

  it('ends action, notice and mail, frees the guard and leaves the case approved', () => {
    expect(after(scene, theCase)).toMatchObject({ status: 'APPROVED', version: 6, openEffects: 0 });
    expect(after(scene, theCase)).not.toHaveProperty('activeActionId');
    expect(after(scene, theAction)).toMatchObject({ status: 'WITHDRAWN', withdrawnReason: 'settled', version: 3 });
    expect(after(scene, theNotice)).toMatchObject({ status: 'WITHDRAWN' });
    expect(after(scene, rows.mail)).toMatchObject({ status: 'CANCELLED' });
    expect(after(scene, ref.enforcementGuard(c1))).toBeUndefined();
  });

  it('frees the guard of its own action only', () => {
    const other = but(scene, isNow(ref.enforcementGuard(c1), { actionId: 'a2' }));
    expect(broken(transitionOf(scene), other.items)).toEqual(['enforcementGuard']);
  });

  it('withdraws a draft, which has no notice', () => {
    const before = but(scenes.issueEnforcementAction, {});
    const there = { ...scene, items: before.items, command: { ...scene.command, expectedVersion: 1 } };
    expect(after(there, theAction)).toMatchObject({ status: 'WITHDRAWN' });
    expect(after(there, theCase)).toMatchObject({ openEffects: 0 });
  });

  it('leaves service on record', () => {
    const there = { ...scene, items: afterService };
    expect(after(there, theNotice)).toEqual(served());
    expect(after(there, rows.mail)).toMatchObject({ status: 'CONFIRMED' });
    expect(after(there, theCase)).toMatchObject({ openEffects: 0 });
  });

  it('records the service that the ledger knows of and the notice does not yet', () => {
    const accepted = mail('CONFIRMED', { providerRequestId: 'ses-9', updatedAt: '2026-07-05T20:00:00.000Z' as never });
    const there = but(scene, isNow(rows.mail, accepted));
    expect(after(there, theNotice)).toMatchObject({
      status: 'SERVED',
      service: { method: 'EMAIL', date: yesterday, evidence: 'ses-9' },
    });
    expect(after(there, theCase)).toMatchObject({ openEffects: 0 });
  });

  it('withdraws what the registry refused, whose effects are settled', () => {
    const there = {
      ...scene,
      items: [
        ...afterSubmission,
        [theCase, inEnforcement()],
        [theAction, pending({ status: 'REGISTRATION_FAILED', registrationRefusal: 'no' })],
        [rows.submission, submission('FAILED_FINAL')],
      ] as const,
    };
    expect(after(there, theCase)).toMatchObject({ status: 'APPROVED', openEffects: 0 });
    expect(after(there, rows.submission)).toMatchObject({ status: 'FAILED_FINAL' });
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['VERSION_CONFLICT', 'on a version of the action that has passed', { command: { expectedVersion: 1 } }],
    ['EFFECT_IN_FLIGHT', 'while its mail may be on its way', isNow(rows.mail, mail('UNKNOWN'))],
    ['ILLEGAL_TRANSITION', 'while an answer is awaited', isNow(theAction, pending())],
    ['ILLEGAL_TRANSITION', 'a second time', isNow(theAction, action({ status: 'WITHDRAWN' }))],
    [
      'PRECONDITION_FAILED(REGISTERED_ACTION)',
      'once it is registered',
      {
        items: [
          [theCase, registered()],
          [theAction, entered()],
        ],
      },
    ],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
  ]);
});
