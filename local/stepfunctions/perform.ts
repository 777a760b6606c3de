import type { Attempt } from './attempt.ts';
import { holds } from './choice.ts';
import { performMap, performParallel } from './children.ts';
import { bounded, outputOf, withParameters } from './dataflow.ts';
import type { FailState, State, WaitState } from './definition.ts';
import { runtimeError, StateError } from './errors.ts';
import { readPath, type Documents } from './paths.ts';
import { performTask } from './task.ts';
import { render } from './template.ts';

/** Without `next` the frame is finished. */
export type Outcome = { output: unknown; next?: string };

export async function perform(attempt: Attempt, state: State): Promise<Outcome> {
  const documents = { input: attempt.input, context: attempt.context };
  switch (state.Type) {
    case 'Pass':
      return onward(attempt, state, 'Result' in state ? state.Result : withParameters(state.Parameters, documents));
    case 'Choice': {
      const next = state.Choices.find((rule) => holds(rule, documents))?.Next ?? state.Default;
      if (next === undefined)
        throw new StateError('States.NoChoiceMatched', 'No choice matched and there is no Default.');
      return { ...onward(attempt, state, attempt.input), next };
    }
    case 'Wait':
      await wait(attempt, state, documents);
      return onward(attempt, state, attempt.input);
    case 'Task':
      return onward(attempt, state, await performTask(attempt, state, documents));
    case 'Parallel':
      return onward(attempt, state, await performParallel(attempt, state, documents));
    case 'Map':
      return onward(attempt, state, await performMap(attempt, state, documents));
    case 'Succeed':
      return onward(attempt, state, attempt.input);
    case 'Fail':
      throw new StateError(failText(state, 'Error', documents), failText(state, 'Cause', documents));
  }
}

function onward({ frame, context }: Attempt, state: State, result: unknown): Outcome {
  return { output: outputOf(state, frame.raw, bounded(result, 'the result'), context), next: state.Next };
}

async function wait({ run, frame, progress, signal }: Attempt, state: WaitState, documents: Documents): Promise<void> {
  if (progress.waitUntil === undefined) {
    progress.waitUntil = waitUntil(state, run.services.clock.now(), documents);
    run.keep(frame);
  }
  await run.durable();
  await run.services.clock.sleepUntil(progress.waitUntil, signal);
}

function waitUntil(state: WaitState, now: number, documents: Documents): number {
  const timestamp = state.TimestampPath ? readPath(state.TimestampPath, documents) : state.Timestamp;
  const seconds = state.SecondsPath ? readPath(state.SecondsPath, documents) : state.Seconds;
  const until = timestamp === undefined ? now + Number(seconds) * 1000 : Date.parse(timestamp as string);
  if (Number.isNaN(until)) throw runtimeError('The Wait state was given neither seconds nor a timestamp.');
  return until;
}

function failText(state: FailState, field: 'Error' | 'Cause', documents: Documents): string {
  const path = state[`${field}Path`];
  if (path === undefined) return state[field] ?? '';
  const { text } = render({ 'text.$': path }, documents) as { text: unknown };
  if (typeof text !== 'string') throw runtimeError(`${field}Path must point to a string.`);
  return text;
}
