/** An error as a state machine sees it: Retry and Catch go by `error`; the message is its cause. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly error: string;

  constructor(error: string, cause: string) {
    super(cause.slice(0, LONGEST_CAUSE));
    this.error = error;
  }
}

const LONGEST_CAUSE = 32_768; // as AWS cuts it

/** The definition and the data do not fit together. Neither Retry nor Catch ever applies. */
export const runtimeError = (cause: string) => new StateError('States.Runtime', cause);

export const toStateError = (thrown: unknown): StateError =>
  thrown instanceof StateError ? thrown : runtimeError(thrown instanceof Error ? thrown.message : String(thrown));

/** A refusal of the endpoint, by the name under which the SDK knows it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** Why work in progress ends without a result of its own. */
export type Reason =
  | { kind: 'STOPPED'; error?: string; cause?: string }
  | { kind: 'TIMED_OUT' }
  | { kind: 'SIBLING_FAILED' }
  | { kind: 'CLOSING' } // this process lets go; the journal has everything
  | { kind: 'LOST' }; // another process has taken over

export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.kind);
    this.reason = reason;
  }

  /** Whether the execution goes on elsewhere or later, so that nothing of this belongs into its history. */
  get leavesNoTrace(): boolean {
    return this.reason.kind === 'CLOSING' || this.reason.kind === 'LOST';
  }
}
