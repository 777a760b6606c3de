import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { aslRules } from './aslRules.ts';

const LAMBDA = ['ClientExecutionTimeoutException', 'ServiceException', 'AWSLambdaException', 'SdkClientException'];
const T = {
  ErrorEquals: LAMBDA.map((name) => `Lambda.${name}`),
  IntervalSeconds: 2,
  BackoffRate: 2,
  MaxAttempts: 6,
  MaxDelaySeconds: 60,
  JitterStrategy: 'FULL',
};
const Q = {
  ErrorEquals: ['Lambda.TooManyRequestsException'],
  IntervalSeconds: 1,
  BackoffRate: 2,
  MaxAttempts: 8,
  MaxDelaySeconds: 60,
  JitterStrategy: 'FULL',
};
const B = { ErrorEquals: ['Busy'], IntervalSeconds: 5, BackoffRate: 1.5, MaxAttempts: 20, MaxDelaySeconds: 60 };

const INVOKE = 'arn:aws:states:::lambda:invoke';
const Parameters = {
  FunctionName: '${Fn}',
  Payload: { 'input.$': '$', 'execution.$': '$$.Execution.Id', 'attempt.$': '$$.State.RetryCount' },
};
const WithToken = { FunctionName: '${Fn}', Payload: { ...Parameters.Payload, 'token.$': '$$.Task.Token' } };
const task = (more: object = {}) => ({
  Type: 'Task',
  Resource: INVOKE,
  TimeoutSeconds: 30,
  Parameters,
  Retry: [T, Q, B],
  ResultPath: null,
  Next: 'Done',
  ...more,
});
const waiting = (more: object = {}) =>
  task({ Resource: `${INVOKE}.waitForTaskToken`, Parameters: WithToken, HeartbeatSeconds: 10, ...more });
const caught = (error: string, Next: string) => [{ ErrorEquals: [error], ResultPath: '$.error', Next }];
const machine = (States: object, more: object = { TimeoutSeconds: 60 }) => ({
  StartAt: Object.keys(States)[0],
  States: { ...States, Done: { Type: 'Succeed' } },
  ...more,
});
const rules = (definition: object) => aslRules(definition).map(({ state, rule }) => `${state}: ${rule}`);

describe('the rules for state machines', () => {
  it('find nothing in a machine as it should be', () => {
    const good = machine({
      SubmitIt: waiting({ Catch: caught('States.ALL', 'AskThem') }),
      AskThem: task({ Catch: caught('Registry.Refused', 'Done') }),
      Which: { Type: 'Choice', Choices: [{ Variable: '$.n', IsPresent: true, Next: 'Done' }], Default: 'Each' },
      Each: {
        Type: 'Map',
        ItemProcessor: { StartAt: 'Page', States: { Page: task({ Next: undefined, End: true }) } },
        Next: 'Done',
      },
    });
    assert.deepEqual(aslRules(good), []);
  });

  it('say which state, which rule and why', () => {
    assert.deepEqual(aslRules(machine({ A: task({ TimeoutSeconds: undefined }) })), [
      { state: 'A', rule: 'task-timeout', text: 'a Task without TimeoutSeconds' },
    ]);
  });

  const bad: [finding: string, definition: object][] = [
    ['(machine): machine-timeout', machine({ A: task() }, {})],
    ['(machine): jsonpath-only', machine({ A: task({ QueryLanguage: 'JSONata' }) })],
    ['(machine): jsonpath-only', machine({ A: task() }, { TimeoutSeconds: 60, QueryLanguage: 'JSONata' })],
    [
      'A: unique-names',
      machine({
        A: task(),
        Each: { Type: 'Map', ItemProcessor: { StartAt: 'A', States: { A: task() } }, Next: 'Done' },
      }),
    ],
    ['A: choice-default', machine({ A: { Type: 'Choice', Choices: [] } })],
    ['A: heartbeat', machine({ A: waiting({ HeartbeatSeconds: undefined }) })],
    ['A: heartbeat-order', machine({ A: waiting({ HeartbeatSeconds: 30 }) })],
    ['A: token', machine({ A: waiting({ Parameters }) })],
    ['A: token', machine({ A: task({ Parameters: WithToken }) })],
    ['A: payload-growth', machine({ A: { ...task(), ResultPath: undefined } })],
    [
      'A: dollar-key',
      machine({ A: task({ Parameters: { ...Parameters, Payload: { ...Parameters.Payload, id: '$.id' } } }) }),
    ],
    ['A: execution-arn', machine({ A: task({ Parameters: { FunctionName: '${Fn}', 'Payload.$': '$' } }) })],
    ['A: retrier-T', machine({ A: task({ Retry: [Q, B] }) })],
    ['A: retrier-T', machine({ A: task({ Retry: [{ ...T, JitterStrategy: 'NONE' }, Q, B] }) })],
    ['A: retrier-Q', machine({ A: task({ Retry: [T, B] }) })],
    ['SendIt: retrier-B', machine({ SendIt: task({ Retry: [T, Q] }) })],
    ['A: retrier-B', machine({ A: task({ Retry: [T, Q, { ...B, MaxAttempts: 3 }] }) })],
    ['A: backoff', machine({ A: task({ Retry: [T, Q, B, { ErrorEquals: ['E'], BackoffRate: 0.5 }] }) })],
    ['A: max-delay', machine({ A: task({ Retry: [T, Q, B, { ErrorEquals: ['E'], MaxAttempts: 9 }] }) })],
    [
      'A: max-delay',
      machine({ A: task({ Retry: [T, Q, B, { ErrorEquals: ['E'], IntervalSeconds: 9, MaxDelaySeconds: 9 }] }) }),
    ],
    ['A: named-retries', machine({ A: task({ Retry: [T, Q, B, { ErrorEquals: ['States.TaskFailed'] }] }) })],
    ['A: catch-keeps-input', machine({ A: task({ Catch: [{ ErrorEquals: ['E'], Next: 'Done' }] }) })],
    ['A: catch-all', machine({ A: task({ Catch: caught('States.ALL', 'Done') }) })],
    ['A: catch-all', machine({ A: task({ Catch: caught('States.TaskFailed', 'Done') }) })],
    ['SendIt: catch-all-asks', machine({ SendIt: task({ Catch: caught('States.ALL', 'Done') }) })],
    [
      'SendIt: all-alone',
      machine({
        SendIt: task({ Catch: [{ ErrorEquals: ['E', 'States.ALL'], ResultPath: '$.e', Next: 'AskIt' }] }),
        AskIt: task(),
      }),
    ],
    [
      'SendIt: all-last',
      machine({ SendIt: task({ Catch: [...caught('States.ALL', 'AskIt'), ...caught('E', 'Done')] }), AskIt: task() }),
    ],
    [
      'SendIt: redrivable',
      machine({ SendIt: task({ Catch: caught('States.ALL', 'AskIt') }), AskIt: { Type: 'Fail' } }),
    ],
  ];
  for (const [finding, definition] of bad)
    it(`find ${finding}`, () => {
      assert.deepEqual(rules(JSON.parse(JSON.stringify(definition)) as object), [finding]);
    });
});
