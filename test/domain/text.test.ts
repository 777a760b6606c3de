import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { emailAddress, line, paragraph, reasonText, uniqueLine } from '../../domain/text.ts';

/** A zero-width space, a word joiner, a soft hyphen, a Hangul filler, an empty Braille cell. */
const unseen = ['\u200b', '\u2060', '\u00ad', '\u3164', '\u2800'];
const rule = (refusal: ReturnType<typeof line>) => refusal?.details.rule;

describe('text of which nobody sees anything', () => {
  for (const check of [line, paragraph, reasonText])
    it(`is no ${check.name}`, () => {
      for (const text of [...unseen, unseen.join(' '), ' \u00a0\u3000'])
        assert.equal(rule(check(text, 'a')), 'REQUIRED');
    });
});

describe('a character that nobody sees', () => {
  it('is part of how some scripts write a name', () => {
    assert.equal(line('می\u200cخواهم'), undefined);
  });

  it('has no place in what must be unique', () => {
    for (const character of unseen) {
      assert.equal(rule(uniqueLine(`REG-1${character}`)), 'INVISIBLE_CHARACTERS');
      assert.equal(rule(emailAddress(`ana${character}@regulator.example`)), 'EMAIL');
    }
  });
});
