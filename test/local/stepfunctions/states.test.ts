import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { callback, day, hour, machine, named, noon, run, startHost, story, task, useDynamoDb } from './host.ts';

useDynamoDb();

const echo = { echo: (payload: unknown) => Promise.resolve(payload) };
const end = { End: true };

describe('a state machine', () => {
  it('tells its story as AWS does', async () => {
    const host = await startHost({ functions: echo });
    const { events, status, output } = await run(
      host,
      machine({
        Ask: task('echo', { Next: 'Which' }),
        Which: { Type: 'Choice', Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'Done' }] },
        Done: { Type: 'Succeed' },
      }),
      { n: 1 },
    );

    assert.equal(status, 'SUCCEEDED');
    assert.deepEqual(output, { n: 1 });
    assert.deepEqual(story(events), [
      '1 <- 0 ExecutionStarted',
      '2 <- 1 TaskStateEntered',
      '3 <- 2 TaskScheduled',
      '4 <- 3 TaskStarted',
      '5 <- 4 TaskSucceeded',
      '6 <- 5 TaskStateExited',
      '7 <- 6 ChoiceStateEntered',
      '8 <- 7 ChoiceStateExited',
      '9 <- 8 SucceedStateEntered',
      '10 <- 9 SucceedStateExited',
      '11 <- 10 ExecutionSucceeded',
    ]);
    assert.deepEqual(events[1]!.stateEnteredEventDetails, {
      name: 'Ask',
      input: '{"n":1}',
      inputDetails: { truncated: false },
    });
    assert.deepEqual(events[2]!.taskScheduledEventDetails, {
      resourceType: 'lambda',
      resource: 'invoke',
      region: 'eu-central-1',
      parameters: '{"FunctionName":"echo","Payload":{"n":1}}',
    });
    assert.equal(
      events[4]!.taskSucceededEventDetails!.output,
      '{"ExecutedVersion":"$LATEST","Payload":{"n":1},"StatusCode":200}',
    );
    assert.equal(events[10]!.executionSucceededEventDetails!.output, '{"n":1}');
    assert.equal(events[0]!.timestamp!.getTime(), noon);
  });

  it('passes data on as InputPath, Parameters, ResultSelector, ResultPath and OutputPath say', async () => {
    const host = await startHost({ functions: echo });
    const { output } = await run(
      host,
      machine({
        Shape: {
          ...task('echo'),
          InputPath: '$.inner',
          Parameters: {
            FunctionName: 'arn:aws:lambda:eu-central-1:000000000000:function:echo:live',
            Payload: { 'n.$': '$.n', 'text.$': "States.Format('no {}', $.n)", 'who.$': '$$.Execution.Name' },
          },
          ResultSelector: { 'got.$': '$.Payload', code: 1 },
          ResultPath: '$.result.task',
          OutputPath: '$',
        },
      }),
      { inner: { n: 7 } },
    );
    assert.deepEqual(output, {
      inner: { n: 7 },
      result: { task: { got: { n: 7, text: 'no 7', who: 'execution' }, code: 1 } },
    });
  });

  it('drops the result for ResultPath null, and everything for InputPath or OutputPath null', async () => {
    const host = await startHost({ functions: echo });
    const { output } = await run(
      host,
      machine({
        A: { Type: 'Pass', InputPath: null, ResultPath: '$.seen', Next: 'B' },
        B: task('echo', { ResultPath: null, OutputPath: '$', Next: 'C' }),
        C: { Type: 'Pass', Result: null, ResultPath: '$.nothing', ...end },
      }),
      { n: 1 },
    );
    assert.deepEqual(output, { n: 1, seen: {}, nothing: null });
  });

  it('gives the function a copy, the execution it works for and the attempt', async () => {
    const calls: unknown[] = [];
    const host = await startHost({
      functions: {
        spoil: (payload, execution) => {
          calls.push([structuredClone(payload), execution]);
          Object.assign(payload as object, { n: 'spoilt' });
          return Promise.resolve(undefined);
        },
      },
    });
    const { arn, output } = await run(
      host,
      machine({ A: task('spoil', { ResultPath: '$.result', OutputPath: '$', ...end }) }),
      { n: 1 },
    );
    assert.deepEqual(calls, [[{ n: 1 }, { executionArn: arn, attempt: 0 }]]);
    assert.deepEqual(output, { n: 1, result: { ExecutedVersion: '$LATEST', Payload: null, StatusCode: 200 } });
  });

  it('ends with the error of a Fail state', async () => {
    const host = await startHost({ functions: {} });
    const { status, error, cause, events } = await run(
      host,
      machine({ A: { Type: 'Fail', ErrorPath: '$.error', CausePath: "States.Format('because {}', $.why)" } }),
      { error: 'Case.Closed', why: 'it is' },
    );
    assert.deepEqual([status, error, cause], ['FAILED', 'Case.Closed', 'because it is']);
    assert.deepEqual(story(events).slice(1), ['2 <- 1 FailStateEntered', '3 <- 2 ExecutionFailed']);
  });

  it('fails when no choice matches and there is no default', async () => {
    const host = await startHost({ functions: {} });
    const { error } = await run(
      host,
      machine({
        A: { Type: 'Choice', Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'B' }] },
        B: { Type: 'Succeed' },
      }),
      { n: 2 },
    );
    assert.equal(error, 'States.NoChoiceMatched');
  });
});

