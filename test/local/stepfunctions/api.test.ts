import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  CreateStateMachineCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  StartExecutionCommand,
  TagResourceCommand,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn';
import { callback, machine, nameOf, named, noon, run, startHost, task, until, useDynamoDb } from './host.ts';

useDynamoDb();

const pass = machine({ A: { Type: 'Pass', End: true } });
const roleArn = 'arn:aws:iam::000000000000:role/states';

describe('state machines', () => {
  it('are created once, and again with the same definition', async () => {
    const host = await startHost({ functions: {} });
    const arn = await host.create(pass);
    assert.equal(arn, 'arn:aws:states:eu-central-1:000000000000:stateMachine:machine');
    assert.equal(await host.create(pass), arn);
    assert.equal(await nameOf(host.create(machine({ B: { Type: 'Succeed' } }))), 'StateMachineAlreadyExists');
    assert.equal(await nameOf(host.create(pass, 'not a name')), 'InvalidName');
    assert.equal(
      await nameOf(
        host.sfn.send(new CreateStateMachineCommand({ name: 'x', roleArn, definition: '{}', type: 'EXPRESS' })),
      ),
      'InvalidDefinition',
    );
    assert.equal(
      await nameOf(
        host.sfn.send(
          new CreateStateMachineCommand({ name: 'x', roleArn, definition: JSON.stringify(pass), type: 'EXPRESS' }),
        ),
      ),
      'StateMachineTypeNotSupported',
    );
  });

  it('are described and listed', async () => {
    const host = await startHost({ functions: {} });
    const stateMachineArn = await host.create(pass);
    const described = await host.sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
    const { name, status, type, definition, creationDate } = described;
    assert.deepEqual(
      [name, status, type, definition, creationDate!.getTime()],
      ['machine', 'ACTIVE', 'STANDARD', JSON.stringify(pass), noon],
    );
    assert.equal(described.roleArn, roleArn);
    await host.create(pass, 'other');
    const { stateMachines } = await host.sfn.send(new ListStateMachinesCommand({}));
    assert.deepEqual(
      stateMachines!.map((one) => one.name),
      ['machine', 'other'],
    );
    const unknown = stateMachineArn.replace(/machine$/, 'unknown');
    assert.equal(
      await nameOf(host.sfn.send(new DescribeStateMachineCommand({ stateMachineArn: unknown }))),
      'StateMachineDoesNotExist',
    );
    assert.equal(await nameOf(host.sfn.send(new DescribeStateMachineCommand({ stateMachineArn: 'x' }))), 'InvalidArn');
  });

  it('can be changed, while what runs keeps the definition it began with, also across a restart', async () => {
    const host = await startHost({ functions: {} });
    const waits = machine({
      A: { Type: 'Wait', Seconds: 60, Next: 'B' },
      B: { Type: 'Pass', Result: 'old', End: true },
    });
    const stateMachineArn = await host.create(waits);
    const arn = await host.start(stateMachineArn, {});
    const definition = JSON.stringify(machine({ A: { Type: 'Pass', Result: 'new', End: true } }));
    await host.sfn.send(new UpdateStateMachineCommand({ stateMachineArn, definition }));
    await host.close();
    const next = await startHost({ table: host.table, functions: {} });
    next.clock.moveBy(60_000);
    assert.equal((await next.over(arn)).output, '"old"');
    assert.equal((await next.over(await next.start(stateMachineArn, {}, 'second'))).output, '"new"');
    assert.equal(
      await nameOf(next.sfn.send(new UpdateStateMachineCommand({ stateMachineArn, definition: '{"StartAt":"A"}' }))),
      'InvalidDefinition',
    );
  });
});

describe('starting an execution', () => {
  it('twice with the same name and input is one start while it runs, and refused afterwards', async () => {
    let calls = 0;
    const host = await startHost({ functions: { submit: () => Promise.resolve(++calls) } });
    const stateMachineArn = await host.create(machine({ A: callback('submit') }));
    const start = (input: unknown) =>
      host.sfn.send(new StartExecutionCommand({ stateMachineArn, name: 'one', input: JSON.stringify(input) }));
    const starts = await Promise.all([start({ n: 1 }), start({ n: 1 }), start({ n: 1 })]);
    assert.equal(new Set(starts.map((one) => one.startDate!.getTime())).size, 1);
    assert.equal(await nameOf(start({ n: 2 })), 'ExecutionAlreadyExists');
    await host.reached(starts[0].executionArn!, 'TaskSubmitted');
    assert.equal(calls, 1);
    await host.stop(starts[0].executionArn!);
    assert.equal(await nameOf(start({ n: 1 })), 'ExecutionAlreadyExists');
  });

  it('without a name or an input gives it both', async () => {
    const host = await startHost({ functions: {} });
    const stateMachineArn = await host.create(pass);
    const { executionArn } = await host.sfn.send(new StartExecutionCommand({ stateMachineArn }));
    assert.match(executionArn!, /:execution:machine:[0-9a-f-]{36}$/);
    assert.equal((await host.over(executionArn!)).input, '{}');
  });

  it('through an alias starts the current definition', async () => {
    const host = await startHost({ functions: {} });
    const arn = await host.start(`${await host.create(pass)}:live`, {});
    assert.equal((await host.describeExecution(arn)).stateMachineArn, await host.create(pass));
  });

  it('refuses what is not JSON', async () => {
    const host = await startHost({ functions: {} });
    const stateMachineArn = await host.create(pass);
    assert.equal(
      await nameOf(host.sfn.send(new StartExecutionCommand({ stateMachineArn, input: '{' }))),
      'InvalidExecutionInput',
    );
  });
});

