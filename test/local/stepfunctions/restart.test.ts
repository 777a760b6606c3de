import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  CreateStateMachineCommand,
  GetExecutionHistoryCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { describe, it } from 'vitest';
import { movableClock } from '../../../local/stepfunctions/clock.ts';
import {
  access,
  callback,
  day,
  dynamoDbEndpoint,
  hour,
  machine,
  named,
  nameOf,
  newTable,
  noon,
  run,
  startHost,
  story,
  task,
  until,
  useDynamoDb,
} from './host.ts';

useDynamoDb();

type Line = { called?: string; execution?: string; payload?: { token: string }; endpoint?: string };

/** A host in another process, what it says, and a way to kill it as a power cut would. */
async function startProcess(table: string) {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'hostProcess.ts'), dynamoDbEndpoint(), table];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: Line[] = [];
  createInterface(child.stdout!).on('line', (line) => lines.push(JSON.parse(line) as Line));
  await until(() => lines.some((line) => line.endpoint));
  const sfn = new SFNClient({ endpoint: lines.find((line) => line.endpoint)!.endpoint, maxAttempts: 1, ...access });
  return {
    ...{ sfn, lines },
    called: (name: string) => until(() => lines.some((line) => line.called === name)),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const roleArn = 'arn:aws:iam::000000000000:role/states';

const isSubmitted = async (sfn: SFNClient, executionArn: string) => {
  const { events } = await sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  return events!.some((event) => event.type === 'TaskSubmitted');
};

describe('after SIGKILL', () => {
  it('goes on with the step it stood at, keeps tokens and deadlines, and repeats nothing that was finished', async () => {
    const table = newTable();
    const dead = await startProcess(table);
    const start = async (name: string, definition: object) => {
      const created = await dead.sfn.send(
        new CreateStateMachineCommand({ name, roleArn, definition: JSON.stringify(definition) }),
      );
      const started = await dead.sfn.send(
        new StartExecutionCommand({ stateMachineArn: created.stateMachineArn, name: 'execution', input: '{}' }),
      );
      return started.executionArn!;
    };
    const first = (Next: string) => task('first', { ResultPath: null, OutputPath: '$', Next });
    const waits = await start('waits', machine({ A: first('B'), B: { Type: 'Wait', Seconds: 3600, End: true } }));
    const submits = await start(
      'submits',
      machine({ A: first('B'), B: callback('submit', { TimeoutSeconds: 7200, End: true }) }),
    );
    const answered = await start('answered', machine({ A: callback('submit', { Next: 'B' }), B: task('hangs') }));
    const between = await start('between', machine({ A: first('B'), B: task('hangs') }));
    const both = await start(
      'both',
      machine({
        P: {
          Type: 'Parallel',
          Branches: [machine({ Quick: task('first') }), machine({ Slow: task('hangs') })],
          End: true,
        },
      }),
    );
    await until(() => isSubmitted(dead.sfn, submits));
    await until(() => isSubmitted(dead.sfn, answered));
    await until(() => dead.lines.filter((line) => line.called === 'hangs').length === 2);
    const tokenOf = (arn: string) =>
      dead.lines.find((line) => line.called === 'submit' && line.execution === arn)!.payload!.token;
    const submitToken = tokenOf(submits);
    await dead.sfn.send(new SendTaskSuccessCommand({ taskToken: tokenOf(answered), output: '"kept"' }));
    await dead.kill();

    const calls: string[] = [];
    const call = (name: string) => () => Promise.resolve(void calls.push(name));
    const clock = movableClock(Date.now());
    const host = await startHost({
      table,
      clock,
      functions: { first: call('first'), submit: call('submit'), hangs: call('hangs') },
    });

    assert.equal((await host.over(between)).status, 'SUCCEEDED');
    assert.equal((await host.over(answered)).status, 'SUCCEEDED');
    assert.equal((await host.over(both)).status, 'SUCCEEDED');
    assert.deepEqual(calls, ['hangs', 'hangs', 'hangs'], 'only what was not finished is called again');
    const passed = (await host.history(answered)).find((event) => event.type === 'TaskSucceeded');
    assert.equal(passed!.taskSucceededEventDetails!.output, '"kept"');

    assert.equal((await host.describeExecution(submits)).status, 'RUNNING');
    await host.succeed(submitToken, 'R-1');
    assert.equal((await host.over(submits)).output, '"R-1"');

    clock.moveBy(hour);
    assert.equal((await host.over(waits)).status, 'SUCCEEDED');
    assert.deepEqual(story(await host.history(waits)).at(-1), '9 <- 8 ExecutionSucceeded');
  });
});

describe('after a restart', () => {
  const restart = async (
    definition: object,
    functions: Parameters<typeof startHost>[0]['functions'],
    reach: string,
    whileDown: number,
  ) => {
    const clock = movableClock(noon);
    const first = await startHost({ clock, functions });
    const arn = await first.start(await first.create(definition), {});
    await first.reached(arn, reach);
    await first.close();
    clock.moveBy(whileDown);
    const second = await startHost({ clock, table: first.table, functions });
    return { arn, host: second };
  };

  it('ends a wait at once that ran out meanwhile', async () => {
    const { arn, host } = await restart(
      machine({ A: { Type: 'Wait', Seconds: 3600, End: true } }),
      {},
      'WaitStateEntered',
      2 * day,
    );
    assert.equal((await host.over(arn)).status, 'SUCCEEDED');
  });

  it('counts attempts and their pause on', async () => {
    let calls = 0;
    const functions = { broken: () => (calls++, Promise.reject(named('Broken'))) };
    const Retry = [{ ErrorEquals: ['Broken'], IntervalSeconds: 60, MaxAttempts: 1 }];
    const { arn, host } = await restart(
      machine({ A: task('broken', { Retry, End: true }) }),
      functions,
      'TaskFailed',
      59_999,
    );
    assert.equal((await host.describeExecution(arn)).status, 'RUNNING');
    host.clock.moveBy(1);
    assert.equal((await host.over(arn)).error, 'Broken');
    assert.equal(calls, 2);
  });

  it('keeps a heartbeat that was given, and its deadline', async () => {
    const tokens: string[] = [];
    const functions = {
      submit: (payload: unknown) => Promise.resolve(void tokens.push((payload as { token: string }).token)),
    };
    const { arn, host } = await restart(
      machine({ A: callback('submit', { HeartbeatSeconds: 3600, End: true }) }),
      functions,
      'TaskSubmitted',
      hour - 1,
    );
    await host.heartbeat(tokens[0]!);
    await host.close();
    host.clock.moveBy(hour - 1);
    const third = await startHost({ clock: host.clock, table: host.table, functions });
    assert.equal((await third.describeExecution(arn)).status, 'RUNNING');
    third.clock.moveBy(1);
    assert.equal((await third.over(arn)).error, 'States.HeartbeatTimeout');
    assert.equal(tokens.length, 1);
  });

  it('gives a call that died with its process its whole time again', async () => {
    const { arn, host } = await restart(
      machine({ A: task('hangs', { TimeoutSeconds: 30, End: true }) }),
      { hangs: () => new Promise(() => {}) },
      'TaskStarted',
      day,
    );
    await host.reached(arn, 'TaskStarted');
    host.clock.moveBy(30_000);
    assert.equal((await host.over(arn)).error, 'States.Timeout');
  });

  it('finds machines, ended executions and taken names', async () => {
    const host = await startHost({ functions: {} });
    const pass = machine({ A: { Type: 'Pass', End: true } });
    const { arn } = await run(host, pass, { n: 1 });
    await host.close();
    const next = await startHost({ table: host.table, functions: {} });
    assert.equal((await next.describeExecution(arn)).output, '{"n":1}');
    assert.equal(await nameOf(next.start(await next.create(pass), { n: 1 })), 'ExecutionAlreadyExists');
  });
});

/** Lets writes through up to a number, then every call fails: a process that has died at that point. */
function dyingClient(writes: number) {
  const client = new DynamoDBClient({ endpoint: dynamoDbEndpoint(), maxAttempts: 1, ...access });
  let left = writes;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== TransactWriteItemsCommand.name) return next(args);
      if (left-- > 0) return next(args);
      throw named('Dead');
    },
    { step: 'initialize' },
  );
  return client;
}

