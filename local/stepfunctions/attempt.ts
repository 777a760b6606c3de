import type { Scope } from './definition.ts';
import type { Frame, Progress } from './frame.ts';
import type { Run } from './run.ts';

/** One attempt at the state a frame stands at. */
export type Attempt = {
  run: Run;
  frame: Frame;
  progress: Progress;
  /** The context object, `$$`. */
  context: object;
  /** The raw input after InputPath. */
  input: unknown;
  signal: AbortSignal;
  walk: (run: Run, frame: Frame, scope: Scope, base: object, signal: AbortSignal) => Promise<unknown>;
};
