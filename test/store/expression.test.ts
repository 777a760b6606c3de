import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, any, equals, holds, not, type Attributes, type Condition } from '../../domain/condition.ts';
import { conditionExpression, placeholders, updateExpression } from '../../store/expression.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

// Few names and few values, so that they meet; text whose order differs between UTF-8 and UTF-16.
const name = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('', 'a', 'ab', 'b', 'Ä', '\uffff', '😀', '10');
const number = fc.constantFrom(-1, 0, 1, 2, 10, 0.5, 1e-7, 2 ** 53 - 1);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const members = fc.uniqueArray(fc.constantFrom('a', 'ab', 'b', '😀'), { minLength: 1 });
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  members.map((texts) => new Set(texts)),
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ a: scalar }),
);
const item: fc.Arbitrary<Attributes | undefined> = fc.option(
  fc.dictionary(name, value).map((attributes) => ({ ...attributes })),
  { nil: undefined, freq: 5 },
);

const simple: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom<Condition>({ is: 'absent' }, { is: 'exists' }),
  fc.record({ is: fc.constantFrom('missing' as const, 'present' as const), attribute: name }),
  fc.record({ is: fc.constant('equals' as const), attribute: name, value: scalar }),
  fc.record({ is: fc.constant('oneOf' as const), attribute: name, values: fc.array(scalar, { maxLength: 4 }) }),
  fc.record({
    is: fc.constantFrom('below' as const, 'atMost' as const, 'above' as const, 'atLeast' as const),
    attribute: name,
    value: fc.oneof(text, number),
  }),
  fc
    .record({ is: fc.constant('belowAttribute' as const), attribute: name, other: name })
    .filter((c) => c.attribute !== c.other),
  fc.record({ is: fc.constant('contains' as const), attribute: name, value: fc.constantFrom('a', 'ab', '😀') }),
);
const condition = fc.letrec<{ any: Condition; nested: Condition }>((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, simple, tie('nested')),
  nested: fc.oneof(
    fc.record({ is: fc.constantFrom('all' as const, 'any' as const), of: fc.array(tie('any'), { maxLength: 3 }) }),
    fc.record({ is: fc.constant('not' as const), of: tie('any') }),
  ),
})).any;

/** What the database says to each condition: the item is put over itself on it; what is absent has keys of its own. */
async function holdThere(conditions: Condition[], stored: Attributes | undefined): Promise<boolean[]> {
  const { table } = world.store;
  const known = { pk: randomUUID(), sk: 'META' };
  if (stored) await table.write({ kind: 'put', key: known, item: stored, when: all() });
  const asked = conditions.map(async (when) => {
    const key = stored ? known : { pk: randomUUID(), sk: 'META' };
    try {
      await table.write({ kind: 'put', key, item: stored ?? {}, when });
      return true;
    } catch (error) {
      if ((error as Error).name === 'ConditionalCheckFailedException') return false;
      throw error;
    }
  });
  return Promise.all(asked);
}

describe('a condition', () => {
  it('means the same in memory and in the database, for any item', async () => {
    await fc.assert(
      fc.asyncProperty(item, fc.array(condition, { minLength: 3, maxLength: 3 }), async (stored, conditions) => {
        expect(await holdThere(conditions, stored)).toEqual(conditions.map((when) => holds(when, stored)));
      }),
      { numRuns: 150 },
    );
  });

  it('of no parts is always true for all, never for any', async () => {
    for (const stored of [undefined, { a: 1 }])
      expect(await holdThere([all(), any(), not(all()), not(any())], stored)).toEqual([true, false, false, true]);
  });

  it('is never put into parentheses twice, which DynamoDB refuses', () => {
    fc.assert(
      fc.property(condition, (when) => {
        expect(conditionExpression(when, placeholders()) ?? '').toSatisfy((said: string) => !hasRedundant(said));
      }),
      { numRuns: 500 },
    );
    expect(hasRedundant('(NOT ((a AND b)))')).toBe(true);
    expect(hasRedundant('((NOT (a)) AND b)')).toBe(false);
  });

  it('never spells a name or a value: reserved words and foreign text stay out of the expression', () => {
    const at = placeholders();
    expect(conditionExpression(equals('status', 'status; DROP'), at)).toBe('#n0 = :v0');
    expect([at.names(), at.values()]).toEqual([{ '#n0': 'status' }, { ':v0': 'status; DROP' }]);
  });
});

describe('an update', () => {
  it('touches what it names and nothing else', async () => {
    const key = { pk: randomUUID(), sk: 'META' };
    const { table } = world.store;
    await table.write({
      kind: 'put',
      key,
      item: { kept: 'x', gone: 1, count: 2, who: new Set(['a', 'b']) },
      when: all(),
    });
    const update = { set: { a: null }, remove: ['gone'], add: { count: -3 }, drop: { who: new Set(['a']) } };
    const { after } = await table.write({ kind: 'update', key, update, when: all() });
    expect(after).toEqual({ ...key, kept: 'x', a: null, count: -1, who: new Set(['b']) });
  });

  it('names an attribute once, also where condition and update share it', () => {
    const at = placeholders();
    const said = updateExpression({ set: { status: 'B' }, add: { n: 1 } }, at);
    expect(`${said} / ${conditionExpression(equals('status', 'A'), at)}`).toBe('SET #n0 = :v0 ADD #n1 :v1 / #n0 = :v2');
  });
});

/** Whether some pair of parentheses holds nothing but another pair. */
function hasRedundant(said: string): boolean {
  const open: number[] = [];
  const closedBy = new Map<number, number>();
  [...said].forEach((character, at) => {
    if (character === '(') open.push(at);
    if (character === ')') closedBy.set(open.pop()!, at);
  });
  return [...closedBy].some(([from, to]) => said[from + 1] === '(' && closedBy.get(from + 1) === to - 1);
}
