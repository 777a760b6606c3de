import type { ChoiceRule } from './choice.ts';

/** The part of the Amazon States Language that runs here; `checkDefinition.ts` refuses the rest. */
export type Machine = Scope & { Comment?: string; Version?: string; TimeoutSeconds?: number };

/** A whole machine, a branch of a Parallel or the processor of a Map: states that only know each other. */
export type Scope = { StartAt: string; States: Record<string, State> };

export type State =
  PassState | TaskState | ChoiceState | WaitState | ParallelState | MapState | SucceedState | FailState;

/** How a state's input and result become its output. `null` for a path drops what it would select. */
export type Flow = {
  Comment?: string;
  Next?: string;
  End?: boolean;
  InputPath?: string | null;
  Parameters?: unknown;
  ResultSelector?: unknown;
  ResultPath?: string | null;
  OutputPath?: string | null;
};

export type Retrier = {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  MaxAttempts?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: 'FULL' | 'NONE';
};
export type Catcher = { ErrorEquals: string[]; Next: string; ResultPath?: string | null };
export type Recovery = { Retry?: Retrier[]; Catch?: Catcher[] };

export type PassState = Flow & { Type: 'Pass'; Result?: unknown };
export type TaskState = Flow &
  Recovery & {
    Type: 'Task';
    Resource: string;
    TimeoutSeconds?: number;
    TimeoutSecondsPath?: string;
    HeartbeatSeconds?: number;
    HeartbeatSecondsPath?: string;
  };
export type ChoiceState = Flow & { Type: 'Choice'; Choices: (ChoiceRule & { Next: string })[]; Default?: string };
export type WaitState = Flow & {
  Type: 'Wait';
  Seconds?: number;
  SecondsPath?: string;
  Timestamp?: string;
  TimestampPath?: string;
};
export type ParallelState = Flow & Recovery & { Type: 'Parallel'; Branches: Scope[] };
export type MapState = Flow &
  Recovery & {
    Type: 'Map';
    ItemsPath?: string;
    ItemSelector?: unknown;
    MaxConcurrency?: number;
    ItemProcessor: Scope & { ProcessorConfig?: { Mode: 'INLINE' } };
  };
export type SucceedState = Flow & { Type: 'Succeed' };
export type FailState = Flow & { Type: 'Fail'; Error?: string; ErrorPath?: string; Cause?: string; CausePath?: string };

export const INVOKE = 'arn:aws:states:::lambda:invoke';
export const INVOKE_AND_WAIT = 'arn:aws:states:::lambda:invoke.waitForTaskToken';

export const retriersOf = (state: State): Retrier[] => ('Retry' in state ? (state.Retry ?? []) : []);
export const catchersOf = (state: State): Catcher[] => ('Catch' in state ? (state.Catch ?? []) : []);

export const nestedScopes = (state: State): Scope[] => {
  if (state.Type === 'Parallel') return state.Branches;
  return state.Type === 'Map' ? [state.ItemProcessor] : [];
};
