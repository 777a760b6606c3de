import { describe, expect, it } from 'vitest';
import type { EffectId } from '../../domain/ids.ts';
import { ref, type Ref } from '../../domain/refs.ts';
import {
  a1,
  action,
  approved,
  c1,
  closed,
  entered,
  inEnforcement,
  mail,
  n1,
  notice,
  now,
  pending,
  registered,
  requested,
  served,
  submission,
  sue,
  yesterday,
} from './builders.ts';
import { afterRegistration, afterService, rows, scenes } from './scenes.ts';
import { answerTo, but, type Scene } from './ask.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const theCase = ref.case(c1);
const theAction = ref.action(c1, a1);
const theNotice = ref.notice(c1, n1);
const isNow = <Item>(item: Ref<Item>, value: object | undefined) => ({ items: [[item, value]] }) as const;
const notOfTheAction = isNow(theAction, action({ noticeId: 'n2' as never }));

/** A workflow that lost the answer asks again: whatever has happened since, that is no change. */
const repeats = (scene: Scene) =>
  it('answers NO_CHANGE when it is repeated', () => {
    const items = commit(transitionOf(scene), scene.items);
    const repeat = (more: Scene['items']) => ({ ...scene, items: [...items, ...more] });
    for (const more of [[], [[theCase, closed()]]] as const) refusedAsDone(repeat(more));
  });
const refusedAsDone = (scene: Scene) => expect(answerTo(scene)).toBe('NO_CHANGE');

describe('recordNoticeRendered', () => {
  const scene = scenes.recordNoticeRendered;

  it('names the document by its content and leaves the effect open', () => {
    expect(after(scene, theNotice)).toMatchObject({
      status: 'RENDERED',
      sha256: 'b'.repeat(64),
      size: 2_000,
      version: 2,
    });
    expect(after(scene, theCase)).toMatchObject({ version: 5, openEffects: 1 });
  });

  repeats(scene);
  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_FOUND', 'for a notice that the action does not have', notOfTheAction],
    ['NO_CHANGE', 'when it was served meanwhile', isNow(theNotice, served({ sha256: 'b'.repeat(64) }))],
    ['PRECONDITION_FAILED(RENDERED_ALREADY)', 'to another document', isNow(theNotice, notice())],
    ['ILLEGAL_TRANSITION', 'once it has failed', isNow(theNotice, { ...requested(), status: 'FAILED' })],
    ['ILLEGAL_TRANSITION', 'once the action was withdrawn', isNow(theCase, approved())],
    ['VALIDATION_FAILED(SHA256)', 'without a hash', { command: { sha256: 'B' } }],
    ['VALIDATION_FAILED(RANGE)', 'without a size', { command: { size: 0 } }],
  ]);
});

describe('recordNoticeFailed', () => {
  const scene = scenes.recordNoticeFailed;

  it('settles the effect and calls off a mail that has nothing to carry', () => {
    expect(after(scene, theNotice)).toMatchObject({ status: 'FAILED', failure: 'a character has no glyph' });
    expect(after(scene, theCase)).toMatchObject({ openEffects: 0, version: 5 });
    expect(after(scene, rows.mail)).toMatchObject({ status: 'CANCELLED' });
  });

  repeats(scene);
  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_FOUND', 'for a notice that the action does not have', notOfTheAction],
    ['ILLEGAL_TRANSITION', 'once it is rendered', isNow(theNotice, notice())],
    ['ILLEGAL_TRANSITION', 'once the action was withdrawn', isNow(theCase, approved())],
    ['EFFECT_IN_FLIGHT', 'while a mail may be on its way', isNow(rows.mail, mail('UNKNOWN'))],
  ]);
});

describe('recordNoticeServed', () => {
  const scene = scenes.recordNoticeServed;

  it('records service on the date of the word of the mailer, and settles the effect', () => {
    const accepted = mail('CONFIRMED', { providerRequestId: 'ses-1', updatedAt: '2026-07-05T18:00:00.000Z' as never });
    const there = but(scene, isNow(rows.mail, accepted));
    expect(after(there, theNotice)).toMatchObject({
      status: 'SERVED',
      service: { method: 'EMAIL', date: yesterday, evidence: 'ses-1' },
    });
    expect(after(there, theCase)).toMatchObject({ openEffects: 0, version: 5 });
  });

  it('does not go through once the action has another notice', () => {
    expect(broken(transitionOf(scene), but(scene, notOfTheAction).items)).toEqual(['action']);
  });

  repeats(scene);
  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_FOUND', 'for a notice that the action does not have', notOfTheAction],
    [
      'NO_CHANGE',
      'when it was served by other means',
      isNow(theNotice, served({ service: { method: 'POST', date: yesterday, evidence: 'r' } })),
    ],
    ['NO_CHANGE', 'when it came back since', isNow(theNotice, notice({ status: 'UNDELIVERABLE' }))],
    ['ILLEGAL_TRANSITION', 'before it is rendered', isNow(theNotice, requested())],
    ['PRECONDITION_FAILED(EFFECT_NOT_SETTLED)', 'before the ledger says so', isNow(rows.mail, mail('UNKNOWN'))],
    ['PRECONDITION_FAILED(EFFECT_NOT_SETTLED)', 'without a row', isNow(rows.mail, undefined)],
  ]);
});

