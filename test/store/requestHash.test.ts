import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyCommand } from '../../domain/command.ts';
import { frozenCopy, NotCanonical, requestHashOf } from '../../store/requestHash.ts';

const command = (more: object = {}): AnyCommand => ({ type: 'openCase', title: 'One', ...more });
const hash = (more: object = {}, key = 'key-0000-0000-0000') => requestHashOf(frozenCopy(command(more)), key);

describe('the hash of a request', () => {
  it('is the same for the same arguments in any order', () => {
    expect(hash({ a: 1, b: { c: 2, d: 3 } })).toBe(hash({ b: { d: 3, c: 2 }, a: 1 }));
  });

  it('differs with every value, with the name of the command and with the key', () => {
    const hashes = [
      hash(),
      hash({ title: 'one' }),
      hash({ title: 'One ' }),
      hash({ type: 'addNote' }),
      hash({}, 'key-0000-0000-0001'),
      hash({ n: 1 }),
      hash({ n: '1' }),
      hash({ n: [1] }),
      hash({ n: true }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('tells null from absent, and absent from nothing', () => {
    expect(hash({ note: null })).not.toBe(hash());
    expect(hash({ note: undefined })).toBe(hash());
  });

  it('does not normalise text: what looks alike is not the same request', () => {
    expect(hash({ name: 'é' })).not.toBe(hash({ name: 'e\u0301' }));
  });

  it('is 64 hexadecimal digits for whatever JSON can carry', () => {
    const exact = fc.oneof(fc.string(), fc.maxSafeInteger(), fc.constantFrom(0.5, 1e-7, -12.25), fc.boolean());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, exact, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
    }));
    fc.assert(
      fc.property(value, (any) => {
        expect(hash({ value: any })).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });
});

describe('arguments', () => {
  const refused: [string, unknown][] = [
    ['not a number', NaN],
    ['infinity', -Infinity],
    ['an integer that is not exact', 2 ** 53],
    ['a lone surrogate', 'a\ud800'],
    ['a date', new Date(0)],
    ['a set', new Set(['a'])],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a big integer', 1n],
    ['nesting without an end', Array.from({ length: 40 }).reduce((inner) => [inner], 'x')],
  ];
  for (const [what, value] of refused)
    it(`are refused that hold ${what}`, () => {
      expect(() => frozenCopy(command({ value }))).toThrow(NotCanonical);
    });

  it('are refused with a lone surrogate in a name, too', () => {
    expect(() => frozenCopy(command({ value: { '\udc00': 1 } }))).toThrow(NotCanonical);
  });

  it('are copied and frozen: what is hashed is what is decided on', () => {
    const parties = [{ name: 'A' }];
    const copy = frozenCopy(command({ parties }));
    parties[0]!.name = 'B';
    expect(copy['parties']).toEqual([{ name: 'A' }]);
    expect(() => (copy['parties'] as object[]).push({})).toThrow(TypeError);
    expect(Object.isFrozen((copy['parties'] as object[])[0])).toBe(true);
  });
});
