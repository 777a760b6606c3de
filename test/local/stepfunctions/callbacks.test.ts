import assert from 'node:assert/strict';
import { DynamoDBClient, type TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, it } from 'vitest';
import { access, callback, dynamoDbEndpoint, hour, machine, named, nameOf, startHost, story, until } from './host.ts';
import { useDynamoDb, type Host } from './host.ts';

useDynamoDb();

/** A machine whose one task gives its token away; the tokens given so far. */
async function waiting(
  more: object = { End: true },
  submit: (token: string) => Promise<unknown> = () => Promise.resolve({ queued: true }),
  dynamodb?: DynamoDBClient,
) {
  const tokens: string[] = [];
  const submitted = (payload: unknown) => {
    const { token } = payload as { token: string };
    tokens.push(token);
    return submit(token);
  };
  const host = await startHost({ functions: { submit: submitted }, ...(dynamodb && { dynamodb }) });
  const arn = await host.start(
    await host.create(machine({ Submit: callback('submit', more), After: { Type: 'Succeed' } })),
    { id: 7 },
  );
  await until(() => tokens.length === 1);
  return { host, arn, tokens };
}

describe('a task that waits for its token', () => {
  it('ends with the answer, which stands in the history after the submission', async () => {
    const { host, arn, tokens } = await waiting();
    await host.reached(arn, 'TaskSubmitted');
    await host.succeed(tokens[0]!, { number: 'R-1' });
    const { output } = await host.over(arn);
    assert.equal(output, '{"number":"R-1"}');
    assert.deepEqual(story(await host.history(arn)).slice(1), [
      '2 <- 1 TaskStateEntered',
      '3 <- 2 TaskScheduled',
      '4 <- 3 TaskStarted',
      '5 <- 4 TaskSubmitted',
      '6 <- 5 TaskSucceeded',
      '7 <- 6 TaskStateExited',
      '8 <- 7 ExecutionSucceeded',
    ]);
  });

  it('fails with the error it is answered, which can be caught', async () => {
    const Catch = [{ ErrorEquals: ['Registry.Refused'], ResultPath: '$.refusal', Next: 'After' }];
    const { host, arn, tokens } = await waiting({ Catch, End: true });
    await host.fail(tokens[0]!, 'Registry.Refused', 'no such party');
    const { output } = await host.over(arn);
    assert.deepEqual(JSON.parse(output!), { id: 7, refusal: { Error: 'Registry.Refused', Cause: 'no such party' } });
  });

  it('takes an answer that comes before the function has returned', async () => {
    let returned = false;
    const functions = {
      submit: async (payload: unknown) => {
        await host.succeed((payload as { token: string }).token, 'early');
        returned = true;
      },
    };
    const host: Host = await startHost({ functions });
    const arn = await host.start(await host.create(machine({ Submit: callback('submit') })), {});
    assert.equal((await host.over(arn)).output, '"early"');
    await until(() => returned);
  });

  it('lets an answer win over an error the function throws afterwards', async () => {
    const functions = {
      submit: async (payload: unknown) => {
        await host.succeed((payload as { token: string }).token, 'early');
        throw named('TooLate');
      },
    };
    const host: Host = await startHost({ functions });
    const arn = await host.start(await host.create(machine({ Submit: callback('submit') })), {});
    assert.equal((await host.over(arn)).output, '"early"');
  });

  it('fails at once when the function throws', async () => {
    const { host, arn } = await waiting({ End: true }, () => Promise.reject(named('Registry.Down')));
    assert.equal((await host.over(arn)).error, 'Registry.Down');
  });

  it('times out at its deadline, heartbeats or not', async () => {
    const { host, arn, tokens } = await waiting({ TimeoutSeconds: 5400, HeartbeatSeconds: 3600, End: true });
    await host.reached(arn, 'TaskSubmitted');
    host.clock.moveBy(hour - 1);
    await host.heartbeat(tokens[0]!);
    host.clock.moveBy(hour / 2 + 1);
    assert.equal((await host.over(arn)).error, 'States.Timeout');
  });

  it('times out without heartbeats, and lives on with them', async () => {
    const { host, arn, tokens } = await waiting({ HeartbeatSeconds: 3600, End: true });
    await host.reached(arn, 'TaskSubmitted');
    for (let beat = 0; beat < 5; beat++) {
      host.clock.moveBy(hour - 1);
      await host.heartbeat(tokens[0]!);
    }
    assert.equal((await host.describeExecution(arn)).status, 'RUNNING');
    host.clock.moveBy(hour);
    assert.equal((await host.over(arn)).error, 'States.HeartbeatTimeout');
  });

  it('gets a new token when it is retried', async () => {
    const Retry = [{ ErrorEquals: ['Again'], IntervalSeconds: 1, MaxAttempts: 1 }];
    const { host, arn, tokens } = await waiting({ Retry, End: true });
    await host.fail(tokens[0]!, 'Again', '');
    await host.reached(arn, 'TaskFailed');
    host.clock.moveBy(1000);
    await until(() => tokens.length === 2);
    assert.notEqual(tokens[0], tokens[1]);
    assert.equal(await nameOf(host.succeed(tokens[0]!, 1)), 'TaskTimedOut');
    await host.succeed(tokens[1]!, 2);
    assert.equal((await host.over(arn)).output, '2');
  });
});

