import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { holds, type ChoiceRule } from '../../../local/stepfunctions/choice.ts';
import { movableClock, systemClock } from '../../../local/stepfunctions/clock.ts';
import { retryOf } from '../../../local/stepfunctions/recovery.ts';
import { StateError } from '../../../local/stepfunctions/errors.ts';
import type { State } from '../../../local/stepfunctions/definition.ts';
import { lookUp, writePath } from '../../../local/stepfunctions/paths.ts';
import { render } from '../../../local/stepfunctions/template.ts';

const documents = (input: unknown) => ({ input, context: { Execution: { Name: 'e' } } });
const value = (expression: string, input: unknown = {}) =>
  (render({ 'v.$': expression }, documents(input)) as { v: unknown }).v;

describe('a path', () => {
  const data = { a: { 'b-c': [10, { d: 1 }, { d: 2 }] }, 'with space': true, nothing: null, ünï: 1 };
  const found: [string, unknown][] = [
    ['$', data],
    ['$.a.b-c[0]', 10],
    ['$.a.b-c[-1].d', 2],
    ["$['with space']", true],
    ['$["with space"]', true],
    ['$.ünï', 1],
    ['$.nothing', null],
    ['$.a.b-c[*].d', [1, 2]],
    ['$.a.x', undefined],
    ['$.a.b-c[9]', undefined],
    ['$.a.b-c.length', undefined],
    ['$.constructor', undefined],
    ['$$.Execution.Name', 'e'],
  ];
  for (const [path, expected] of found)
    it(`${path} finds ${JSON.stringify(expected)?.slice(0, 30) ?? 'nothing'}`, () =>
      assert.deepEqual(lookUp(path, documents(data)), expected));

  it('writes into a copy and makes the fields on the way', () => {
    const before = { a: { b: 1 }, list: [1, 2] };
    assert.deepEqual(writePath('$.a.c.d', before, 9), { a: { b: 1, c: { d: 9 } }, list: [1, 2] });
    assert.deepEqual(writePath('$.list[1]', before, 9), { a: { b: 1 }, list: [1, 9] });
    assert.deepEqual(writePath('$.__proto__x', before, 9), { ...before, __proto__x: 9 });
    assert.deepEqual(before, { a: { b: 1 }, list: [1, 2] });
  });

  for (const [path, into] of [
    ['$.a', 'text'],
    ['$.list[7]', { list: [] }],
    ['$.a', [1]],
  ] as const)
    it(`${path} cannot be written into ${JSON.stringify(into)}`, () => {
      assert.throws(
        () => writePath(path, into, 1),
        (error: StateError) => error.error === 'States.ResultPathMatchFailure',
      );
    });
});

