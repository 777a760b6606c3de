import { Busy, OutcomeUnknown } from '../domain/answer.ts';
import type { AnyCommand, Given } from '../domain/command.ts';
import type { Done, RefusedCommand } from './answers.ts';
import type { Attempts } from './attempts.ts';
import type { Store } from './store.ts';

type Logged = { command: AnyCommand; given: Given; attempts: Attempts };

/** One structured line per command (commands.md §8): what, on what, how it ended; no values, no keys, no persons. */
export async function logCommand(
  store: Store,
  { command, given, attempts }: Logged,
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
      attempts: attempts.count + 1,
      latencyMs: store.now() - started,
      ...more,
    });
  try {
    const answer = await work();
    if (answer.kind === 'refused') line('CONFLICT', { conflictReason: answer.code, aggregateId: answer.current?.id });
    else line(answer.replayed ? 'REPLAYED' : 'SUCCESS', { aggregateId: answer.aggregateId });
    return answer;
  } catch (error) {
    if (error instanceof Busy) line('BUSY', { conflictReason: error.reason });
    else if (error instanceof OutcomeUnknown) line('OUTCOME_UNKNOWN', {});
    else line('INTERNAL', { error: (error as Error).message });
    throw error;
  }
}
