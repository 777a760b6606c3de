/**
 * Three answers to one question, "may I try again?": no; yes; not before you know.
 * The first is a value (`Refused`, in refusal.ts); the other two are thrown.
 */

/** CONTENTION: rivals kept winning. OVERLOADED: throttled. UNAVAILABLE: not reached. NOT_YET: somebody works on it. */
export type BusyReason = 'CONTENTION' | 'OVERLOADED' | 'UNAVAILABLE' | 'NOT_YET';

/** Nothing was done; the same request may be sent again. State machines retry it by this name. */
export class Busy extends Error {
  override readonly name = 'Busy'; // a literal: state machines match it, and bundlers rename classes

  readonly reason: BusyReason;

  constructor(message: string, reason: BusyReason) {
    super(message);
    this.reason = reason;
  }
}

/** Something may have been done. Only evidence can tell. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** A rule of ours was broken: a bug or a corrupted table. Alarmed; the text never reaches a client. */
export class InvariantBreach extends Error {
  override readonly name = 'InvariantBreach';
}

/**
 * An outside party certainly did not accept: the connection was refused before a byte left, or the party said no.
 * Everything else that goes wrong during a send (time-out, reset, 5xx) is ambiguous and is *not* this error.
 */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  /** `later`: the same request may be accepted another time; `never`: it will not. */
  readonly again: 'later' | 'never';
  /** Milliseconds the party asked us to wait, where it said so. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, again: 'later' | 'never', retryAfterMs?: number) {
    super(message);
    this.again = again;
    this.retryAfterMs = retryAfterMs;
  }
}