describe('waiting', () => {
  const waits = {
    seconds: { Seconds: 3 * 24 * 3600 },
    secondsPath: { SecondsPath: '$.seconds' },
    timestamp: { Timestamp: new Date(noon + 3 * day).toISOString() },
    timestampPath: { TimestampPath: '$.until' },
  };
  for (const [name, how] of Object.entries(waits))
    it(`lasts for days by ${name}, which pass at once`, async () => {
      const host = await startHost({ functions: {} });
      const arn = await host.start(await host.create(machine({ A: { Type: 'Wait', ...how, ...end } })), {
        seconds: 3 * 24 * 3600,
        until: new Date(noon + 3 * day).toISOString(),
      });
      await host.reached(arn, 'WaitStateEntered');
      host.clock.moveBy(3 * day - 1);
      assert.equal((await host.describeExecution(arn)).status, 'RUNNING');
      host.clock.moveBy(1);
      assert.equal((await host.over(arn)).status, 'SUCCEEDED');
    });

  it('ends the whole execution when its time is over', async () => {
    const host = await startHost({ functions: {} });
    const arn = await host.start(
      await host.create(machine({ A: { Type: 'Wait', Seconds: 7200, ...end } }, { TimeoutSeconds: 3600 })),
      {},
    );
    await host.reached(arn, 'WaitStateEntered');
    host.clock.moveBy(hour);
    const { status, error } = await host.over(arn);
    assert.deepEqual([status, error], ['TIMED_OUT', 'States.Timeout']);
    assert.deepEqual(story(await host.history(arn)).slice(2), ['3 <- 2 WaitStateAborted', '4 <- 3 ExecutionTimedOut']);
  });
});