describe('a process that dies at any write', () => {
  it('loses nothing and repeats no finished step', async () => {
    const definition = machine({
      A: task('count', { ResultPath: null, OutputPath: '$', Next: 'Each' }),
      Each: { Type: 'Map', ItemProcessor: machine({ Page: task('count') }), ResultPath: null, Next: 'B' },
      B: task('count', { ResultPath: null, OutputPath: '$', Next: 'Done' }),
      Done: { Type: 'Pass', Result: 'done', End: true },
    });
    for (let writes = 1; writes <= 6; writes++) {
      const calls: unknown[] = [];
      const functions = { count: (payload: unknown) => Promise.resolve(void calls.push(payload)) };
      const dying = await startHost({ functions, dynamodb: dyingClient(writes) });
      const arn = await dying.start(await dying.create(definition), [1, 2]);
      await Promise.race([dying.over(arn), until(() => dying.clock.sleepers() > 0)]); // it stands still at a write, or is over
      await dying.close();
      const after = await startHost({ functions, table: dying.table });
      assert.equal((await after.over(arn)).output, '"done"', `died at write ${writes}`);
      assert.ok(
        calls.length <= 4 + 2,
        `at most the step in progress is repeated, not ${calls.length - 4} (write ${writes})`,
      );
      const ids = (await after.history(arn)).map((event) => event.id);
      assert.deepEqual(
        ids,
        Array.from({ length: ids.length }, (_, n) => n + 1),
      );
    }
  });
});
