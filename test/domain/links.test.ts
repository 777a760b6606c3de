import { describe, expect, it } from 'vitest';
import { ref } from '../../domain/refs.ts';
import type { LinkNature } from '../../domain/case/case.ts';
import { ana, c1, c2, cai, closed, dan, link, now, open, rejected, sue, today, underReview } from './builders.ts';
import { answerTo, but, itemIn, type Scene } from './ask.ts';
import { scenes } from './scenes.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

describe('linkCases', () => {
  const scene = scenes.linkCases;
  const backwards: Scene = { ...scene, command: { ...scene.command, caseId: c2, otherCaseId: c1 } };
  const restricted = (change: object = {}) =>
    ({
      items: [
        [
          ref.case(c2),
          open({ id: c2, classification: 'RESTRICTED', openedBy: dan.id, leadOfficerId: dan.id, ...change }),
        ],
      ],
    }) as const;

  it('is told by both cases, once, and moves no version', () => {
    const items = commit(transitionOf(scene), scene.items);
    expect(itemIn(items, ref.link(c1, 'DUPLICATE_OF', c2))).toMatchObject({ direction: 'TO', otherCaseId: c2 });
    expect(itemIn(items, ref.link(c2, 'DUPLICATE_OF', c1))).toMatchObject({ direction: 'FROM', otherCaseId: c1 });
    expect(itemIn(items, ref.case(c1))).toMatchObject({ version: 5, contentVersion: 4, auditSeq: 7 });
    expect(itemIn(items, ref.case(c2))).toMatchObject({ version: 5, auditSeq: 6 });
  });

  it('links a pair once, also when both sides ask at once', () => {
    const items = commit(transitionOf(scene), scene.items);
    expect(broken(transitionOf(backwards), items)).toEqual(['link', 'link']);
    expect(answerTo({ ...scene, items })).toBe('NO_CHANGE');
    expect(answerTo({ ...backwards, items })).toBe('PRECONDITION_FAILED(LINKED_THE_OTHER_WAY)');
  });

  for (const nature of ['RELATED', 'SAME_SUBJECT'] satisfies LinkNature[])
    it(`knows no direction of ${nature}, and stands beside other natures`, () => {
      const first = but(scene, { command: { nature } });
      const items = commit(transitionOf(first), first.items);
      expect(answerTo({ ...backwards, command: { ...backwards.command, nature }, items })).toBe('NO_CHANGE');
      expect(answerTo({ ...scene, items })).toBe('done');
    });

  it('leads to a case that is closed, too', () => {
    expect(answerTo(but(scene, { items: [[ref.case(c2), closed({ id: c2 })]] }))).toBe('done');
  });

  it('leads to a restricted case for who has a part in it, while they have', () => {
    const asLead = but(scene, restricted({ leadOfficerId: ana.id }));
    const taken = but(asLead, restricted({ version: 6 }));
    expect(broken(transitionOf(asLead), taken.items)).toEqual(['case']);
    const member = [[ref.investigator(c2, ana.id), { officerId: ana.id }]] as const;
    const asMember = but(scene, { items: [...restricted().items, ...member] });
    const removed = but(asMember, { items: [[ref.investigator(c2, ana.id), undefined]] });
    expect(broken(transitionOf(asMember), removed.items)).toEqual(['investigator']);
    expect(answerTo(but(scene, { ...restricted(), actor: sue }))).toBe('done');
  });

  it('does not go through once the other case is hidden', () => {
    expect(broken(transitionOf(scene), but(scene, restricted()).items)).toEqual(['case']);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to somebody without a part in it', { actor: dan }],
    ['ILLEGAL_TRANSITION', 'once the case is closed', { items: [[ref.case(c1), closed()]] }],
    ['VALIDATION_FAILED(NOT_ITSELF)', 'to itself', { command: { otherCaseId: c1 } }],
    ['REFERENCE_INVALID(otherCaseId)', 'to a case that is not there', { command: { otherCaseId: 'c3' } }],
    ['REFERENCE_INVALID(otherCaseId)', 'to a case that one may not see', restricted()],
    ['VALIDATION_FAILED(REQUIRED)', 'with an empty reason', { command: { reason: '' } }],
  ]);
});

