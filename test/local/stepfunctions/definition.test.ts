import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { definitionProblems } from '../../../local/stepfunctions/checkDefinition.ts';
import { callback, machine, nameOf, startHost, task, useDynamoDb } from './host.ts';

useDynamoDb();

const problems = (definition: object) => definitionProblems(JSON.stringify(definition)).join('; ');
const alone = (state: object, more: object = {}) => machine({ A: state, B: { Type: 'Succeed' } }, more);
const end = { End: true };
const pass = { Type: 'Pass', End: true };
const retry = (retrier: object) => task('f', { Retry: [{ ErrorEquals: ['E'], ...retrier }], ...end });
const choice = (rule: object) => alone({ Type: 'Choice', Choices: [{ Next: 'B', ...rule }] });
const map = (more: object, processor: object = {}) =>
  alone({ Type: 'Map', ItemProcessor: { ...machine({ X: pass }), ...processor }, ...more, ...end });

describe('a definition that would not run', () => {
  it('is refused when it is created, with every problem and its place', async () => {
    const host = await startHost({ functions: {} });
    const definition = machine({ A: { Type: 'Pass', Assign: { x: 1 }, Next: 'Nowhere' } });
    assert.equal(await nameOf(host.create(definition)), 'InvalidDefinition');
    await assert.rejects(host.create(definition), /States\.A: the field Assign does not run here/);
  });

  const refused: [what: string, definition: object, because: RegExp][] = [
    ['JSONata for the machine', alone(pass, { QueryLanguage: 'JSONata' }), /QueryLanguage JSONata does not run here/],
    ['JSONata for a state', alone({ ...pass, QueryLanguage: 'JSONata' }), /JSONata/],
    ['variables', alone({ ...pass, Assign: {} }), /Assign/],
    ['JSONata arguments', alone({ ...task('f'), Arguments: {} }), /Arguments/],
    ['an unknown field', alone({ ...pass, Output: {} }), /Output/],
    ['an unknown type', alone({ Type: 'Loop', ...end }), /Type must be one of/],
    ['a machine without states', { StartAt: 'A' }, /no States/],
    ['a start that does not exist', { ...alone(pass), StartAt: 'X' }, /StartAt names no state/],
    ['a next that does not exist', alone({ Type: 'Pass', Next: 'X' }), /no state 'X'/],
    ['a catcher into another scope', map({ Catch: [{ ErrorEquals: ['E'], Next: 'X' }] }), /no state 'X'/],
    ['neither Next nor End', alone({ Type: 'Pass' }), /either Next or End/],
    ['both Next and End', alone({ ...pass, Next: 'B' }), /either Next or End/],
    ['a name used twice', alone({ Type: 'Parallel', Branches: [machine({ B: pass })], ...end }), /used twice/],
    ['a name that is too long', machine({ ['x'.repeat(81)]: pass }), /over 80 characters/],
    ['a distributed Map', map({}, { ProcessorConfig: { Mode: 'DISTRIBUTED' } }), /DISTRIBUTED Map does not run/],
    ['an item reader', map({ ItemReader: {} }), /ItemReader/],
    ['item batches', map({ ItemBatcher: {} }), /ItemBatcher/],
    ['a result writer', map({ ResultWriter: {} }), /ResultWriter/],
    ['tolerated failures', map({ ToleratedFailureCount: 1 }), /ToleratedFailureCount/],
    ['the old form of a Map', alone({ Type: 'Map', Iterator: machine({ X: pass }), ...end }), /Iterator/],
    [
      'another integration',
      alone({ ...task('f'), Resource: 'arn:aws:states:::sqs:sendMessage' }),
      /sqs:sendMessage does not run here/,
    ],
    ['an activity', alone({ ...task('f'), Resource: 'arn:aws:states:eu-central-1:1:activity:a' }), /does not run here/],
    [
      'a bare function ARN',
      alone({ ...task('f'), Resource: 'arn:aws:lambda:eu-central-1:1:function:f' }),
      /does not run here/,
    ],
    [
      'an asynchronous call',
      alone({ ...task('f'), Parameters: { FunctionName: 'f', InvocationType: 'Event' } }),
      /InvocationType/,
    ],
    ['a call of nobody', alone({ ...task('f'), Parameters: {} }), /no FunctionName/],
    [
      'a callback without its token',
      alone({ ...callback('f'), Parameters: { FunctionName: 'f' } }),
      /never pass \$\$\.Task\.Token/,
    ],
    [
      'a token without a callback',
      alone({ ...callback('f'), Resource: 'arn:aws:states:::lambda:invoke' }),
      /only with \.waitForTaskToken/,
    ],
    [
      'a heartbeat beyond the time-out',
      alone({ ...callback('f'), TimeoutSeconds: 5, HeartbeatSeconds: 5 }),
      /below TimeoutSeconds/,
    ],
    ['two time-outs', alone({ ...task('f'), TimeoutSeconds: 5, TimeoutSecondsPath: '$.t' }), /exactly one of/],
    ['a time-out of nothing', alone({ ...task('f'), TimeoutSeconds: 0 }), /at least 1/],
    ['credentials', alone({ ...task('f'), Credentials: {} }), /Credentials/],
    ['a path with a filter', alone({ ...pass, InputPath: '$.a[?(@.b)]' }), /outside the supported JSONPath/],
    ['a path that descends', alone({ ...pass, OutputPath: '$..a' }), /outside the supported JSONPath/],
    ['a ResultPath with a wildcard', alone({ ...pass, ResultPath: '$.a[*]' }), /not a reference path/],
    ['a ResultPath into the context', alone({ ...pass, ResultPath: '$$.a' }), /not a reference path/],
    [
      'an unknown function',
      alone({ ...pass, Parameters: { 'a.$': 'States.Reverse($.a)' } }),
      /States\.Reverse is not a known/,
    ],
    [
      'a function with too few arguments',
      alone({ ...pass, Parameters: { 'a.$': 'States.MathAdd(1)' } }),
      /does not take 1 arguments/,
    ],
    [
      'a template field that is no path',
      alone({ ...pass, Parameters: { b: { 'a.$': 7 } } }),
      /Parameters\.b\.a\.\$ must be a string/,
    ],
    ['a rule without an operator', choice({ Variable: '$.a' }), /exactly one operator/],
    ['a rule with an unknown operator', choice({ Variable: '$.a', StringEndsWith: 'a' }), /not a known operator/],
    ['a rule that compares other types', choice({ Variable: '$.a', NumericEquals: '1' }), /another type/],
    ['a condition', choice({ Condition: '{% true %}' }), /Condition is not a known operator/],
    ['a rule without a next', alone({ Type: 'Choice', Choices: [{ Variable: '$.a', IsNull: true }] }), /Next belongs/],
    ['a choice of nothing', alone({ Type: 'Choice', Choices: [] }), /no Choices/],
    ['a wait for nothing', alone({ Type: 'Wait', ...end }), /exactly one of Seconds/],
    [
      'a wait for two things',
      alone({ Type: 'Wait', Seconds: 1, SecondsPath: '$.s', ...end }),
      /exactly one of Seconds/,
    ],
    ['a wait until no time', alone({ Type: 'Wait', Timestamp: 'tomorrow', ...end }), /no timestamp/],
    ['a retrier without errors', alone(retry({ ErrorEquals: [] })), /no ErrorEquals/],
    ['a retrier that never waits', alone(retry({ IntervalSeconds: 0 })), /at least 1/],
    ['a retrier that hurries up', alone(retry({ BackoffRate: 0.5 })), /BackoffRate/],
    ['a retrier with a cap below its pause', alone(retry({ IntervalSeconds: 9, MaxDelaySeconds: 9 })), /must exceed/],
    ['States.ALL beside another', alone(retry({ ErrorEquals: ['E', 'States.ALL'] })), /alone and last/],
    ['another version', alone(pass, { Version: '2.0' }), /Version/],
  ];
  for (const [what, definition, because] of refused)
    it(`is one with ${what}`, () => {
      assert.match(problems(definition), because);
    });

  it('is one that is not JSON or too large', () => {
    assert.match(definitionProblems('{')[0]!, /not JSON/);
    assert.match(problems(alone(pass, { Comment: 'x'.repeat(262_144) })), /over 262144 bytes/);
  });

  it('is none that runs', () => {
    assert.equal(
      problems(
        alone(retry({ MaxDelaySeconds: 60, JitterStrategy: 'FULL' }), {
          TimeoutSeconds: 60,
          Comment: 'fine',
          Version: '1.0',
          QueryLanguage: 'JSONPath',
        }),
      ),
      '',
    );
    assert.equal(
      problems(map({ ItemsPath: '$.a', ItemSelector: { 'i.$': '$$.Map.Item.Index' }, MaxConcurrency: 4 })),
      '',
    );
    assert.equal(
      problems(
        choice({ And: [{ Variable: '$.a', IsPresent: true }, { Not: { Variable: '$.a', StringMatches: 'x*' } }] }),
      ),
      '',
    );
  });
});
