import { Busy, InvariantBreach, OutcomeUnknown } from '../domain/answer.ts';
import type { AnyCommand, Given } from '../domain/command.ts';
import type { Done, RefusedCommand } from './answers.ts';
import type { Attempts } from './attempts.ts';
import type { Metric } from './metrics.ts';
import type { Store } from './store.ts';

/** What the log tells about the database's part: the last operation, and whose conditions failed last. */
export type Trace = { operation: string | undefined; conditionFailed: string[] };

type Logged = { command: AnyCommand; given: Given; attempts: Attempts; trace: Trace };

/** One structured line per command (commands.md §8): what, on what, how it ended; no values, no keys, no persons. */
export async function logCommand(
  store: Store,
  { command, given, attempts, trace }: Logged,
  work: () => Promise<Done | RefusedCommand>,
): Promise<Done | RefusedCommand> {
  const started = store.now();
  const line = (outcome: string, more: Record<string, unknown>) =>
    store.log({
      operation: command.type,
      commandId: given.commandId,
      tenant: given.tenant,
      correlationId: given.correlationId,
      expectedVersion: command['expectedVersion'],
      outcome,
      dynamoOperation: trace.operation,
      ...(trace.conditionFailed.length > 0 && { conditionFailed: trace.conditionFailed }),
      attempts: attempts.count + 1,
      latencyMs: store.now() - started,
      ...more,
    });
  try {
    const answer = await work();
    store.count?.(metricOf(answer));
    if (answer.kind === 'refused') line('CONFLICT', { conflictReason: answer.code, ...named(answer.current?.id) });
    else line(answer.replayed ? 'REPLAYED' : 'SUCCESS', named(answer.aggregateId));
    return answer;
  } catch (error) {
    if (error instanceof InvariantBreach) store.count?.('command.invariant_breach.count');
    if (error instanceof Busy) line('BUSY', { conflictReason: error.reason });
    else if (error instanceof OutcomeUnknown) line('OUTCOME_UNKNOWN', {});
    else line('INTERNAL', { error: error instanceof InvariantBreach ? error.message : (error as Error).name });
    throw error;
  }
}

/**
 * Cases and findings have ids of ours; an officer's is the subject of a token, which may be an address: it is told only
 * where it is opaque.
 */
const named = (id: string | undefined) => (id !== undefined && opaque.test(id) ? { aggregateId: id } : {});
const opaque = /^[a-z2-7]{32}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function metricOf(answer: Done | RefusedCommand): Metric {
  if (answer.kind === 'done') return answer.replayed ? 'command.idempotency.hit.count' : 'command.success.count';
  if (answer.code === 'IDEMPOTENCY_KEY_REUSED') return 'command.idempotency.reuse_mismatch.count';
  return 'command.conflict.count';
}
