import { describe, expect, it } from 'vitest';
import { caseStatuses, type Case } from '../../domain/case/case.ts';
import type { HoldId } from '../../domain/ids.ts';
import { availableActionsOnHold } from '../../domain/hold/holdPolicy.ts';
import { ref } from '../../domain/refs.ts';
import {
  ana,
  approved,
  c1,
  closed,
  dan,
  h1,
  hold,
  inEnforcement,
  lea,
  leo,
  now,
  open,
  registered,
  rejected,
  sue,
  underReview,
} from './builders.ts';
import { answerTo, but, itemIn, type Scene } from './ask.ts';
import { representatives } from '../../docs/representative.ts';
import { scenes } from './scenes.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const anyStatus: Case[] = [open(), underReview(), approved(), rejected(), inEnforcement(), registered(), closed()];

describe('placeHold', () => {
  const scene = scenes.placeHold;

  it('is counted by the case, and moves no version: nobody who works on it is stopped', () => {
    const holdId = 'hold-placeHold-0' as HoldId;
    expect(after(scene, ref.case(c1))).toMatchObject({ activeHolds: 1, version: 5, contentVersion: 4, auditSeq: 7 });
    expect(after(scene, ref.hold(c1, holdId))).toMatchObject({
      ...{ id: holdId, matterReference: '12/2026 PN Jkt', reason: 'the court asks for the file', version: 1 },
      ...{ placedBy: leo.id, placedAt: now },
    });
  });

  it('is possible wherever the case stands', () => {
    expect(anyStatus.map(({ status }) => status)).toEqual(caseStatuses);
    for (const current of anyStatus)
      expect(answerTo(but(scene, { items: [[ref.case(c1), current]] })), current.status).toBe('done');
  });

  it('stands beside others, each for a matter of its own', () => {
    const items = commit(transitionOf(scene), scene.items);
    const second: Scene = { ...scene, items, key: '1', command: { ...scene.command, matterReference: '13/2026' } };
    expect(itemIn(commit(transitionOf(second), items), ref.case(c1))).toMatchObject({ activeHolds: 2 });
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['EXCLUDED', 'to a legal officer with a conflict of interest', { items: [[ref.exclusion(c1, leo.id), {}]] }],
    ['NOT_FOUND', 'on a case that is not there', { items: [[ref.case(c1), undefined]] }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: ' ' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a matter', { command: { matterReference: '' } }],
    ['VALIDATION_FAILED(TOO_LONG)', 'with a matter of many words', { command: { matterReference: 'x'.repeat(201) } }],
  ]);
});

describe('releaseHold', () => {
  const scene = scenes.releaseHold;
  const released = hold({ releasedAt: now, releasedBy: lea.id, releaseReason: 'over', version: 2 });

  it('stays on record with who, when and why, and the case counts one less', () => {
    expect(after(scene, ref.hold(c1, h1))).toEqual({
      ...hold(),
      ...{ releasedAt: now, releasedBy: lea.id, releaseReason: 'the appeal is over', version: 2 },
    });
    expect(after(scene, ref.case(c1))).toMatchObject({ activeHolds: 0, version: 5, auditSeq: 7 });
  });

  it('is done once: of two releases the later finds it released, or its version passed', () => {
    const next = transitionOf(scene);
    const items = commit(next, scene.items);
    expect(broken(transitionOf(scene), items)).toContain('hold');
    expect(answerTo({ ...scene, items })).toBe('VERSION_CONFLICT');
    expect(answerTo(but({ ...scene, items }, { command: { expectedVersion: 2 } }))).toBe('ILLEGAL_TRANSITION');
  });

  it('is possible wherever the case stands', () => {
    for (const current of anyStatus)
      expect(answerTo(but(scene, { items: [[ref.case(c1), { ...current, activeHolds: 1 }]] })), current.status).toBe(
        'done',
      );
  });

  refuses(scene, [
    ['SEPARATION_OF_DUTIES', 'to who placed it', { actor: leo }],
    ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
    ['NOT_FOUND', 'when there is no such hold', { command: { holdId: 'h2' } }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 0 } }],
    [
      'ILLEGAL_TRANSITION',
      'once it is released',
      { items: [[ref.hold(c1, h1), released]], command: { expectedVersion: 2 } },
    ],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
  ]);

  it('is offered on the hold itself, to whom it is not refused', () => {
    for (const actor of [leo, lea, sue, dan])
      for (const stands of [hold(), released]) {
        const [offered] = availableActionsOnHold({ actor, relations: new Set() }, open(), stands);
        const asked = but(scene, {
          actor,
          items: [[ref.hold(c1, h1), stands]],
          command: { expectedVersion: stands.version },
        });
        expect(answerTo(asked), `${actor.id} ${stands.version}`).toBe(offered!.refusal?.code ?? 'done');
      }
  });
});

/** Holds preserve; they do not freeze. What a hold does forbid is named here, and nothing else may be. */
const forbidden = ['deleteDraftDocument'];

describe('an active hold', () => {
  for (const [name, scene] of Object.entries(representatives))
    it(`${forbidden.includes(name) ? 'forbids' : 'leaves alone'} ${name}`, () => {
      const held = but(scene, { case: { activeHolds: scene.command.type === 'releaseHold' ? 2 : 1 } });
      const items = scene.items.some(([about]) => about.of === 'case' && about.caseId === c1) ? held : scene;
      expect(answerTo(items)).toBe(forbidden.includes(name) ? 'HOLD_ACTIVE' : 'done');
    });
});