describe('a task that fails', () => {
  it('shows the error by its name, with a cause as Lambda gives it', async () => {
    const host = await startHost({ functions: { fails: () => Promise.reject(named('Case.Busy', 'later')) } });
    const { status, error, cause, events } = await run(host, machine({ A: task('fails') }));
    assert.deepEqual([status, error], ['FAILED', 'Case.Busy']);
    const told = JSON.parse(cause!) as { errorType: string; errorMessage: string; trace: string[] };
    assert.deepEqual([told.errorType, told.errorMessage, Array.isArray(told.trace)], ['Case.Busy', 'later', true]);
    assert.deepEqual(story(events).slice(2), [
      '3 <- 2 TaskScheduled',
      '4 <- 3 TaskStarted',
      '5 <- 4 TaskFailed',
      '6 <- 5 ExecutionFailed',
    ]);
  });

  it('fails with Lambda.ResourceNotFoundException for a function that does not exist', async () => {
    const host = await startHost({ functions: {} });
    assert.equal((await run(host, machine({ A: task('nobody') }))).error, 'Lambda.ResourceNotFoundException');
  });

  it('is retried with growing pauses up to the cap, and the last error is caught', async () => {
    const at: number[] = [];
    const attempts: number[] = [];
    const host = await startHost({
      functions: {
        busy: (_, { attempt }) => {
          at.push((host.clock.now() - noon) / 1000);
          attempts.push(attempt);
          return Promise.reject(named('Busy'));
        },
      },
    });
    const Retry = [
      {
        ErrorEquals: ['Busy'],
        IntervalSeconds: 5,
        BackoffRate: 3,
        MaxAttempts: 3,
        MaxDelaySeconds: 20,
        JitterStrategy: 'FULL',
      },
    ];
    const Catch = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'B' }];
    const arn = await host.start(
      await host.create(machine({ A: task('busy', { Retry, Catch, ...end }), B: { Type: 'Succeed' } })),
      { n: 1 },
    );
    for (const [failures, seconds] of [5, 15, 20].entries()) {
      await host.reached(arn, 'TaskFailed', failures + 1);
      host.clock.moveBy(seconds * 1000);
    }
    const { output, status } = await host.over(arn);
    assert.deepEqual([at, attempts, status], [[0, 5, 20, 40], [0, 1, 2, 3], 'SUCCEEDED']);
    assert.equal((JSON.parse(output!) as { error: { Error: string } }).error.Error, 'Busy');
    assert.equal((JSON.parse(output!) as { n: number }).n, 1);
  });

  it('times out, and what it answers later is not heard', async () => {
    let answer!: (value: unknown) => void;
    const host = await startHost({ functions: { slow: () => new Promise((resolve) => (answer = resolve)) } });
    const arn = await host.start(
      await host.create(
        machine({
          A: task('slow', { TimeoutSeconds: 30, Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'B' }], ...end }),
          B: { Type: 'Wait', Seconds: 60, ...end },
        }),
      ),
      {},
    );
    await host.reached(arn, 'TaskStarted');
    host.clock.moveBy(30_000);
    await host.reached(arn, 'WaitStateEntered');
    answer({ late: true });
    host.clock.moveBy(60_000);
    assert.equal((await host.over(arn)).status, 'SUCCEEDED');
    assert.ok((await host.history(arn)).some((event) => event.taskTimedOutEventDetails?.error === 'States.Timeout'));
  });

  it('neither retries nor catches a definition that does not fit the data', async () => {
    const host = await startHost({ functions: echo });
    const all = [{ ErrorEquals: ['States.ALL'] }];
    const { error, cause } = await run(
      host,
      machine({
        A: task('echo', {
          Parameters: { FunctionName: 'echo', 'Payload.$': '$.missing' },
          Retry: all,
          Catch: [{ ...all[0], Next: 'B' }],
          ...end,
        }),
        B: { Type: 'Succeed' },
      }),
    );
    assert.equal(error, 'States.Runtime');
    assert.match(cause!, /\$\.missing/);
  });
});

describe('Parallel', () => {
  it('runs its branches at once and keeps each branch to itself in the history', async () => {
    const host = await startHost({ functions: echo });
    const branch = (name: string) => ({ StartAt: name, States: { [name]: { Type: 'Pass', Result: name, ...end } } });
    const { output, events } = await run(
      host,
      machine({ Both: { Type: 'Parallel', Branches: [branch('X'), branch('Y')], ResultPath: '$.both', ...end } }),
      { n: 1 },
    );
    assert.deepEqual(output, { n: 1, both: ['X', 'Y'] });
    assert.deepEqual(story(events), [
      '1 <- 0 ExecutionStarted',
      '2 <- 1 ParallelStateEntered',
      '3 <- 2 ParallelStateStarted',
      '4 <- 3 PassStateEntered',
      '5 <- 3 PassStateEntered',
      '6 <- 4 PassStateExited',
      '7 <- 5 PassStateExited',
      '8 <- 7 ParallelStateSucceeded',
      '9 <- 8 ParallelStateExited',
      '10 <- 9 ExecutionSucceeded',
    ]);
  });

  it('ends the other branches when one fails', async () => {
    const host = await startHost({ functions: { fails: () => Promise.reject(named('Broken')) } });
    const { error, events } = await run(
      host,
      machine({
        Both: {
          Type: 'Parallel',
          Branches: [machine({ Waits: { Type: 'Wait', Seconds: 600, ...end } }), machine({ Fails: task('fails') })],
          ...end,
        },
      }),
    );
    assert.equal(error, 'Broken');
    assert.deepEqual(
      events.slice(-4).map((event) => event.type),
      ['TaskFailed', 'WaitStateAborted', 'ParallelStateFailed', 'ExecutionFailed'],
    );
  });

  it('starts over when it is retried', async () => {
    let failures = 1;
    const calls: string[] = [];
    const host = await startHost({
      functions: {
        fine: () => Promise.resolve(void calls.push('fine')),
        flaky: () => (failures-- > 0 ? Promise.reject(named('Flaky')) : Promise.resolve(void calls.push('flaky'))),
      },
    });
    const arn = await host.start(
      await host.create(
        machine({
          Both: {
            Type: 'Parallel',
            Branches: [machine({ A: task('fine') }), machine({ B: task('flaky') })],
            Retry: [{ ErrorEquals: ['Flaky'], IntervalSeconds: 1 }],
            ...end,
          },
        }),
      ),
      {},
    );
    await host.reached(arn, 'ParallelStateFailed');
    host.clock.moveBy(1000);
    assert.equal((await host.over(arn)).status, 'SUCCEEDED');
    assert.deepEqual(calls.toSorted(), ['fine', 'fine', 'flaky']);
  });
});

