import { StateError } from './errors.ts';
import type { Flow } from './definition.ts';
import { readPath, writePath, type Documents } from './paths.ts';
import { render } from './template.ts';

/** What one state may take in, give out or pass to a function, as JSON text. */
export const LARGEST_DATA = 262_144;

/** The value, if it is within the limit. */
export function bounded(value: unknown, what: string): unknown {
  if (Buffer.byteLength(JSON.stringify(value)) > LARGEST_DATA)
    throw new StateError('States.DataLimitExceeded', `${what} is over the limit of ${LARGEST_DATA} bytes`);
  return value;
}

export const effectiveInput = (state: Flow, raw: unknown, context: unknown): unknown =>
  select(state.InputPath, { input: raw, context });

export const withParameters = (parameters: unknown, documents: Documents): unknown =>
  parameters === undefined ? documents.input : render(parameters, documents);

/** Selects from the result, puts it into the raw input and selects what goes on. */
export function outputOf(state: Flow, raw: unknown, result: unknown, context: unknown): unknown {
  const selected =
    state.ResultSelector === undefined ? result : render(state.ResultSelector, { input: result, context });
  const merged = placed(state.ResultPath, raw, selected);
  return bounded(select(state.OutputPath, { input: merged, context }), 'the output of the state');
}

export function placed(path: string | null | undefined, raw: unknown, result: unknown): unknown {
  if (path === null) return raw;
  return path === undefined ? result : writePath(path, raw, result);
}

function select(path: string | null | undefined, documents: Documents): unknown {
  if (path === null) return {};
  return path === undefined ? documents.input : readPath(path, documents);
}