describe('recordNoticeUndeliverable', () => {
  const scene = scenes.recordNoticeUndeliverable;
  const bounced: Scene = { ...scene, items: afterService };

  it('settles the effect of a mail that was refused for good', () => {
    expect(after(scene, theNotice)).toMatchObject({
      status: 'UNDELIVERABLE',
      failure: '550 no such mailbox',
      version: 3,
    });
    expect(after(scene, theCase)).toMatchObject({ openEffects: 0, version: 5 });
  });

  it('takes the service back when the mail returns, and counts the effect once', () => {
    expect(after(bounced, theNotice)).toMatchObject({ status: 'UNDELIVERABLE' });
    expect(after(bounced, theNotice)).not.toHaveProperty('service');
    expect(after(bounced, theCase)).toMatchObject({ openEffects: 0 });
  });

  it('settles the effect also where the mail came back before its acceptance was recorded, and stays so', () => {
    const early = but(scene, isNow(rows.mail, mail('CONFIRMED')));
    expect(after(early, theCase)).toMatchObject({ openEffects: 0 });
    const items = commit(transitionOf(early), early.items);
    expect(answerTo({ ...scenes.recordNoticeServed, items })).toBe('NO_CHANGE');
  });

  it('is recorded also after the registration', () => {
    expect(after({ ...bounced, items: afterRegistration }, theNotice)).toMatchObject({ status: 'UNDELIVERABLE' });
  });

  it('is recorded also after the case was closed, which gets no task by it', () => {
    const ended = but({ ...bounced, items: afterRegistration }, { items: [[theCase, closed()]] });
    expect(after(ended, theNotice)).toMatchObject({ status: 'UNDELIVERABLE' });
    expect(after(ended, theCase)).toMatchObject({ status: 'CLOSED', openTasks: 0 });
  });

  it('keeps what a mailer wrote with the party it is about, printable and bounded', () => {
    const { event } = transitionOf(but(scene, { command: { failure: `550 \u0007${'x'.repeat(3_000)}` } }));
    expect(event.about).toEqual(['p1']);
    expect(event.details['failure']).toBe(`550  ${'x'.repeat(1_995)}`);
  });

  repeats(scene);
  repeats(bounced);
  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_FOUND', 'for a notice that the action does not have', notOfTheAction],
    [
      'NO_CHANGE',
      'when it was served by other means',
      isNow(theNotice, served({ service: { method: 'POST', date: yesterday, evidence: 'r' } })),
    ],
    ['ILLEGAL_TRANSITION', 'before it is rendered', isNow(theNotice, requested())],
    [
      'PRECONDITION_FAILED(EFFECT_NOT_SETTLED)',
      'while the mail may be tried again',
      isNow(rows.mail, mail('FAILED_RETRYABLE')),
    ],
  ]);
});

describe('recordRegistration', () => {
  const scene = scenes.recordRegistration;
  const number = ref.unique('REGISTRY_NUMBER', '', 'R-1');

  it('registers action and case, claims the number and settles the effect', () => {
    expect(after(scene, theCase)).toMatchObject({
      status: 'REGISTERED',
      activeActionId: a1,
      version: 6,
      openEffects: 0,
    });
    expect(after(scene, theAction)).toMatchObject({ status: 'REGISTERED', registryNumber: 'R-1', version: 3 });
    expect(after(scene, number)).toMatchObject({ status: 'CLAIMED', ownerType: 'EnforcementAction', ownerId: a1 });
  });

  it('clears what was unknown', () => {
    const there = but(scene, isNow(theAction, pending({ unknownSince: now })));
    expect(after(there, theAction)).not.toHaveProperty('unknownSince');
  });

  it('gives a number to one of two', () => {
    expect(broken(transitionOf(scene), but(scene, isNow(number, { ownerId: 'a9' })).items)).toEqual(['unique']);
  });

  repeats(scene);
  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_FOUND', 'for no such action', isNow(theAction, undefined)],
    ['UNIQUE_VIOLATION', 'when another action has the number', isNow(number, { ownerId: 'a9' })],
    [
      'PRECONDITION_FAILED(SUBMISSION_NOT_CURRENT)',
      'for an earlier submission',
      isNow(theAction, pending({ submissionNumber: 2 })),
    ],
    ['ILLEGAL_TRANSITION', 'once it was refused', isNow(theAction, pending({ status: 'REGISTRATION_FAILED' }))],
    [
      'ILLEGAL_TRANSITION',
      'under a second number',
      {
        items: [
          [theCase, registered()],
          [theAction, entered({ registryNumber: 'R-2' })],
        ],
      },
    ],
    [
      'PRECONDITION_FAILED(EFFECT_NOT_SETTLED)',
      'before the ledger says so',
      isNow(rows.submission, submission('SENT')),
    ],
    ['VALIDATION_FAILED(REQUIRED)', 'without a number', { command: { registryNumber: ' ' } }],
  ]);
});

