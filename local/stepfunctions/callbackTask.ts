import { bounded } from './dataflow.ts';
import { StateError } from './errors.ts';
import type { Callback } from './callbacks.ts';
import type { Frame, OpenCallback } from './frame.ts';
import type { Answer } from './journal.ts';
import type { Attempt } from './attempt.ts';
import { raced } from './race.ts';
import type { Run } from './run.ts';

/**
 * Waits for a callback's answer, its deadline or its missing heartbeat. The answer ends the task as soon as it comes, also
 * while the function is still running; a function that fails before an answer ends it, too.
 */
export async function awaitCallback(
  attempt: Attempt,
  open: OpenCallback,
  call: () => Promise<unknown>,
  resource: object,
  recovered: boolean,
): Promise<unknown> {
  const { run, frame, signal } = attempt;
  const callback = openCallback(run, frame, open);
  try {
    const stored = recovered ? (await run.services.reader.token(open.token))?.answer : undefined;
    if (stored) return resultOf(stored);
    const alarms = [deadline(run, open, callback), heartbeat(run, open, callback)];
    return await raced(signal, answerOrFailure(attempt, open, callback, call, resource), alarms);
  } finally {
    run.services.callbacks.close(open.token);
  }
}

/** After a restart this happens for all open callbacks before the endpoint listens, so that no answer finds its task missing. */
export function openCallback(run: Run, frame: Frame, open: OpenCallback): Callback {
  const { callbacks, clock } = run.services;
  return callbacks.opened(open.token, run.arn, async () => {
    if (open.heartbeatMs === undefined) return;
    open.heartbeatBy = clock.now() + open.heartbeatMs;
    run.keep(frame);
    await run.durable();
  });
}

function answerOrFailure(
  attempt: Attempt,
  open: OpenCallback,
  callback: Callback,
  call: () => Promise<unknown>,
  resource: object,
): Promise<unknown> {
  const answered = callback.answer.then(resultOf);
  if (open.submitted) return answered;
  const submitted = submit(attempt, open, callback, call, resource).then(
    () => answered,
    async (error: unknown) => {
      await callback.unclaimed(); // or the answer ends the race
      throw error;
    },
  );
  return Promise.race([answered, submitted]);
}

async function submit(
  { run, frame, signal }: Attempt,
  open: OpenCallback,
  callback: Callback,
  call: () => Promise<unknown>,
  resource: object,
): Promise<void> {
  const output = JSON.stringify(await call());
  await callback.unclaimed();
  if (signal.aborted || frame.progress?.callback !== open) return; // the task is over
  run.note(frame, 'TaskSubmitted', { ...resource, output });
  open.submitted = true;
  run.keep(frame);
  await run.durable();
}

function resultOf(answer: Answer): unknown {
  if ('output' in answer) return bounded(JSON.parse(answer.output), 'the result of the task');
  throw new StateError(answer.error, answer.cause);
}

type Alarm = (signal: AbortSignal) => Promise<Error>;

const deadline =
  (run: Run, open: OpenCallback, callback: Callback): Alarm =>
  async (signal) => {
    await run.services.clock.sleepUntil(open.deadline ?? Infinity, signal);
    await callback.unclaimed();
    return new StateError('States.Timeout', '');
  };

/** Each heartbeat puts its moment off, which shows only when the moment before has come. */
const heartbeat =
  (run: Run, open: OpenCallback, callback: Callback): Alarm =>
  async (signal) => {
    const { clock } = run.services;
    do {
      await clock.sleepUntil(open.heartbeatBy ?? Infinity, signal);
      await callback.unclaimed();
    } while (clock.now() < (open.heartbeatBy ?? Infinity));
    return new StateError('States.HeartbeatTimeout', '');
  };
