import type { BusyReason } from '../domain/answer.ts';
import { outcomeOf } from '../store/outcome.ts';
import type { Store } from '../store/store.ts';

/**
 * Something could not be read and may be asked for again. Not `Busy`, which says that nothing was done: beside a command
 * that is done, that would be false.
 */
export class NotRead extends Error {
  override readonly name = 'NotRead';
  readonly reason: BusyReason;

  constructor(message: string, reason: BusyReason) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The store as queries see it: a read changes nothing, so whatever is only a matter of time says so and may be asked
 * again. Commands have the store itself, whose errors `execute` reads on its own.
 */
export function forReading(store: Store): Store {
  const { table } = store;
  return {
    ...store,
    table: {
      batchGet: (keys) => table.batchGet(keys).catch(told),
      query: (request) => table.query(request).catch(told),
      write: (write) => table.write(write),
      transactWrite: (writes, token) => table.transactWrite(writes, token),
    },
  };
}

function told(error: unknown): never {
  const outcome = outcomeOf(error, 0);
  if (outcome.kind === 'pause') throw new NotRead('the database is busy', outcome.why);
  if (outcome.kind === 'notSent' || (outcome.kind === 'ambiguous' && isOfTheWire(error)))
    throw new NotRead('the database does not answer', 'UNAVAILABLE');
  throw error;
}

/** Of the network or the service; anything else unknown is a bug of ours and stays one. */
function isOfTheWire(error: unknown): boolean {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: object };
  return (
    $metadata?.constructor === Object ||
    ['TimeoutError', 'AbortError'].includes(name ?? '') ||
    ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code ?? '')
  );
}
