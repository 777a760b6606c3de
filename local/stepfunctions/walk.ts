import type { Scope, State } from './definition.ts';
import type { Interrupted } from './errors.ts';
import { toStateError, type StateError } from './errors.ts';
import { bounded, effectiveInput, placed } from './dataflow.ts';
import type { Frame, Progress } from './frame.ts';
import { perform, type Outcome } from './perform.ts';
import { catcherOf, retryOf } from './recovery.ts';
import type { Run } from './run.ts';

/** Walks a frame from where it stands to its end and answers its output. */
export async function walk(run: Run, frame: Frame, scope: Scope, base: object, signal: AbortSignal): Promise<unknown> {
  while (!frame.finished) {
    const state = scope.States[frame.state]!;
    const progress = enter(run, frame, state);
    const { output, next } = await performOrRecover(run, frame, state, progress, base, signal);
    run.note(frame, `${state.Type}StateExited`, { name: frame.state, output: JSON.stringify(output) });
    leave(run, frame, state, output, next);
    await run.breathe();
  }
  return frame.raw;
}

function enter(run: Run, frame: Frame, state: State): Progress {
  if (frame.progress) return frame.progress;
  frame.progress = { enteredAt: run.services.clock.now(), generation: 0, used: {}, retries: 0 };
  run.note(frame, `${state.Type}StateEntered`, { name: frame.state, input: JSON.stringify(frame.raw) });
  return frame.progress;
}

function leave(run: Run, frame: Frame, state: State, output: unknown, next: string | undefined): void {
  Object.assign(frame, { step: frame.step + 1, raw: output, progress: undefined, finished: next === undefined });
  if (next !== undefined) frame.state = next;
  // A choice would come out the same again; every other step is finished for good once it is left.
  if (state.Type !== 'Choice') run.keep(frame);
}

async function performOrRecover(
  run: Run,
  frame: Frame,
  state: State,
  progress: Progress,
  base: object,
  signal: AbortSignal,
): Promise<Outcome> {
  for (;;) {
    try {
      await pauseBeforeRetry(run, progress, signal);
      const context = { ...base, State: stateContext(frame, progress) };
      const input = effectiveInput(state, frame.raw, context);
      return await perform({ run, frame, progress, context, input, signal, walk }, state);
    } catch (thrown) {
      if (signal.aborted) throw interrupted(run, frame, state, signal);
      const failure = toStateError(thrown);
      if (scheduleRetry(run, frame, state, progress, failure)) continue;
      const catcher = catcherOf(state, failure);
      if (!catcher) throw failure;
      const error = { Error: failure.error, Cause: failure.message };
      return { output: bounded(placed(catcher.ResultPath, frame.raw, error), 'the caught error'), next: catcher.Next };
    }
  }
}

const stateContext = (frame: Frame, { enteredAt, retries }: Progress) => ({
  Name: frame.state,
  EnteredTime: new Date(enteredAt).toISOString(),
  RetryCount: retries,
});

async function pauseBeforeRetry(run: Run, progress: Progress, signal: AbortSignal): Promise<void> {
  if (progress.retryAt === undefined) return;
  await run.durable();
  await run.services.clock.sleepUntil(progress.retryAt, signal);
  progress.retryAt = undefined;
}

function scheduleRetry(run: Run, frame: Frame, state: State, progress: Progress, failure: StateError): boolean {
  const { clock, random } = run.services;
  const retry = retryOf(state, failure, progress.used, random);
  if (!retry) return false;
  frame.progress = Object.assign(progress, {
    used: { ...progress.used, [retry.retrier]: (progress.used[retry.retrier] ?? 0) + 1 },
    retries: progress.retries + 1,
    generation: progress.generation + 1,
    retryAt: clock.now() + retry.delayMs,
    begun: undefined,
    callback: undefined,
  });
  run.keep(frame);
  return true;
}

const ABORTABLE = ['Task', 'Wait', 'Map', 'Parallel']; // the others are over at once

function interrupted(run: Run, frame: Frame, state: State, signal: AbortSignal): Error {
  const reason = signal.reason as Interrupted;
  if (!reason.leavesNoTrace && ABORTABLE.includes(state.Type)) run.note(frame, `${state.Type}StateAborted`);
  return reason;
}
