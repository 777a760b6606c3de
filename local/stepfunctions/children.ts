import { setMaxListeners } from 'node:events';
import { withParameters } from './dataflow.ts';
import type { MapState, ParallelState, Scope } from './definition.ts';
import { Interrupted, runtimeError, toStateError, type StateError } from './errors.ts';
import { childKey, type Frame } from './frame.ts';
import { readPath, type Documents } from './paths.ts';
import type { Attempt } from './attempt.ts';
import { render } from './template.ts';

type Child = { scope: Scope; input: () => unknown; context: object; iteration?: { name: string; index: number } };

export async function performParallel(
  attempt: Attempt,
  state: ParallelState,
  documents: Documents,
): Promise<unknown[]> {
  const input = withParameters(state.Parameters, documents);
  const children = state.Branches.map((scope) => ({ scope, input: () => input, context: attempt.context }));
  return performAll(attempt, 'Parallel', children, Infinity);
}

export async function performMap(attempt: Attempt, state: MapState, documents: Documents): Promise<unknown[]> {
  const items = state.ItemsPath === undefined ? documents.input : readPath(state.ItemsPath, documents);
  if (!Array.isArray(items)) throw runtimeError('The items of a Map must be an array.');
  const children = items.map((Value: unknown, Index) => {
    const context = { ...attempt.context, Map: { Item: { Index, Value } } };
    const input = () =>
      state.ItemSelector === undefined ? Value : render(state.ItemSelector, { ...documents, context });
    return { scope: state.ItemProcessor, input, context, iteration: { name: attempt.frame.state, index: Index } };
  });
  return performAll(attempt, 'Map', children, state.MaxConcurrency || Infinity);
}

/** All children, in the width allowed; the first that fails ends the others and is the failure of the state. */
async function performAll(
  attempt: Attempt,
  type: 'Parallel' | 'Map',
  children: Child[],
  width: number,
): Promise<unknown[]> {
  const { run, frame, progress, signal } = attempt;
  if (!progress.begun) {
    run.note(frame, `${type}StateStarted`, type === 'Map' ? { length: children.length } : undefined);
    progress.begun = true;
  }
  const begin = frame.lastEvent;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const passOn = () => stop.abort(signal.reason);
  signal.addEventListener('abort', passOn, { once: true });
  const results: unknown[] = [];
  const queue = children.entries();
  let failure: StateError | undefined;
  const worker = async () => {
    for (const [index, child] of queue) {
      if (stop.signal.aborted) return;
      try {
        results[index] = await performChild(attempt, child, index, begin, stop.signal);
      } catch (error) {
        if (stop.signal.aborted) return;
        failure = toStateError(error);
        stop.abort(new Interrupted({ kind: 'SIBLING_FAILED' }));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, children.length) }, worker));
  signal.removeEventListener('abort', passOn);
  signal.throwIfAborted();
  run.note(frame, failure ? `${type}StateFailed` : `${type}StateSucceeded`, failure && errorDetails(failure));
  if (failure) throw failure;
  for (const index of children.keys()) run.frames.delete(childKey(frame, index));
  return results;
}

const errorDetails = ({ error, message }: StateError) => ({ error, cause: message });

/** The last child to end is what the parent's next event follows from. */
async function performChild(
  attempt: Attempt,
  child: Child,
  index: number,
  begin: number,
  signal: AbortSignal,
): Promise<unknown> {
  const { run, frame: parent } = attempt;
  const { scope, iteration } = child;
  const frame = run.frame(childKey(parent, index), scope.StartAt, undefined, begin);
  if (frame.finished) return frame.raw;
  if (frame.raw === undefined) {
    frame.raw = child.input();
    if (iteration) run.note(frame, 'MapIterationStarted', iteration);
  }
  try {
    const output = await attempt.walk(run, frame, scope, child.context, signal);
    if (iteration) run.note(frame, 'MapIterationSucceeded', iteration);
    await run.durable(); // nobody may ask for it again for days
    return output;
  } catch (error) {
    if (iteration) noteUnfinished(attempt, frame, iteration, signal);
    throw error;
  } finally {
    if (!signal.aborted) parent.lastEvent = frame.lastEvent;
  }
}

function noteUnfinished({ run }: Attempt, frame: Frame, iteration: object, signal: AbortSignal): void {
  const reason = signal.reason as Interrupted | undefined;
  if (reason?.leavesNoTrace) return;
  run.note(frame, signal.aborted ? 'MapIterationAborted' : 'MapIterationFailed', { ...iteration });
}
