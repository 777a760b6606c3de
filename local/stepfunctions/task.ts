import { functionOf, REGION } from './arn.ts';
import { awaitCallback } from './callbackTask.ts';
import { bounded, withParameters } from './dataflow.ts';
import { INVOKE_AND_WAIT, type TaskState } from './definition.ts';
import { StateError, toStateError } from './errors.ts';
import { newToken } from './callbacks.ts';
import { readPath, type Documents } from './paths.ts';
import type { Attempt } from './attempt.ts';
import { raced } from './race.ts';

/** What every event of a task carries. */
const RESOURCE = { resourceType: 'lambda', resource: 'invoke' };
const CALLBACK_RESOURCE = { resourceType: 'lambda', resource: 'invoke.waitForTaskToken' };

/** Calls the function, and with `.waitForTaskToken` waits for whoever was given the token. */
export async function performTask(attempt: Attempt, state: TaskState, documents: Documents): Promise<unknown> {
  const { run, frame } = attempt;
  const waits = state.Resource === INVOKE_AND_WAIT;
  const resource = waits ? CALLBACK_RESOURCE : RESOURCE;
  try {
    const result = waits
      ? await callAndWait(attempt, state, documents, resource)
      : await callForResult(attempt, state, documents, resource);
    run.note(frame, 'TaskSucceeded', { ...resource, output: JSON.stringify(result) });
    return result;
  } catch (thrown) {
    if (attempt.signal.aborted) throw thrown;
    const { error, message } = toStateError(thrown);
    run.note(frame, isTimeout(error) ? 'TaskTimedOut' : 'TaskFailed', { ...resource, error, cause: message });
    throw thrown;
  }
}

/** A call that died with its process is a new call after the restart, so its time begins anew. */
async function callForResult(
  attempt: Attempt,
  state: TaskState,
  documents: Documents,
  resource: object,
): Promise<unknown> {
  const { clock } = attempt.run.services;
  const seconds = secondsOf(state, 'TimeoutSeconds', documents);
  const parameters = withParameters(state.Parameters, documents);
  await attempt.run.durable();
  noteCall(attempt, parameters, resource, seconds, undefined);
  const deadline = seconds === undefined ? undefined : clock.now() + seconds * 1000;
  const late = async (signal: AbortSignal) => {
    await clock.sleepUntil(deadline!, signal);
    return new StateError('States.Timeout', '');
  };
  return raced(attempt.signal, invoke(attempt, parameters), deadline === undefined ? [] : [late]);
}

/** Token and deadlines are in the journal before the function is called, and stay the same across restarts. */
async function callAndWait(
  attempt: Attempt,
  state: TaskState,
  documents: Documents,
  resource: object,
): Promise<unknown> {
  const { run, frame, progress, context } = attempt;
  const now = run.services.clock.now();
  const seconds = secondsOf(state, 'TimeoutSeconds', documents);
  const heartbeat = secondsOf(state, 'HeartbeatSeconds', documents);
  const recovered = progress.callback !== undefined;
  if (!progress.callback) {
    progress.callback = {
      token: newToken(),
      submitted: false,
      deadline: seconds && now + seconds * 1000,
      heartbeatMs: heartbeat && heartbeat * 1000,
      heartbeatBy: heartbeat && now + heartbeat * 1000,
    };
    run.keep(frame);
    run.issue(progress.callback.token);
  }
  const open = progress.callback;
  const call = async () => {
    const withToken = { ...context, Task: { Token: open.token } };
    const parameters = withParameters(state.Parameters, { ...documents, context: withToken });
    await run.durable();
    noteCall(attempt, parameters, resource, seconds, heartbeat);
    return invoke(attempt, parameters);
  };
  return awaitCallback(attempt, open, call, resource, recovered);
}

function noteCall(
  { run, frame }: Attempt,
  parameters: unknown,
  resource: object,
  timeoutInSeconds: number | undefined,
  heartbeatInSeconds: number | undefined,
): void {
  const json = JSON.stringify(bounded(parameters, 'what the task passes on'));
  run.note(frame, 'TaskScheduled', {
    ...resource,
    region: REGION,
    parameters: json,
    timeoutInSeconds,
    heartbeatInSeconds,
  });
  run.note(frame, 'TaskStarted', { ...resource });
}

/** Calls a function as Lambda would: it gets a copy, its answer is JSON, and its error has a name and a JSON cause. */
async function invoke({ run, progress }: Attempt, parameters: unknown): Promise<unknown> {
  const { FunctionName, Payload = {} } = parameters as { FunctionName: string; Payload?: unknown };
  const name = functionOf(FunctionName);
  const call = Object.hasOwn(run.services.functions, name) ? run.services.functions[name] : undefined;
  if (!call) throw new StateError('Lambda.ResourceNotFoundException', `Function not found: ${FunctionName}`);
  let answer: unknown;
  try {
    answer = await call(structuredClone(Payload), { executionArn: run.arn, attempt: progress.retries });
    answer = JSON.parse(JSON.stringify(answer ?? null));
  } catch (thrown) {
    throw lambdaError(thrown);
  }
  return bounded({ ExecutedVersion: '$LATEST', Payload: answer, StatusCode: 200 }, 'the result of the task');
}

function lambdaError(thrown: unknown): StateError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const trace = (error.stack ?? '').split('\n');
  const cause = JSON.stringify({ errorType: error.name, errorMessage: error.message, trace });
  return new StateError(error.name, cause);
}

function secondsOf(
  state: TaskState,
  field: 'TimeoutSeconds' | 'HeartbeatSeconds',
  documents: Documents,
): number | undefined {
  const path = state[`${field}Path`];
  return path === undefined ? state[field] : (readPath(path, documents) as number);
}

const isTimeout = (error: string) => error === 'States.Timeout' || error === 'States.HeartbeatTimeout';