describe('an intrinsic function', () => {
  const results: [string, unknown][] = [
    ["States.Format('{} of {}: {}', 1, 'two', States.Array(true, null))", '1 of two: [true,null]'],
    ["States.Format('\\{\\} it\\'s {}', 'x')", "{} it's x"],
    ['States.StringToJson(\'{"a":1}\')', { a: 1 }],
    ['States.JsonToString($.o)', '{"a":1}'],
    [
      'States.ArrayPartition($.list, 2)',
      [
        [1, 2],
        [2, 3],
      ],
    ],
    ['States.ArrayContains($.list, 3)', true],
    ['States.ArrayRange(1, 9, 2)', [1, 3, 5, 7, 9]],
    ['States.ArrayRange(9, 1, -4)', [9, 5, 1]],
    ['States.ArrayGetItem($.list, 3)', 3],
    ['States.ArrayLength($.list)', 4],
    ['States.ArrayUnique($.list)', [1, 2, 3]],
    ["States.Base64Encode('Data to encode')", 'RGF0YSB0byBlbmNvZGU='],
    ["States.Base64Decode('RGF0YSB0byBlbmNvZGU=')", 'Data to encode'],
    ["States.Hash('input data', 'SHA-1')", 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
    ['States.JsonMerge($.o, States.StringToJson(\'{"b":2}\'), false)', { a: 1, b: 2 }],
    ['States.MathAdd(111, -1)', 110],
    ["States.StringSplit('This.is+a,test=string', '.+,=')", ['This', 'is', 'a', 'test', 'string']],
  ];
  for (const [call, expected] of results)
    it(call, () => {
      assert.deepEqual(value(call, { list: [1, 2, 2, 3], o: { a: 1 } }), expected);
    });

  it('gives a UUID and a random number', () => {
    assert.match(value('States.UUID()') as string, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    assert.ok([1, 2].includes(value('States.MathRandom(1, 3)') as number));
  });

  for (const wrong of [
    'States.ArrayGetItem($.list, 9)',
    "States.StringToJson('{')",
    "States.Format('{}{}', 1)",
    "States.Hash('a', 'CRC')",
    'States.JsonMerge($.o, $.o, true)',
    'States.ArrayLength($.o)',
    "States.MathAdd('1', 2)",
  ])
    it(`${wrong} is an error that can be caught`, () => {
      assert.throws(
        () => value(wrong, { list: [1], o: {} }),
        (error: StateError) => error.error === 'States.IntrinsicFailure',
      );
    });
});

describe('a choice rule', () => {
  const input = {
    n: 5,
    s: 'case-7*',
    t: '2026-03-02T12:00:00Z',
    b: false,
    nothing: null,
    limit: 5,
    later: '2026-03-02T13:00:00+00:00',
  };
  const on = (Variable: string, rule: object) => ({ Variable, ...rule });
  const rules: [ChoiceRule, boolean][] = [
    [on('$.n', { NumericEquals: 5 }), true],
    [on('$.n', { NumericLessThan: 5 }), false],
    [on('$.n', { NumericLessThanEquals: 5 }), true],
    [on('$.n', { NumericGreaterThan: 4.5 }), true],
    [on('$.n', { NumericGreaterThanEqualsPath: '$.limit' }), true],
    [on('$.s', { NumericEquals: 5 }), false],
    [on('$.s', { StringEquals: 'case-7*' }), true],
    [on('$.s', { StringLessThan: 'd' }), true],
    [on('$.s', { StringMatches: 'case-*' }), true],
    [on('$.s', { StringMatches: 'case-?\\*' }), false],
    [on('$.s', { StringMatches: 'case-7\\*' }), true],
    [on('$.n', { StringMatches: '*' }), false],
    [on('$.b', { BooleanEquals: false }), true],
    [on('$.t', { TimestampEquals: '2026-03-02T13:00:00+01:00' }), true],
    [on('$.t', { TimestampLessThanPath: '$.later' }), true],
    [on('$.s', { TimestampLessThan: '2026-03-02T13:00:00Z' }), false],
    [on('$.missing', { IsPresent: false }), true],
    [on('$.nothing', { IsPresent: true }), true],
    [on('$.nothing', { IsNull: true }), true],
    [on('$.n', { IsNumeric: true }), true],
    [on('$.t', { IsTimestamp: true }), true],
    [on('$.s', { IsTimestamp: false }), true],
    [on('$.b', { IsString: true }), false],
    [on('$.b', { IsBoolean: true }), true],
    [{ And: [on('$.n', { NumericEquals: 5 }), on('$.b', { BooleanEquals: true })] }, false],
    [{ Or: [on('$.n', { NumericEquals: 6 }), on('$.b', { BooleanEquals: false })] }, true],
    [{ Not: on('$.n', { NumericEquals: 6 }) }, true],
  ];
  for (const [rule, expected] of rules)
    it(`${JSON.stringify(rule)} is ${expected}`, () => assert.equal(holds(rule, documents(input)), expected));

  it('on nothing at all ends the execution', () => {
    assert.throws(
      () => holds(on('$.missing', { IsNull: true }), documents(input)),
      (error: StateError) => error.error === 'States.Runtime',
    );
  });
});

describe('a retrier', () => {
  const state = (Retry: object[]) => ({ Type: 'Task', Retry }) as unknown as State;
  const pauses = (retrier: object, random: number) =>
    [0, 1, 2, 3].map(
      (used) =>
        retryOf(state([{ ErrorEquals: ['E'], ...retrier }]), new StateError('E', ''), { 0: used }, () => random)
          ?.delayMs,
    );

  it('pauses a second, two and four if it says nothing, and tries three times', () => {
    assert.deepEqual(pauses({}, 0), [1000, 2000, 4000, undefined]);
  });

  it('spreads its pauses from nothing to the whole with full jitter, under the cap', () => {
    const full = { IntervalSeconds: 2, MaxAttempts: 9, MaxDelaySeconds: 5, JitterStrategy: 'FULL' };
    assert.deepEqual(pauses(full, 0.5), [1000, 2000, 2500, 2500]);
    assert.deepEqual(pauses(full, 0), [0, 0, 0, 0]);
  });

  const matching: [string[], string, boolean][] = [
    [['States.ALL'], 'Anything', true],
    [['States.ALL'], 'States.Runtime', false],
    [['States.Runtime'], 'States.Runtime', false],
    [['States.ALL'], 'States.DataLimitExceeded', false],
    [['States.DataLimitExceeded'], 'States.DataLimitExceeded', true],
    [['States.TaskFailed'], 'Anything', true],
    [['States.TaskFailed'], 'States.Timeout', false],
    [['States.Timeout'], 'States.Timeout', true],
  ];
  for (const [names, error, expected] of matching)
    it(`for ${names.join()} ${expected ? 'applies' : 'does not apply'} to ${error}`, () => {
      assert.equal(
        retryOf(state([{ ErrorEquals: names }]), new StateError(error, ''), {}, () => 1) !== undefined,
        expected,
      );
    });
});

describe('the clock', () => {
  it('wakes who is due, the earliest first, and nobody else', async () => {
    const clock = movableClock(0);
    const woken: number[] = [];
    const { signal } = new AbortController();
    for (const at of [30, 10, 20, 99]) void clock.sleepUntil(at, signal).then(() => woken.push(at));
    clock.moveBy(30);
    await Promise.resolve();
    assert.deepEqual(woken, [10, 20, 30]);
    assert.equal(clock.sleepers(), 1);
  });

  for (const [name, clock] of [
    ['movable', movableClock(0)],
    ['system', systemClock],
  ] as const)
    it(`of the ${name} kind lets a sleeper be interrupted`, async () => {
      const stop = new AbortController();
      const sleep = clock.sleepUntil(Infinity, stop.signal);
      stop.abort();
      await assert.rejects(sleep);
    });
});