describe('Map', () => {
  const mapped = (inner: object, more: object = {}) =>
    machine({
      Each: {
        Type: 'Map',
        ItemsPath: '$.items',
        ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, ...machine(inner) },
        ...more,
        ...end,
      },
    });

  it('gives each item its index and keeps the order of the results', async () => {
    const host = await startHost({ functions: echo });
    const { output, events } = await run(
      host,
      mapped(
        { A: task('echo') },
        { ItemSelector: { 'i.$': '$$.Map.Item.Index', 'v.$': '$$.Map.Item.Value', 'all.$': '$.name' } },
      ),
      { name: 'n', items: ['a', 'b'] },
    );
    assert.deepEqual(output, [
      { i: 0, v: 'a', all: 'n' },
      { i: 1, v: 'b', all: 'n' },
    ]);
    assert.deepEqual(events[2]!.mapStateStartedEventDetails, { length: 2 });
    assert.deepEqual(
      events
        .filter((event) => event.type === 'MapIterationSucceeded')
        .map((event) => event.mapIterationSucceededEventDetails),
      [
        { name: 'Each', index: 0 },
        { name: 'Each', index: 1 },
      ],
    );
  });

  it('never runs more items at once than MaxConcurrency', async () => {
    let now = 0;
    let most = 0;
    const busy = async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 3));
      now--;
    };
    const host = await startHost({ functions: { busy } });
    await run(host, mapped({ A: task('busy') }, { MaxConcurrency: 2 }), { items: [1, 2, 3, 4, 5, 6] });
    assert.equal(most, 2);
  });

  it('runs nothing for no items', async () => {
    const host = await startHost({ functions: {} });
    assert.deepEqual((await run(host, mapped({ A: task('nobody') }), { items: [] })).output, []);
  });

  it('loops inside an item, and a failure there can be caught there', async () => {
    const host = await startHost({
      functions: {
        page: (payload) => {
          const { n } = payload as { n: number };
          return n === 9 ? Promise.reject(named('Bad')) : Promise.resolve({ n: n - 1 });
        },
      },
    });
    const { output } = await run(
      host,
      mapped({
        Page: task('page', { Next: 'More', Catch: [{ ErrorEquals: ['Bad'], Next: 'Failed' }] }),
        More: { Type: 'Choice', Choices: [{ Variable: '$.n', NumericGreaterThan: 0, Next: 'Page' }], Default: 'Done' },
        Done: { Type: 'Pass', Result: 'OK', ...end },
        Failed: { Type: 'Pass', Result: 'FAILED', ...end },
      }),
      { items: [{ n: 3 }, { n: 9 }, { n: 1 }] },
    );
    assert.deepEqual(output, ['OK', 'FAILED', 'OK']);
  });

  it('ends the other items when one fails', async () => {
    const host = await startHost({
      functions: { picky: (payload) => (payload === 2 ? Promise.reject(named('Bad')) : new Promise(() => {})) },
    });
    const { error, events } = await run(host, mapped({ A: task('picky') }), { items: [1, 2] });
    assert.equal(error, 'Bad');
    assert.deepEqual(
      events.slice(-6).map((event) => event.type),
      [
        'TaskFailed',
        'MapIterationFailed',
        'TaskStateAborted',
        'MapIterationAborted',
        'MapStateFailed',
        'ExecutionFailed',
      ],
    );
  });
});

describe('stopping', () => {
  it('ends what runs, with the reason given, and changes nothing the second time', async () => {
    const host = await startHost({ functions: { never: () => Promise.resolve() } });
    const arn = await host.start(await host.create(machine({ A: callback('never') })), {});
    await host.reached(arn, 'TaskSubmitted');
    const { stopDate } = await host.stop(arn, { error: 'Operator', cause: 'not needed' });
    const { status, error, cause } = await host.describeExecution(arn);
    assert.deepEqual([status, error, cause], ['ABORTED', 'Operator', 'not needed']);
    assert.deepEqual(story(await host.history(arn)).slice(-2), ['6 <- 5 TaskStateAborted', '7 <- 6 ExecutionAborted']);
    host.clock.moveBy(1000);
    assert.deepEqual((await host.stop(arn)).stopDate, stopDate);
  });
});