describe('executions', () => {
  it('are listed latest first, by status and in pages', async () => {
    const host = await startHost({ functions: { fails: () => Promise.reject(named('E')) } });
    const stateMachineArn = await host.create(
      machine({
        A: { Type: 'Choice', Choices: [{ Variable: '$', IsNumeric: true, Next: 'B' }], Default: 'C' },
        B: task('fails'),
        C: { Type: 'Succeed' },
      }),
    );
    for (const [n, input] of [1, 'a', 2, 'b', 3].entries()) {
      await host.over(await host.start(stateMachineArn, input, `run-${n}`));
      host.clock.moveBy(1000);
    }
    const list = async (more: object) => {
      const page = await host.sfn.send(new ListExecutionsCommand({ stateMachineArn, ...more }));
      return { names: page.executions!.map((one) => one.name), nextToken: page.nextToken };
    };
    assert.deepEqual((await list({})).names, ['run-4', 'run-3', 'run-2', 'run-1', 'run-0']);
    const first = await list({ maxResults: 2, statusFilter: 'FAILED' });
    assert.deepEqual(first.names, ['run-4', 'run-2']);
    assert.deepEqual((await list({ maxResults: 2, statusFilter: 'FAILED', nextToken: first.nextToken })).names, [
      'run-0',
    ]);
    assert.deepEqual((await list({ statusFilter: 'RUNNING' })).names, []);
  });

  it('that do not exist are said not to', async () => {
    const host = await startHost({ functions: {} });
    const arn = 'arn:aws:states:eu-central-1:000000000000:execution:machine:nobody';
    const asked = [host.describeExecution, host.stop, host.redrive, host.history];
    for (const ask of asked) assert.equal(await nameOf(ask(arn)), 'ExecutionDoesNotExist');
  });

  it('show the history of what runs, backwards, too, and without its data if so asked', async () => {
    const host = await startHost({ functions: { hangs: () => new Promise(() => {}) } });
    const executionArn = await host.start(await host.create(machine({ A: task('hangs') })), { secret: 1 });
    await host.reached(executionArn, 'TaskStarted');
    const { events } = await host.sfn.send(
      new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, includeExecutionData: false }),
    );
    assert.deepEqual(
      events!.map((event) => event.type),
      ['TaskStarted', 'TaskScheduled', 'TaskStateEntered', 'ExecutionStarted'],
    );
    assert.ok(!JSON.stringify(events).includes('secret'));
  });
});

describe('an operation that is not part of it', () => {
  it('is refused by name', async () => {
    const host = await startHost({ functions: {} });
    assert.equal(
      await nameOf(host.sfn.send(new TagResourceCommand({ resourceArn: 'x', tags: [] }))),
      'UnknownOperationException',
    );
  });
});

describe('status changes', () => {
  it('are told as EventBridge tells them', async () => {
    const host = await startHost({ functions: { fails: () => Promise.reject(named('Broken')) } });
    const { arn, cause } = await run(host, machine({ A: task('fails') }), { n: 1 });
    await until(() => host.events.length === 2);
    assert.deepEqual(
      host.events.map(({ detail }) => detail.status),
      ['RUNNING', 'FAILED'],
    );
    assert.deepEqual(host.events[1], {
      detailType: 'Step Functions Execution Status Change',
      detail: {
        executionArn: arn,
        stateMachineArn: 'arn:aws:states:eu-central-1:000000000000:stateMachine:machine',
        name: 'execution',
        status: 'FAILED',
        startDate: noon,
        stopDate: noon,
        input: '{"n":1}',
        inputDetails: { included: true },
        output: null,
        outputDetails: null,
        error: 'Broken',
        cause,
        redriveCount: 0,
        redriveDate: null,
        redriveStatus: 'REDRIVABLE',
        redriveStatusReason: null,
      },
    });
  });

  it('are told again until somebody hears the end, also after a restart', async () => {
    let deaf = true;
    const heard: string[] = [];
    const onStatusChange = ({ detail }: { detail: { status: string } }) =>
      deaf ? Promise.reject(new Error('deaf')) : Promise.resolve(void heard.push(detail.status));
    const host = await startHost({ functions: {}, onStatusChange });
    await run(host, pass);
    await host.close();
    deaf = false;
    const next = await startHost({ table: host.table, functions: {}, onStatusChange });
    await until(() => heard.length > 0);
    assert.deepEqual(heard, ['SUCCEEDED']);
    await next.close();
    await startHost({ table: host.table, functions: {}, onStatusChange });
    assert.deepEqual(heard, ['SUCCEEDED'], 'once heard, it is not told again');
  });

  it('tell of a redrive', async () => {
    const host = await startHost({ functions: { fails: () => Promise.reject(named('Broken')) } });
    const { arn } = await run(host, machine({ A: task('fails') }));
    await host.redrive(arn);
    await until(() => host.events.length === 4);
    assert.deepEqual(
      host.events.map(({ detail }) => `${detail.status} ${detail.redriveCount}`),
      ['RUNNING 0', 'FAILED 0', 'RUNNING 1', 'FAILED 1'],
    );
  });
});