describe('closeCaseAsDuplicate', () => {
  const scene = scenes.closeCaseAsDuplicate;

  it('closes the case as every case is closed, and says of which it was a duplicate', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({
      status: 'CLOSED',
      outcome: 'DUPLICATE',
      duplicateOfCaseId: c2,
      closedAt: now,
      closedBy: sue.id,
      version: 6,
      retention: { schedule: 'DUPLICATE', trigger: today, disposeAfter: '2028-07-07' },
    });
    expect(after(scene, ref.officer(ana.id))).toMatchObject({ activeLoad: 2, loadSeq: 4 });
    expect(after(scene, ref.load(ana.id, c1))).toBeUndefined();
    expect(after(scene, ref.openCases('WEST', 7))).toEqual({ count: -1 });
    expect(after(scene, ref.investigator(c1, cai.id))).toMatchObject({ officerId: cai.id });
  });

  it('does not go through once the other case is closed: one of two duplicates of each other stays', () => {
    const items = [[ref.case(c2), closed({ id: c2 })]] as const;
    expect(broken(transitionOf(scene), but(scene, { items }).items)).toEqual(['case']);
  });

  it('ends a suspension', () => {
    const suspended = but(scene, { case: { suspendedUntil: today, stoppedClock: { on: today } } });
    expect(after(suspended, ref.case(c1))).not.toHaveProperty('suspendedUntil');
    expect(after(suspended, ref.case(c1))).not.toHaveProperty('stoppedClock');
  });

  const unlinked = (change: object | undefined) =>
    ({ items: [[ref.link(c1, 'DUPLICATE_OF', c2), change && link(change)]] }) as const;
  refuses(scene, [
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'while the case is under review', { items: [[ref.case(c1), underReview()]] }],
    ['PRECONDITION_FAILED(NO_DUPLICATE_LINK)', 'without a link', unlinked(undefined)],
    ['PRECONDITION_FAILED(NO_DUPLICATE_LINK)', 'when it is the other that is', unlinked({ direction: 'FROM' })],
    [
      'PRECONDITION_FAILED(ORIGINAL_CLOSED)',
      'when the other case is closed',
      { items: [[ref.case(c2), closed({ id: c2 })]] },
    ],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
    ['PRECONDITION_FAILED(OPEN_TASKS)', 'while a task blocks it', { case: { openBlockingClose: 1 } }],
    ['EFFECT_IN_FLIGHT', 'while an effect is open', { case: { openEffects: 1 } }],
    ['PRECONDITION_FAILED(TENANT_SETTINGS)', 'without settings', { items: [[ref.tenant(), undefined]] }],
  ]);

  it('takes a case in any status but closed for live', () => {
    expect(answerTo(but(scene, { items: [[ref.case(c2), rejected({ id: c2 })]] }))).toBe('done');
  });
});

describe('unlinkCases', () => {
  const scene = scenes.unlinkCases;

  it('takes the link from both cases, and says so where it was made', () => {
    const items = commit(transitionOf(scene), scene.items);
    expect(itemIn(items, ref.link(c1, 'DUPLICATE_OF', c2))).toBeUndefined();
    expect(itemIn(items, ref.link(c2, 'DUPLICATE_OF', c1))).toBeUndefined();
    expect(transitionOf(scene).event).toMatchObject({
      type: 'unlinkCases',
      details: { nature: 'DUPLICATE_OF', otherCaseId: c2, reason: 'another trader' },
    });
    expect(answerTo({ ...scenes.linkCases, items }), 'and it can be made again').toBe('done');
    expect(answerTo({ ...scene, items })).toBe('PRECONDITION_FAILED(NOT_LINKED)');
  });

  it('does not go through once the other case is hidden, and leaves other natures alone', () => {
    const hidden = [[ref.case(c2), open({ id: c2, classification: 'RESTRICTED' })]] as const;
    expect(broken(transitionOf(scene), but(scene, { items: hidden }).items)).toEqual(['case']);
    expect(answerTo(but(scene, { command: { nature: 'RELATED' } }))).toBe('PRECONDITION_FAILED(NOT_LINKED)');
  });

  refuses(scene, [
    ['PRECONDITION_FAILED(LINKED_THE_OTHER_WAY)', 'from the other side', { command: { caseId: c2, otherCaseId: c1 } }],
    ['NOT_PERMITTED', 'to somebody without a part in it', { actor: dan }],
    ['ILLEGAL_TRANSITION', 'once the case is closed', { items: [[ref.case(c1), closed()]] }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
    ['REFERENCE_INVALID(otherCaseId)', 'from a case that is not there', { command: { otherCaseId: 'c3' } }],
  ]);
});
