import { describe, expect, it } from 'vitest';
import { ref } from '../../domain/refs.ts';
import {
  a1,
  action,
  ana,
  approved,
  c1,
  closed,
  cai,
  dan,
  inEnforcement,
  n1,
  notice,
  now,
  open,
  served,
  sue,
  today,
} from './builders.ts';
import { afterRegistration, afterService, scenes, standing } from './scenes.ts';
import { answerTo, but, type Scene } from './ask.ts';
import { after, broken, refuses, transitionOf } from './stage.ts';

const scene = scenes.closeCase;
const enforced = { command: { outcome: 'ENFORCED' } } as const;
const afterRegistering = but({ ...scene, items: afterRegistration }, enforced);
/** A warning is served, and that is all. */
const afterWarning = but(
  { ...scene, items: [...afterService, [ref.action(c1, a1), action({ type: 'WARNING' })]] },
  enforced,
);

describe('closeCase', () => {
  it('closes what was rejected, as the rejection proposed, and stops counting it', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({
      status: 'CLOSED',
      outcome: 'NO_BREACH',
      closedAt: now,
      closedBy: ana.id,
      version: 6,
      contentVersion: 4,
      retention: { schedule: 'NO_BREACH', trigger: today, disposeAfter: '2028-07-07' },
    });
    expect(after(scene, ref.officer(ana.id))).toMatchObject({ activeLoad: 2, loadSeq: 4 });
    expect(after(scene, ref.load(ana.id, c1))).toBeUndefined();
    expect(after(scene, ref.openCases('WEST', 7))).toEqual({ count: -1 });
  });

  it('leaves the memberships as they are', () => {
    expect(after(scene, ref.investigator(c1, cai.id))).toMatchObject({ officerId: cai.id });
    expect(after(scene, ref.investigatorGuard(c1))).toMatchObject({ activeCount: 1 });
  });

  it('keeps for ever what the schedule keeps for ever', () => {
    expect(after(afterRegistering, ref.case(c1))).toMatchObject({ retention: { disposeAfter: 'PERMANENT' } });
  });

  for (const [what, there] of [
    ['registered', afterRegistering],
    ['served and not of a registrable type', afterWarning],
  ] as const)
    it(`concludes an action that is ${what}, and frees the guard`, () => {
      expect(after(there, ref.action(c1, a1))).toMatchObject({ status: 'CONCLUDED' });
      expect(after(there, ref.enforcementGuard(c1))).toBeUndefined();
      expect(after(there, ref.case(c1))).not.toHaveProperty('activeActionId');
      expect(after(there, ref.case(c1))).toMatchObject({ status: 'CLOSED', outcome: 'ENFORCED' });
    });

  it('frees the guard of its own action only', () => {
    const other = but(afterRegistering, { items: [[ref.enforcementGuard(c1), { actionId: 'a2' }]] });
    expect(broken(transitionOf(afterRegistering), other.items)).toEqual(['enforcementGuard']);
  });

  it('is for a supervisor where the case was approved and never enforced', () => {
    const there = but({ ...scene, items: standing(approved()) }, { command: { outcome: 'RESOLVED_INFORMALLY' } });
    expect(answerTo(there)).toBe('NOT_PERMITTED');
    expect(answerTo(but(there, { actor: sue }))).toBe('done');
  });

  it('closes a case that nobody leads', () => {
    const { leadOfficerId: _, ...unled } = approved({ outcome: 'NO_BREACH' });
    const there: Scene = { ...scene, actor: sue, items: standing(unled) };
    expect(transitionOf(there).changes.map((change) => change.ref.of)).toEqual(['openCases', 'exclusion']);
  });

  it('does not go through once the mail came back', () => {
    const bounced = but(afterWarning, { items: [[ref.notice(c1, n1), notice({ status: 'UNDELIVERABLE' })]] });
    expect(broken(transitionOf(afterWarning), bounced.items)).toEqual(['notice']);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_PERMITTED', 'to an officer without a part in it', { actor: dan }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'while it is open', { items: [[ref.case(c1), open()]] }],
    ['ILLEGAL_TRANSITION', 'a second time', { items: [[ref.case(c1), closed()]] }],
    ['PRECONDITION_FAILED(OUTCOME)', 'without an outcome', { case: { outcome: undefined } }],
    ['VALIDATION_FAILED(OUTCOME)', 'as enforced when it was not', { command: { outcome: 'ENFORCED' } }],
    ['VALIDATION_FAILED(OUTCOME)', 'as a duplicate', { command: { outcome: 'DUPLICATE' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
    ['PRECONDITION_FAILED(OPEN_TASKS)', 'while a task blocks it', { case: { openBlockingClose: 1 } }],
    ['EFFECT_IN_FLIGHT', 'while an effect is open', { case: { openEffects: 1 } }],
  ]);

  it('closes what was enforced as enforced, also where nothing is said', () => {
    const silent = but(afterRegistering, { command: { outcome: undefined } });
    expect(after(silent, ref.case(c1))).toMatchObject({ outcome: 'ENFORCED' });
  });
  refuses(afterRegistering, [
    ['VALIDATION_FAILED(OUTCOME)', 'as no breach when it was enforced', { command: { outcome: 'NO_BREACH' } }],
  ]);

  describe('from enforcement', () => {
    refuses(afterWarning, [
      [
        'PRECONDITION_FAILED(NOT_REGISTERED)',
        'with an action that is to be registered',
        { items: [[ref.action(c1, a1), action()]] },
      ],
      ['PRECONDITION_FAILED(NOTICE_NOT_SERVED)', 'before service', { items: [[ref.notice(c1, n1), notice()]] }],
      [
        'PRECONDITION_FAILED(NOTICE_NOT_SERVED)',
        'with a draft',
        { items: [[ref.action(c1, a1), action({ type: 'WARNING', status: 'DRAFT' })]] },
      ],
      ['EFFECT_IN_FLIGHT', 'while an effect is open', { items: [[ref.case(c1), inEnforcement({ openEffects: 1 })]] }],
    ]);
  });

  it('closes a registered case whose mail came back: registration was owed, and is done', () => {
    const bounced = but(afterRegistering, { items: [[ref.notice(c1, n1), served({ status: 'UNDELIVERABLE' })]] });
    expect(answerTo(bounced)).toBe('done');
  });
});
