import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amend, difference, type Update } from '../../domain/change.ts';
import { holds, type Attributes } from '../../domain/condition.ts';
import { ref } from '../../domain/refs.ts';
import { c1, contravention, k1 } from './builders.ts';

const value = fc.oneof(
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }).map((members) => new Set(members)),
  fc.dictionary(fc.constantFrom('x', 'y'), fc.integer()),
);
const item: fc.Arbitrary<Attributes> = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.oneof(value, fc.constant(undefined)),
  { noNullPrototype: true },
);

const applied = (before: Attributes, { set = {}, remove = [] }: Update) => {
  const after = { ...before, ...set };
  for (const name of remove) delete after[name];
  return after;
};

/** Undefined is not stored: an attribute that is undefined is one that is not there. */
const stored = (attributes: Attributes) =>
  Object.fromEntries(Object.entries(attributes).filter(([, what]) => what !== undefined));

describe('difference', () => {
  it('turns what is stored into what is wanted', () => {
    fc.assert(
      fc.property(item, item, (before, after) => {
        expect(applied(stored(before), difference(before, after))).toEqual(stored(after));
      }),
    );
  });

  it('names nothing that stays the same', () => {
    fc.assert(
      fc.property(item, item, (before, after) => {
        const { set = {}, remove = [] } = difference(before, { ...after });
        for (const name of Object.keys(set)) expect(before[name]).not.toEqual(after[name]);
        for (const name of remove) expect(stored(before)).toHaveProperty(name);
      }),
    );
  });

  it('of an item and its copy is empty', () => {
    fc.assert(
      fc.property(item, (before) => {
        expect(difference(before, structuredClone(before))).toEqual({});
      }),
    );
  });
});

describe('amend', () => {
  it('writes on the version that was read, and on no other', () => {
    const before = contravention();
    const change = amend(ref.contravention(c1, k1), before, { ...before, finding: 'UNDETERMINED' });
    expect(change).toMatchObject({ update: { set: { finding: 'UNDETERMINED', version: 3 } } });
    expect(holds(change.when, before)).toBe(true);
    expect(holds(change.when, { ...before, version: 3 })).toBe(false);
    expect(holds(change.when, undefined)).toBe(false);
  });
});
