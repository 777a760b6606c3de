import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { redriveStatus } from './announce.ts';
import { checkName, machineArn, machineOf } from './arn.ts';
import { definitionProblems } from './checkDefinition.ts';
import type { Engine } from './engine.ts';
import { ApiError } from './errors.ts';
import { LARGEST_DATA } from './dataflow.ts';
import { summary, type Executions } from './executions.ts';
import { readHistory } from './historyPage.ts';
import type { Answer, Status } from './journal.ts';
import { revisionOf, type MachineRecord, type Machines } from './machines.ts';
import type { Services } from './run.ts';

export type Request = Record<string, unknown>;
export type Operation = (request: Request) => Promise<object>;

/** The operations of the Step Functions API that exist here, by name. */
export function operations(
  services: Services,
  machines: Machines,
  executions: Executions,
  engine: Engine,
): Record<string, Operation> {
  const { reader, clock } = services;
  return {
    CreateStateMachine: (request) => createMachine(machines, clock.now(), request),
    UpdateStateMachine: (request) => updateMachine(machines, clock.now(), request),
    DescribeStateMachine: (request) => Promise.resolve(described(theMachine(machines, request.stateMachineArn))),
    ListStateMachines: () => Promise.resolve({ stateMachines: machines.list().map(listed) }),

    async StartExecution({ stateMachineArn, name = randomUUID(), input = '{}' }) {
      const record = await executions.start(
        theMachine(machines, stateMachineArn),
        name as string,
        text(input, 'input'),
      );
      return { executionArn: record.executionArn, startDate: record.startedAt / 1000 };
    },
    async DescribeExecution({ executionArn }) {
      const arn = text(executionArn, 'executionArn');
      const whole = await reader.whole(arn);
      if (!whole) throw new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
      const { record, input, output } = whole;
      const { status, reason } = redriveStatus(record, clock.now());
      const { error, cause } = record;
      return {
        ...summary(record),
        ...{ input, inputDetails: { included: true }, error, cause },
        ...(output !== undefined && { output, outputDetails: { included: true } }),
        ...{ redriveStatus: status, redriveStatusReason: reason },
      };
    },
    async ListExecutions({ stateMachineArn, statusFilter, maxResults, nextToken }) {
      const { name } = theMachine(machines, stateMachineArn);
      const most = (maxResults as number | undefined) || 100;
      const page = await reader.list(name, statusFilter as Status | undefined, most, nextToken as string | undefined);
      return { executions: page.records.map(summary), nextToken: page.next };
    },
    async GetExecutionHistory(request) {
      const arn = text(request.executionArn, 'executionArn');
      await executions.get(arn);
      return readHistory(reader, engine.find(arn), arn, request);
    },
    async StopExecution({ executionArn, error, cause }) {
      const arn = text(executionArn, 'executionArn');
      const record = await executions.stop(arn, error as string | undefined, cause as string | undefined);
      return { stopDate: record.stoppedAt && record.stoppedAt / 1000 };
    },
    async RedriveExecution({ executionArn }) {
      const record = await executions.redrive(text(executionArn, 'executionArn'));
      return { redriveDate: record.redrivenAt! / 1000 };
    },

    SendTaskSuccess: ({ taskToken, output }) => answer(services, taskToken, { output: taskOutput(output) }),
    SendTaskFailure: ({ taskToken, error = '', cause = '' }) =>
      answer(services, taskToken, { error: text(error, 'error'), cause: text(cause, 'cause') }),
    async SendTaskHeartbeat({ taskToken }) {
      const callback = await openCallback(services, taskToken);
      await callback.heartbeat();
      return {};
    },
  };
}

/** The same definition under the same name again is not an error: the host creates its machines at every start. */
async function createMachine(machines: Machines, now: number, request: Request): Promise<object> {
  const name = checkName(request.name);
  const definition = runnable(request.definition);
  const known = machines.find(name);
  if (known && known.definition !== definition)
    throw new ApiError('StateMachineAlreadyExists', `State Machine Already Exists: '${machineArn(name)}'`);
  if (request.type !== undefined && request.type !== 'STANDARD')
    throw new ApiError('StateMachineTypeNotSupported', 'Only STANDARD state machines run here.');
  const roleArn = (request.roleArn as string | undefined) ?? '';
  const record = known ?? { name, definition, revision: revisionOf(definition), roleArn, createdAt: now };
  if (!known) await machines.put(record);
  return { stateMachineArn: machineArn(name), creationDate: record.createdAt / 1000 };
}

/** Executions that run keep the definition they began with. */
async function updateMachine(machines: Machines, now: number, request: Request): Promise<object> {
  const known = theMachine(machines, request.stateMachineArn);
  const definition = request.definition === undefined ? known.definition : runnable(request.definition);
  const roleArn = (request.roleArn as string | undefined) ?? known.roleArn;
  const revision = revisionOf(definition);
  await machines.put({ ...known, definition, revision, roleArn, updatedAt: now });
  return { updateDate: now / 1000, revisionId: revision };
}

function runnable(definition: unknown): string {
  const problems = definitionProblems(text(definition, 'definition'));
  if (problems.length > 0)
    throw new ApiError('InvalidDefinition', `Invalid State Machine Definition: ${problems.join('; ')}`);
  return definition as string;
}

function theMachine(machines: Machines, arn: unknown): MachineRecord {
  const machine = machines.find(machineOf(arn));
  if (!machine) throw new ApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${String(arn)}'`);
  return machine;
}

const listed = ({ name, createdAt }: MachineRecord) => ({
  stateMachineArn: machineArn(name),
  name,
  type: 'STANDARD',
  creationDate: createdAt / 1000,
});

const described = (machine: MachineRecord) => ({
  ...listed(machine),
  status: 'ACTIVE',
  definition: machine.definition,
  roleArn: machine.roleArn,
  revisionId: machine.revision,
});

/** Answered once the answer is in the journal: from then on the task ends with it, whatever happens to this process. */
async function answer(services: Services, token: unknown, given: Answer): Promise<object> {
  const callback = await openCallback(services, token);
  callback.claim();
  const failure = await services.journal.answer(callback.executionArn, token as string, given).then(
    () => undefined,
    (error: Error) => error,
  );
  // It may have been written all the same, or one before it whose caller was told of a failure: that one counts.
  const stored = failure ? await storedAnswer(services, token as string) : given;
  if (!stored) {
    callback.release();
    throw failure!;
  }
  callback.settle(stored);
  if (!isDeepStrictEqual(stored, given)) throw taskTimedOut();
  return {};
}

const storedAnswer = ({ reader }: Services, token: string) =>
  reader.token(token).then(
    (row) => row?.answer,
    () => undefined,
  );

const taskTimedOut = () => new ApiError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");

async function openCallback({ callbacks, reader }: Services, token: unknown) {
  const callback = callbacks.find(text(token, 'taskToken'));
  if (callback && !callback.claimed()) return callback;
  if (callback ?? (await reader.token(token as string))) throw taskTimedOut();
  throw new ApiError('InvalidToken', "Invalid Token: 'Invalid token'");
}

function taskOutput(output: unknown): string {
  const json = text(output, 'output');
  try {
    JSON.parse(json);
  } catch {
    throw new ApiError('InvalidOutput', 'The output is not JSON.');
  }
  if (Buffer.byteLength(json) > LARGEST_DATA)
    throw new ApiError('InvalidOutput', `The output is over ${LARGEST_DATA} bytes.`);
  return json;
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new ApiError('ValidationException', `${field} must be a string`);
  return value;
}