describe('a token', () => {
  it('is answered once', async () => {
    const { host, arn, tokens } = await waiting({ Next: 'After' });
    const answers = await Promise.all([1, 2, 3].map((n) => nameOf(host.succeed(tokens[0]!, n))));
    assert.deepEqual(answers.toSorted(), ['TaskTimedOut', 'TaskTimedOut', 'no error']);
    assert.equal((await host.over(arn)).status, 'SUCCEEDED');
  });

  it('is of no use once its task or its execution is over', async () => {
    const { host, arn, tokens } = await waiting();
    await host.stop(arn);
    assert.equal(await nameOf(host.succeed(tokens[0]!, 1)), 'TaskTimedOut');
    assert.equal(await nameOf(host.fail(tokens[0]!, 'E', '')), 'TaskTimedOut');
    assert.equal(await nameOf(host.heartbeat(tokens[0]!)), 'TaskTimedOut');
  });

  it('that was never given out is invalid', async () => {
    const { host } = await waiting();
    assert.equal(await nameOf(host.succeed('invented', 1)), 'InvalidToken');
  });
});

/** A client whose writes of answers fail while a failure is set: before they reach the database, or after. */
function failingAnswers() {
  const failing: { when?: 'before' | 'after'; meanwhile?: () => Promise<void> } = {};
  const dynamodb = new DynamoDBClient({ endpoint: dynamoDbEndpoint(), ...access });
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const { TransactItems = [] } = args.input as Partial<TransactWriteItemsCommandInput>;
      const { when, meanwhile } = failing;
      if (!when || !TransactItems.some(({ Put }) => Put?.Item?.['answer'])) return next(args);
      if (when === 'after') await next(args);
      await meanwhile?.();
      throw named('TimeoutError');
    },
    { step: 'initialize' },
  );
  return { failing, dynamodb };
}

describe('an answer that could not be written down', () => {
  const timed = { TimeoutSeconds: 5400, HeartbeatSeconds: 3600, End: true };
  const submitted = () => Promise.resolve({ queued: true });

  it('can be given again', async () => {
    const { failing, dynamodb } = failingAnswers();
    const { host, arn, tokens } = await waiting(timed, submitted, dynamodb);
    failing.when = 'before';
    assert.equal(await nameOf(host.succeed(tokens[0]!, 1)), 'InternalServerException');
    delete failing.when;
    await host.heartbeat(tokens[0]!);
    await host.succeed(tokens[0]!, 1);
    assert.equal((await host.over(arn)).output, '1');
  });

  for (const [error, rest] of [
    ['States.HeartbeatTimeout', timed],
    ['States.Timeout', { ...timed, TimeoutSeconds: 3600, HeartbeatSeconds: undefined }],
  ] as const)
    it(`leaves the task mortal: ${error}`, async () => {
      const { failing, dynamodb } = failingAnswers();
      const { host, arn, tokens } = await waiting(rest, submitted, dynamodb);
      await host.reached(arn, 'TaskSubmitted');
      failing.when = 'before';
      assert.equal(await nameOf(host.succeed(tokens[0]!, 1)), 'InternalServerException');
      host.clock.moveBy(hour);
      assert.equal((await host.over(arn)).error, error);
    });

  it('puts the time-out that fell due meanwhile off, and does not lose it', async () => {
    const { failing, dynamodb } = failingAnswers();
    const { host, arn, tokens } = await waiting(timed, submitted, dynamodb);
    await host.reached(arn, 'TaskSubmitted');
    Object.assign(failing, { when: 'before', meanwhile: () => Promise.resolve(host.clock.moveBy(hour)) });
    assert.equal(await nameOf(host.fail(tokens[0]!, 'E', '')), 'InternalServerException');
    assert.equal((await host.over(arn)).error, 'States.HeartbeatTimeout');
  });

  it('still lets the error of its function end the task', async () => {
    const { failing, dynamodb } = failingAnswers();
    failing.when = 'before';
    const answered = async (token: string) => {
      await host.fail(token, 'E', '').catch(() => undefined);
      throw named('Registry.Down');
    };
    const host: Host = await startHost({
      functions: { submit: (payload) => answered((payload as { token: string }).token) },
      dynamodb,
    });
    const arn = await host.start(await host.create(machine({ Submit: callback('submit') })), {});
    assert.equal((await host.over(arn)).error, 'Registry.Down');
  });

  it('ends the task where it was written all the same', async () => {
    const { failing, dynamodb } = failingAnswers();
    const { host, arn, tokens } = await waiting(timed, submitted, dynamodb);
    failing.when = 'after';
    await host.succeed(tokens[0]!, 1);
    assert.equal((await host.over(arn)).output, '1');
  });
});
