import { describe, expect, it } from 'vitest';
import { ref } from '../../domain/refs.ts';
import {
  ana,
  approved,
  ben,
  c1,
  cai,
  closed,
  dan,
  now,
  officer,
  rejected,
  rob,
  sue,
  today,
  yesterday,
} from './builders.ts';
import { answerTo, but, type Scene } from './ask.ts';
import { scenes, standing } from './scenes.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const scene = scenes.reopenCase;
/** Rejected, and led by ana all the time. */
const fromRejected: Scene = { ...scene, items: standing(rejected()) };
const leaving = officer(cai.id, { state: 'LEAVING' });

describe('reopenCase', () => {
  it('counts the case again for its last lead and its region, and forgets its disposal', () => {
    const stored = after(scene, ref.case(c1));
    expect(stored).toMatchObject({
      status: 'OPEN',
      leadOfficerId: ana.id,
      reopenCount: 1,
      version: 6,
      contentVersion: 4,
    });
    for (const gone of ['retention', 'outcome', 'closedAt', 'closedBy', 'decision', 'duplicateOfCaseId'])
      expect(stored).not.toHaveProperty(gone);
    expect(after(scene, ref.officer(ana.id))).toMatchObject({ activeLoad: 4, loadSeq: 4 });
    expect(after(scene, ref.load(ana.id, c1))).toMatchObject({ since: now });
    expect(after(scene, ref.openCases('WEST', 7))).toEqual({ count: 1 });
  });

  it('says what the case was, and keeps the reviews', () => {
    expect(transitionOf(scene).event).toMatchObject({
      from: 'CLOSED',
      to: 'OPEN',
      details: { ground: 'NEW_EVIDENCE', was: { status: 'CLOSED', outcome: 'NO_BREACH' } },
    });
    expect(transitionOf(scene).changes.map((change) => change.ref.of)).not.toContain('review');
  });

  it('closes and opens again as often as it must, and everything is counted as in the beginning', () => {
    const items = commit(transitionOf(scene), scene.items);
    const duplicate = scenes.closeCaseAsDuplicate;
    const close = { ...duplicate, items: [...items, ...duplicate.items.slice(-2)] };
    const closing = { ...close, command: { ...close.command, expectedVersion: 6 } };
    const after2 = commit(transitionOf(closing), closing.items);
    const again = { ...scene, key: '1', items: after2, command: { ...scene.command, expectedVersion: 7 } };
    expect(after(again, ref.case(c1))).toMatchObject({ status: 'OPEN', reopenCount: 2, version: 8 });
    expect(after(again, ref.officer(ana.id))).toMatchObject({ activeLoad: 4 });
    expect(after(again, ref.openCases('WEST', 7))).toEqual({ count: 1 });
  });

  it('does not count a rejected case twice', () => {
    expect(after(fromRejected, ref.case(c1))).toMatchObject({ status: 'OPEN', reopenCount: 1 });
    expect(after(fromRejected, ref.officer(ana.id))).toMatchObject({ activeLoad: 3 });
    expect(transitionOf(fromRejected).changes.map((change) => change.ref.of)).not.toContain('openCases');
    const full = officer(ana.id, { activeLoad: 40 });
    expect(answerTo(but(fromRejected, { items: [[ref.officer(ana.id), full]] }))).toBe('done');
  });

  it('gives the case to another lead, from a rejected case with both loads', () => {
    const toDan = { command: { leadOfficerId: dan.id } };
    expect(after(but(scene, toDan), ref.officer(dan.id))).toMatchObject({ activeLoad: 4 });
    expect(after(but(scene, toDan), ref.officer(ana.id))).toMatchObject({ activeLoad: 3 });
    expect(after(but(fromRejected, toDan), ref.officer(dan.id))).toMatchObject({ activeLoad: 4 });
    expect(after(but(fromRejected, toDan), ref.officer(ana.id))).toMatchObject({ activeLoad: 2 });
    expect(after(but(fromRejected, toDan), ref.load(ana.id, c1))).toBeUndefined();
  });

  it('lets those investigate again who are still active', () => {
    expect(after(scene, ref.investigatorGuard(c1))).toMatchObject({ activeCount: 1 });
    const left = but(scene, { items: [[ref.officer(cai.id), leaving]] });
    expect(after(left, ref.investigatorGuard(c1))).toEqual({ activeCount: 0, officerIds: new Set() });
    expect(after(left, ref.investigator(c1, cai.id))).toBeUndefined();
    expect(transitionOf(left).event.changed).toContain('investigators');
    expect(broken(transitionOf(scene), left.items)).toEqual(['officer']);
  });

  it('takes the new lead out of the investigators', () => {
    const member = but(scene, { command: { leadOfficerId: cai.id } });
    expect(after(member, ref.investigatorGuard(c1))).toEqual({ activeCount: 0, officerIds: new Set() });
    expect(after(member, ref.officer(cai.id))).toMatchObject({ activeLoad: 4 });
  });

  it('does not go through once the room is gone', () => {
    const full = [...scene.items, [ref.officer(ana.id), officer(ana.id, { activeLoad: 40 })]] as const;
    expect(broken(transitionOf(scene), full)).toEqual(['officer']);
    const anyway = but({ ...scene, items: full }, { command: { overrideLimitReason: 'she knows the trade' } });
    expect(after(anyway, ref.officer(ana.id))).toMatchObject({ activeLoad: 41 });
  });

  const { leadOfficerId: _, ...unled } = closed();
  const absent = officer(ana.id, { absentFrom: yesterday, absentTo: today });
  refuses(scene, [
    ['NOT_PERMITTED', 'to the last lead', { actor: ana }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'from approved', { items: [[ref.case(c1), approved()]] }],
    ['PRECONDITION_FAILED(REDACTED)', 'once it is redacted', { case: { redactedAt: now } }],
    ['PRECONDITION_FAILED(LEAD_NEEDED)', 'when nobody led it last', { items: [[ref.case(c1), unled]] }],
    [
      'SEPARATION_OF_DUTIES',
      'for who decided it',
      { command: { leadOfficerId: ben.id }, items: [[ref.case(c1), rejected()]] },
    ],
    ['EXCLUDED', 'for who declared a conflict of interest', { items: [[ref.exclusion(c1, ana.id), {}]] }],
    ['EXCLUDED', 'to who declared one', { items: [[ref.exclusion(c1, sue.id), {}]] }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'with an override and no reason for it', { command: { overrideLimitReason: '' } }],
    ['REFERENCE_INVALID(leadOfficerId)', 'for who does not exist', { command: { leadOfficerId: 'nobody' } }],
    [
      'PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)',
      'for who leaves',
      { items: [[ref.officer(ana.id), officer(ana.id, { state: 'LEAVING' })]] },
    ],
    ['PRECONDITION_FAILED(OFFICER_ABSENT)', 'for who is absent today', { items: [[ref.officer(ana.id), absent]] }],
    ['LIMIT_REACHED', 'without room', { items: [[ref.officer(ana.id), officer(ana.id, { activeLoad: 40 })]] }],
    ['PRECONDITION_FAILED(TENANT_SETTINGS)', 'without settings', { items: [[ref.tenant(), undefined]] }],
  ]);

  it('is given to a lead where nobody led it last', () => {
    const there = but(scene, { command: { leadOfficerId: rob.id }, items: [[ref.case(c1), unled]] });
    expect(after(there, ref.case(c1))).toMatchObject({ leadOfficerId: rob.id });
  });
});
