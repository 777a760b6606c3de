import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  RedriveExecutionCommand,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
  type DescribeExecutionCommandOutput,
  type HistoryEvent,
} from '@aws-sdk/client-sfn';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startDynamoDb, type DynamoDb } from '../../../local/dynamodb.ts';
import { movableClock } from '../../../local/stepfunctions/clock.ts';
import type { StatusChange } from '../../../local/stepfunctions/announce.ts';
import type { TaskFunction } from '../../../local/stepfunctions/run.ts';
import { startStepFunctions, type StepFunctionsOptions } from '../../../local/stepfunctions/start.ts';

export const access = { region: 'eu-central-1', credentials: { accessKeyId: 'embedded', secretAccessKey: 'embedded' } };
export const noon = Date.parse('2026-03-02T12:00:00.000Z');
export const hour = 3_600_000;
export const day = 24 * hour;

let engine: DynamoDb;
let tables = 0;
const open = new Set<{ close(): Promise<void> }>();

/** One DynamoDB for the tests of a file, a table for each test. */
export function useDynamoDb(): void {
  beforeAll(async () => {
    engine = await startDynamoDb({});
  });
  afterEach(async () => {
    await Promise.all([...open].map((host) => host.close()));
    open.clear();
  });
  afterAll(() => engine.stop());
}

export const dynamoDbEndpoint = () => engine.endpoint;
export const newTable = () => `stepfunctions-${process.pid}-${++tables}`;

export type Host = Awaited<ReturnType<typeof startHost>>;

type Settings = Partial<Omit<StepFunctionsOptions, 'clock'>> & {
  clock?: ReturnType<typeof movableClock>;
  functions: Record<string, TaskFunction>;
};

export async function startHost(settings: Settings) {
  const clock = settings.clock ?? movableClock(noon);
  const table = settings.table ?? newTable();
  const dynamodb = settings.dynamodb ?? new DynamoDBClient({ endpoint: engine.endpoint, ...access });
  const events: StatusChange[] = [];
  const running = await startStepFunctions({
    random: () => 1,
    exclusive: true,
    onStatusChange: (event) => Promise.resolve(void events.push(event)),
    ...settings,
    dynamodb,
    table,
    clock,
  });
  const host = { close: () => running.close() };
  open.add(host);
  const sfn = new SFNClient({ endpoint: running.endpoint, maxAttempts: 1, ...access });
  const describeExecution = (executionArn: string) => sfn.send(new DescribeExecutionCommand({ executionArn }));
  return {
    ...{ sfn, clock, table, events, endpoint: running.endpoint, describeExecution },
    close: async () => {
      open.delete(host);
      await running.close();
    },
    create: async (definition: object, name = 'machine') =>
      (
        await sfn.send(
          new CreateStateMachineCommand({
            name,
            roleArn: 'arn:aws:iam::000000000000:role/states',
            definition: JSON.stringify(definition),
          }),
        )
      ).stateMachineArn!,
    start: async (stateMachineArn: string, input: unknown, name = 'execution') =>
      (await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) })))
        .executionArn!,
    stop: (executionArn: string, why?: { error: string; cause: string }) =>
      sfn.send(new StopExecutionCommand({ executionArn, ...why })),
    redrive: (executionArn: string) => sfn.send(new RedriveExecutionCommand({ executionArn })),
    succeed: (taskToken: string, output: unknown) =>
      sfn.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) })),
    fail: (taskToken: string, error: string, cause: string) =>
      sfn.send(new SendTaskFailureCommand({ taskToken, error, cause })),
    heartbeat: (taskToken: string) => sfn.send(new SendTaskHeartbeatCommand({ taskToken })),
    history: (executionArn: string) => history(sfn, executionArn),
    /** Waits until the history has that many events of the type. */
    reached: (executionArn: string, type: string, count = 1) =>
      until(async () => (await history(sfn, executionArn)).filter((event) => event.type === type).length >= count),
    /** Waits until the execution is over. */
    over: async (executionArn: string): Promise<DescribeExecutionCommandOutput> => {
      await until(async () => (await describeExecution(executionArn)).status !== 'RUNNING');
      return describeExecution(executionArn);
    },
  };
}

/** Creates a machine, runs it to its end and answers how it ended, with its history. */
export async function run(host: Host, definition: object, input: unknown = {}) {
  const arn = await host.start(await host.create(definition), input);
  const end = await host.over(arn);
  return {
    arn,
    ...end,
    output: end.output === undefined ? undefined : (JSON.parse(end.output) as unknown),
    events: await host.history(arn),
  };
}

async function history(sfn: SFNClient, executionArn: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for (let nextToken: string | undefined, more = true; more; more = nextToken !== undefined) {
    const page = await sfn.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000, nextToken }));
    events.push(...page.events!);
    nextToken = page.nextToken;
  }
  return events;
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 2000) throw new Error('it never came to that');
    await pause(3);
  }
}

/** `id <- previous type`, which is what a person checks a history by. */
export const story = (events: HistoryEvent[]) =>
  events.map((event) => `${event.id} <- ${event.previousEventId} ${event.type}`);

export const nameOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: Error) => error.name,
  );

/** An error as a task function throws it. */
export function named(name: string, message = 'as the test wants it'): Error {
  return Object.assign(new Error(message), { name });
}

// Short forms of the states the tests are made of.
export const machine = (States: object, more: object = {}) => ({ StartAt: Object.keys(States)[0], States, ...more });
export const task = (FunctionName: string, more: object = { End: true }) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName, 'Payload.$': '$' },
  OutputPath: '$.Payload',
  ...more,
});
export const callback = (FunctionName: string, more: object = { End: true }) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  Parameters: { FunctionName, Payload: { 'token.$': '$$.Task.Token', 'input.$': '$' } },
  ...more,
});
