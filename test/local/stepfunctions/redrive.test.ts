import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UpdateStateMachineCommand } from '@aws-sdk/client-sfn';
import { Items } from '../../../local/stepfunctions/items.ts';
import { Journal } from '../../../local/stepfunctions/journal.ts';
import { Reader } from '../../../local/stepfunctions/reader.ts';
import {
  access,
  callback,
  day,
  dynamoDbEndpoint,
  hour,
  machine,
  named,
  nameOf,
  run,
  startHost,
  story,
  task,
  until,
  useDynamoDb,
} from './host.ts';

useDynamoDb();

const echo = (payload: unknown) => Promise.resolve(payload);

/** A function that is broken until it is mended. */
function breakable() {
  const state = { broken: true, calls: 0 };
  const call = () => (state.calls++, state.broken ? Promise.reject(named('Broken')) : Promise.resolve('mended'));
  return { state, call };
}

describe('redriving', () => {
  it('repeats the failed step only, from its own input, and does not enter it again', async () => {
    const second = breakable();
    let first = 0;
    const host = await startHost({ functions: { first: () => Promise.resolve(++first), second: second.call } });
    const { arn, status } = await run(host, machine({ A: task('first', { Next: 'B' }), B: task('second') }));
    assert.equal(status, 'FAILED');
    second.state.broken = false;

    const { redriveDate } = await host.redrive(arn);

    const end = await host.over(arn);
    assert.deepEqual([end.status, end.output, end.error, end.redriveCount], ['SUCCEEDED', '"mended"', undefined, 1]);
    assert.deepEqual(end.redriveDate, redriveDate);
    assert.deepEqual([first, second.state.calls], [1, 2]);
    assert.deepEqual(story(await host.history(arn)).slice(9), [
      '10 <- 9 TaskFailed',
      '11 <- 10 ExecutionFailed',
      '12 <- 11 ExecutionRedriven',
      '13 <- 12 TaskScheduled',
      '14 <- 13 TaskStarted',
      '15 <- 14 TaskSucceeded',
      '16 <- 15 TaskStateExited',
      '17 <- 16 ExecutionSucceeded',
    ]);
  });

  it('repeats only the branches and items that did not finish', async () => {
    const broken = breakable();
    let fine = 0;
    const host = await startHost({
      functions: { page: (payload) => (payload === 'bad' ? broken.call() : Promise.resolve(++fine)) },
    });
    const Each = { Type: 'Map', MaxConcurrency: 1, ItemProcessor: machine({ Page: task('page') }), End: true };
    const { arn } = await run(host, machine({ Each }), ['a', 'bad', 'c']);
    assert.equal(fine, 1);
    broken.state.broken = false;
    await host.redrive(arn);
    assert.equal((await host.over(arn)).output, '[1,"mended",2]');
    assert.equal(fine, 2);
  });

  it('goes on after a Map that is retried with the items of its last attempt', async () => {
    const broken = breakable();
    let fine = 0;
    const host = await startHost({
      functions: { page: (payload) => (payload === 'bad' ? broken.call() : Promise.resolve(++fine)) },
    });
    const Retry = [{ ErrorEquals: ['Broken'], IntervalSeconds: 1, MaxAttempts: 1 }];
    const Each = { Type: 'Map', MaxConcurrency: 1, ItemProcessor: machine({ Page: task('page') }), Retry, End: true };
    const arn = await host.start(await host.create(machine({ Each })), ['a', 'bad']);
    await host.reached(arn, 'MapStateFailed');
    host.clock.moveBy(1000);
    assert.equal((await host.over(arn)).status, 'FAILED');
    broken.state.broken = false;
    await host.redrive(arn);
    assert.equal((await host.over(arn)).output, '[2,"mended"]');
    assert.equal(fine, 2);
  });

  it('gives a waiting task a new token and its whole time again', async () => {
    const tokens: string[] = [];
    const host = await startHost({
      functions: { submit: (payload) => Promise.resolve(void tokens.push((payload as { token: string }).token)) },
    });
    const arn = await host.start(
      await host.create(
        machine({ A: callback('submit', { TimeoutSeconds: 3600, End: true }) }, { TimeoutSeconds: 7000 }),
      ),
      {},
    );
    await host.reached(arn, 'TaskSubmitted');
    host.clock.moveBy(hour);
    assert.equal((await host.over(arn)).error, 'States.Timeout');

    await host.redrive(arn);
    await host.reached(arn, 'TaskSubmitted', 2);
    host.clock.moveBy(hour - 1);
    assert.equal(await nameOf(host.succeed(tokens[0]!, 'old')), 'TaskTimedOut');
    await host.succeed(tokens[1]!, 'new');
    assert.equal((await host.over(arn)).output, '"new"');
  });

  it('goes on after a stop and after the time of the whole execution has run out', async () => {
    const host = await startHost({ functions: {} });
    const arn = await host.start(
      await host.create(machine({ A: { Type: 'Wait', Seconds: 60, End: true } }, { TimeoutSeconds: 90 })),
      {},
    );
    await host.reached(arn, 'WaitStateEntered');
    await host.stop(arn);
    host.clock.moveBy(day);
    await host.redrive(arn);
    assert.equal((await host.describeExecution(arn)).status, 'RUNNING');
    host.clock.moveBy(60_000);
    assert.equal((await host.over(arn)).status, 'SUCCEEDED');
  });

  it('gives a retrier all its attempts again', async () => {
    const broken = breakable();
    const host = await startHost({ functions: { broken: broken.call } });
    const Retry = [{ ErrorEquals: ['Broken'], IntervalSeconds: 1, MaxAttempts: 1 }];
    const arn = await host.start(await host.create(machine({ A: task('broken', { Retry, End: true }) })), {});
    await host.reached(arn, 'TaskFailed');
    host.clock.moveBy(1000);
    await host.over(arn);
    await host.redrive(arn);
    await host.reached(arn, 'TaskFailed', 3);
    broken.state.broken = false;
    host.clock.moveBy(1000);
    assert.equal((await host.over(arn)).status, 'SUCCEEDED');
    assert.equal(broken.state.calls, 4);
  });

  it('keeps the definition the execution began with', async () => {
    const broken = breakable();
    const host = await startHost({ functions: { broken: broken.call, echo } });
    const { arn } = await run(host, machine({ A: task('broken') }));
    const definition = JSON.stringify(machine({ A: { Type: 'Pass', Result: 'changed', End: true } }));
    const stateMachineArn = arn.replace(':execution:', ':stateMachine:').replace(/:execution$/, '');
    await host.sfn.send(new UpdateStateMachineCommand({ stateMachineArn, definition }));
    broken.state.broken = false;
    await host.redrive(arn);
    assert.equal((await host.over(arn)).output, '"mended"');
    const next = await host.start(stateMachineArn, {}, 'next');
    assert.equal((await host.over(next)).output, '"changed"');
  });

  it('is told by the next process where the one that took it died before telling', async () => {
    const broken = breakable();
    const first = await startHost({ functions: { broken: broken.call } });
    const { arn } = await run(first, machine({ A: task('broken') }));
    await until(() => first.events.length === 2);
    const dynamodb = new DynamoDBClient({ endpoint: dynamoDbEndpoint(), ...access });
    await first.close();
    // The death falls between the write that reopens the execution and everything after it.
    const stored = (await new Reader(new Items(dynamodb, first.table)).execution(arn))!;
    const redriven = { status: 'RUNNING', redriveCount: 1, redrivenAt: stored.stoppedAt!, redrivenEvent: 6 } as const;
    await new Journal(new Items(dynamodb, first.table), stored.fence).reopen(
      { ...stored, ...redriven, stoppedAt: undefined, error: undefined, cause: undefined },
      {
        events: [
          { id: 6, previous: 5, at: stored.stoppedAt!, type: 'ExecutionRedriven', details: { redriveCount: 1 } },
        ],
        frames: [],
        tokens: [],
      },
    );

    let finish!: (output: string) => void;
    const finished = new Promise<string>((resolve) => (finish = resolve));
    const second = await startHost({ table: first.table, functions: { broken: () => finished } });
    await until(() => second.events.length === 1);
    assert.deepEqual(
      second.events.map(({ detail }) => [detail.status, detail.redriveCount]),
      [['RUNNING', 1]],
    );
    finish('mended');
    assert.equal((await second.over(arn)).status, 'SUCCEEDED');
    await until(() => second.events.length === 2);
    assert.equal(second.events[1]!.detail.status, 'SUCCEEDED');
  });

  it('is refused for what runs, what succeeded, and after 14 days', async () => {
    const broken = breakable();
    const host = await startHost({ functions: { broken: broken.call } });
    const failed = await run(host, machine({ A: task('broken') }));
    const waits = await host.start(
      await host.create(machine({ A: { Type: 'Wait', Seconds: 1, End: true } }), 'waits'),
      {},
    );
    assert.equal(await nameOf(host.redrive(waits)), 'ExecutionNotRedrivable');
    await host.reached(waits, 'WaitStateEntered');
    host.clock.moveBy(1000);
    await until(async () => (await host.describeExecution(waits)).status === 'SUCCEEDED');
    assert.equal(await nameOf(host.redrive(waits)), 'ExecutionNotRedrivable');
    assert.equal((await host.describeExecution(failed.arn)).redriveStatus, 'REDRIVABLE');
    host.clock.moveBy(14 * day);
    assert.equal((await host.describeExecution(failed.arn)).redriveStatus, 'NOT_REDRIVABLE');
    assert.equal(await nameOf(host.redrive(failed.arn)), 'ExecutionNotRedrivable');
  });
});
