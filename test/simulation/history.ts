import type { AnyCommand, Envelope } from '../../domain/command.ts';
import { Busy, OutcomeUnknown } from '../../domain/answer.ts';
import type { Done, RefusedCommand } from '../../store/execute.ts';

/** One request with a key: what was asked and what became of it, in Jepsen's words. */
export type Request = {
  id: number;
  envelope: Envelope;
  command: AnyCommand;
  commandId: string;
  began: number;
  ended?: number;
  /** ok and fail are certain (fail: refused, or not done); info: it may take effect at any later time. */
  outcome: 'ok' | 'fail' | 'info' | 'broken';
  answer?: Done | RefusedCommand;
  error?: Error;
  /** Of the last question to the command record that was answered: when it was asked. */
  lastLookup?: { order: number; at: number };
};

/** A transaction: when the first of it could be seen, when all of it, and which request had sent it. */
export type Commit = {
  commandId: string;
  by: Request | undefined;
  seen: number;
  whole: number;
  expiresAt: number;
};
/** One reading of a case's audit: which events it showed. */
export type Reading = { partition: string; began: number; commandIds: string[] };

export type History = {
  requests: Request[];
  commits: Commit[];
  readings: Reading[];
  /** The order of everything that happened. */
  tick: () => number;
};

export function newHistory(): History {
  let order = 0;
  return { requests: [], commits: [], readings: [], tick: () => ++order };
}

/** Runs a request and writes down how it ended. */
export async function recorded(
  history: History,
  request: Request,
  work: () => Promise<Done | RefusedCommand>,
): Promise<void> {
  history.requests.push(request);
  try {
    request.answer = await work();
    request.outcome = request.answer.kind === 'done' ? 'ok' : 'fail';
  } catch (error) {
    request.error = error as Error;
    request.outcome = error instanceof Busy ? 'fail' : error instanceof OutcomeUnknown ? 'info' : 'broken';
  }
  request.ended = history.tick();
}