describe('recordRegistrationRefusal', () => {
  const scene = scenes.recordRegistrationRefusal;

  it('keeps why, settles the effect and leaves the case in enforcement', () => {
    expect(after(scene, theAction)).toMatchObject({
      status: 'REGISTRATION_FAILED',
      registrationRefusal: 'the licence number is unknown',
      version: 3,
    });
    expect(after(scene, theCase)).toMatchObject({ status: 'ENFORCEMENT', version: 5, openEffects: 0 });
  });

  it('records what an operator cancelled', () => {
    const cancelled = but(scene, {
      command: { cause: 'CANCELLED', reason: '' },
      ...isNow(rows.submission, submission('CANCELLED')),
    });
    expect(after(cancelled, theAction)).toMatchObject({
      status: 'REGISTRATION_FAILED',
      registrationRefusal: 'CANCELLED',
    });
  });

  repeats(scene);
  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_FOUND', 'for no such action', isNow(theAction, undefined)],
    ['NO_CHANGE', 'for a submission that was followed by another', isNow(theAction, pending({ submissionNumber: 2 }))],
    ['PRECONDITION_FAILED(SUBMISSION_NOT_CURRENT)', 'for a submission to come', { command: { submissionNumber: 2 } }],
    [
      'ILLEGAL_TRANSITION',
      'once it is registered',
      {
        items: [
          [theCase, registered()],
          [theAction, entered()],
        ],
      },
    ],
    [
      'PRECONDITION_FAILED(EFFECT_NOT_SETTLED)',
      'before the ledger says so',
      isNow(rows.submission, submission('UNKNOWN')),
    ],
    [
      'PRECONDITION_FAILED(EFFECT_NOT_SETTLED)',
      'as cancelled when it was refused',
      { command: { cause: 'CANCELLED' } },
    ],
  ]);
});

describe('recordRegistrationUnknown', () => {
  const scene = scenes.recordRegistrationUnknown;

  it('says so once, and the action stays pending with its effect open', () => {
    expect(after(scene, theAction)).toMatchObject({ status: 'REGISTRATION_PENDING', unknownSince: now, version: 3 });
    expect(after(scene, theCase)).toMatchObject({ openEffects: 1, version: 5 });
    expect(transitionOf(scene).announces).toBe('RegistrationUnknown');
  });

  repeats(scene);
  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_FOUND', 'for no such action', isNow(theAction, undefined)],
    [
      'NO_CHANGE',
      'once the answer has come',
      {
        items: [
          [theCase, registered()],
          [theAction, entered()],
        ],
      },
    ],
    ['NO_CHANGE', 'for a submission that was followed by another', isNow(theAction, pending({ submissionNumber: 2 }))],
    ['PRECONDITION_FAILED(SUBMISSION_NOT_CURRENT)', 'for a submission to come', { command: { submissionNumber: 2 } }],
    [
      'ILLEGAL_TRANSITION',
      'once the action was withdrawn and the case left enforcement',
      { items: [[theCase, approved()]] },
    ],
  ]);

  it('is told again about a later submission', () => {
    const secondId = 'a1/REGISTRATION/2' as EffectId;
    const second = but(scene, {
      command: { submissionNumber: 2 },
      items: [
        [theCase, inEnforcement({ openEffects: 1 })],
        [theAction, pending({ submissionNumber: 2 })],
        [ref.effect('registry', secondId), submission('PARKED', { effectId: secondId })],
      ],
    });
    expect(after(second, theAction)).toMatchObject({ unknownSince: now });
  });
});
