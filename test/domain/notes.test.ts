import { describe, expect, it } from 'vitest';
import type { NoteId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { ana, ben, c1, cai, closed, dan, now, rob, sue, underReview } from './builders.ts';
import { answerTo, but } from './ask.ts';
import { scenes } from './scenes.ts';
import { after, refuses, transitionOf } from './stage.ts';

describe('addNote', () => {
  const scene = scenes.addNote;

  it('writes down who noted what and when, in the place of its event, and moves no version', () => {
    const id = transitionOf(scene).created['note'] as NoteId;
    expect(after(scene, ref.note(c1, id))).toMatchObject({
      ...{ text: 'Rang the trader.', seq: 7, writtenAt: now, writtenBy: ana.id },
    });
    expect(after(scene, ref.notePlace(c1, 7))).toEqual({ noteId: id });
    expect(after(scene, ref.case(c1))).toMatchObject({ version: 5, contentVersion: 4, auditSeq: 7 });
  });

  it('tells consumers and the audit that there is a note, and not what it says', () => {
    const { payload, event } = transitionOf(scene);
    expect(JSON.stringify([payload, event])).not.toContain('trader');
  });

  it('is open to the team and to who reviews', () => {
    for (const actor of [cai, sue]) expect(answerTo(but(scene, { actor }))).toBe('done');
    expect(answerTo(but(scene, { actor: ben, items: [[ref.case(c1), underReview()]] }))).toBe('done');
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to somebody without a part in it', { actor: dan }],
    ['NOT_PERMITTED', 'to a reviewer of other cases', { actor: rob }],
    ['ILLEGAL_TRANSITION', 'once the case is closed', { items: [[ref.case(c1), closed()]] }],
    ['VALIDATION_FAILED(REQUIRED)', 'with nothing in it', { command: { text: ' ' } }],
    ['VALIDATION_FAILED(TOO_LONG)', 'beyond its bound', { command: { text: 'x'.repeat(4_001) } }],
  ]);
});
