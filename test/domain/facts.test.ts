import { describe, expect, it } from 'vitest';
import type { ContraventionId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { approved, ben, c1, cai, contravention, dan, k1, p1, today, tomorrow, workflow } from './builders.ts';
import { scenes } from './scenes.ts';
import { answerTo, ask, but } from './ask.ts';
import { after, broken, refuses, transitionOf } from './stage.ts';

const suspended = { suspendedUntil: tomorrow };

describe('addParty', () => {
  const scene = scenes.addParty;

  it('moves version and content, and counts subjects only', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({
      version: 6,
      contentVersion: 5,
      subjects: 1,
      touched: { parties: 6 },
    });
    const subject = but(scene, { command: { role: 'SUBJECT' } });
    expect(after(subject, ref.case(c1))).toMatchObject({ subjects: 2 });
  });

  it('holds personal values in the details of the party they are about', () => {
    const { event, created } = transitionOf(scene);
    expect(event).toMatchObject({ about: [created['party']], details: { name: 'Wim' } });
  });

  refuses(scene, [
    ['NOT_FOUND', 'on a case that is not there', { items: [[ref.case(c1), undefined]] }],
    ['NOT_PERMITTED', 'to somebody without a part in it', { actor: dan }],
    ['EXCLUDED', 'to the lead with a conflict of interest', { items: [[ref.exclusion(c1, scene.actor.id), {}]] }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a version', { command: { expectedVersion: undefined } }],
    ['ILLEGAL_TRANSITION', 'once the case is decided', { items: [[ref.case(c1), approved()]] }],
    ['PRECONDITION_FAILED(SUSPENDED)', 'while the case is suspended', { case: suspended }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a name', { command: { name: ' ' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'for service by mail without an address', { command: { serviceChannel: 'EMAIL' } }],
  ]);
});

describe('recordContravention', () => {
  const scene = scenes.recordContravention;

  it('adds an undetermined contravention and counts it', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({
      version: 6,
      contentVersion: 5,
      contraventions: 2,
      undetermined: 1,
      touched: { parties: 2, contraventions: 6 },
    });
    const { created } = transitionOf(scene);
    expect(after(scene, ref.contravention(c1, created['contravention'] as ContraventionId))).toMatchObject({
      provision: 'Weights Act s. 5',
      partyIds: [p1],
      finding: 'UNDETERMINED',
      version: 1,
    });
  });

  it('may name nobody while nobody is known', () => {
    expect(answerTo(but(scene, { command: { partyIds: [] } }))).toBe('done');
  });

  it('does not go through once a named party is gone', () => {
    const next = transitionOf(scene);
    expect(broken(next, but(scene, { items: [[ref.party(c1, p1), undefined]] }).items)).toEqual(['party']);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to somebody without a part in it', { actor: dan }],
    ['NOT_PERMITTED', 'to a workflow', { actor: workflow }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once the case is decided', { items: [[ref.case(c1), approved()]] }],
    ['PRECONDITION_FAILED(SUSPENDED)', 'while the case is suspended', { case: suspended }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a provision', { command: { provision: '' } }],
    ['VALIDATION_FAILED(LOCAL_DATE)', 'on a date that does not exist', { command: { date: '2026-02-30' } }],
    ['VALIDATION_FAILED(NOT_IN_FUTURE)', 'on a date to come', { command: { date: tomorrow } }],
    ['VALIDATION_FAILED(DISTINCT)', 'naming a party twice', { command: { partyIds: [p1, p1] } }],
    [
      'VALIDATION_FAILED(AT_MOST)',
      'naming more than fits a transaction',
      { command: { partyIds: Array.from({ length: 51 }, (_, i) => `p${i}`) } },
    ],
    ['REFERENCE_INVALID(partyIds)', 'naming a party of no such case', { command: { partyIds: [p1, 'p2'] } }],
    ['PRECONDITION_FAILED(TOO_MANY_CONTRAVENTIONS)', 'beyond 500 of them', { case: { contraventions: 500 } }],
  ]);

  it('names the fields that moved since a stale version', () => {
    const { answer } = ask(but(scene, { command: { expectedVersion: 3 } }));
    expect(answer).toMatchObject({ details: { expected: 3, actual: 5, changedFields: ['findings'] } });
  });

  it('takes today in the zone of the tenant for today', () => {
    expect(answerTo(but(scene, { command: { date: today } }))).toBe('done');
  });
});

describe('setContraventionFinding', () => {
  const scene = scenes.setContraventionFinding;
  const stands = (finding: 'UNDETERMINED' | 'SUBSTANTIATED') =>
    ({ items: [[ref.contravention(c1, k1), contravention({ finding })]] }) as const;

  it('sets the finding on the version of the contravention that was read', () => {
    expect(after(scene, ref.contravention(c1, k1))).toMatchObject({ finding: 'NOT_SUBSTANTIATED', version: 3 });
    expect(after(scene, ref.case(c1))).toMatchObject({ version: 6, contentVersion: 5, undetermined: 0 });
    const moved = but(scene, { items: [[ref.contravention(c1, k1), contravention({ version: 3 })]] });
    expect(broken(transitionOf(scene), moved.items)).toEqual(['contravention']);
  });

  const counted = [
    ['UNDETERMINED', 'SUBSTANTIATED', 1, 0],
    ['SUBSTANTIATED', 'UNDETERMINED', 0, 1],
    ['SUBSTANTIATED', 'NOT_SUBSTANTIATED', 2, 2],
  ] as const;
  for (const [was, finding, before, then] of counted)
    it(`counts ${then} undetermined after ${was} became ${finding}`, () => {
      const there = but(scene, { command: { finding }, case: { undetermined: before }, ...stands(was) });
      expect(after(there, ref.case(c1))).toMatchObject({ undetermined: then });
    });

  it('is open to an investigator', () => {
    expect(answerTo(but(scene, { actor: cai }))).toBe('done');
  });

  refuses(scene, [
    ['NO_CHANGE', 'when it says what stands', { command: { finding: 'SUBSTANTIATED' } }],
    [
      'NO_CHANGE',
      'when it says what stands, before anything else is asked',
      { command: { finding: 'SUBSTANTIATED' }, case: suspended },
    ],
    ['NOT_PERMITTED', 'to the reviewer', { actor: ben }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once the case is decided', { items: [[ref.case(c1), approved()]] }],
    ['PRECONDITION_FAILED(SUSPENDED)', 'while the case is suspended', { case: suspended }],
    ['REFERENCE_INVALID(contraventionId)', 'for one that is not there', { command: { contraventionId: 'k2' } }],
  ]);
});
