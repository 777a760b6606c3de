import type { Case, CommandResult, CreatedBy } from '../domain/case/case.ts';
import type { Given } from '../domain/command.ts';
import type { Officer } from '../domain/officer/officer.ts';
import { refused, type Refused } from '../domain/refusal.ts';
import { ref, type Found, type Reads } from '../domain/refs.ts';
import type { Aggregated, Done, RefusedCommand } from './answers.ts';
import { readItems } from './read.ts';
import type { CommandRecord } from './record.ts';
import type { Store } from './store.ts';

/** What is known about an earlier request with the key. */
export type Told = (CommandResult & { run?: string }) | Refused;

const keyReused = refused('IDEMPOTENCY_KEY_REUSED', 'the key was used for another request');

/** What a live record says to this request; nothing where it lets the command decide again. One check on every path. */
export function toldBy(record: CommandRecord | undefined, given: Given): Told | undefined {
  if (!record) return undefined;
  if (record.requestHash !== given.requestHash) return keyReused;
  switch (record.status) {
    case 'COMPLETED':
    case 'IN_PROGRESS':
      return { ...record.result!, ...(record.executionName !== undefined && { run: record.executionName }) };
    case 'FAILED_FINAL':
      return record.refusal;
    case 'FAILED_RETRYABLE':
      return undefined;
  }
}

/** The record has expired, but what the command created still names it: before any other rule. */
export function toldByCreation(found: Found<Reads>, given: Given): Told | undefined {
  for (const item of Object.values(found)) {
    const { createdBy } = (item ?? {}) as { createdBy?: CreatedBy };
    if (createdBy?.commandId === given.commandId)
      return createdBy.requestHash === given.requestHash ? createdBy.result : keyReused;
  }
  return undefined;
}

/** A replay or a recorded refusal, with the aggregate as it stands where it was, or can be, read. */
export async function answerOf(
  store: Store,
  given: Given,
  told: Told,
  found: Found<Reads> | undefined,
): Promise<Done | RefusedCommand> {
  const known = found && aggregateIn(found);
  if ('kind' in told) return { ...told, current: known };
  // What is done stays done, whether or not the aggregate can be shown: a lost read must not become "not done".
  // Older than its own result: its commit was read while it became visible, item by item. It is read once more.
  const shown = known?.id === told.aggregateId && known.version >= told.appliedVersion;
  const current = shown ? known : await readAggregate(store, given, told).catch(() => undefined);
  return { kind: 'done', ...told, replayed: true, current };
}

async function readAggregate(store: Store, given: Given, { aggregateType, aggregateId }: CommandResult) {
  const named = {
    Case: ref.case(aggregateId as Case['id']),
    Officer: ref.officer(aggregateId as Officer['id']),
    Finding: ref.finding(aggregateId),
  };
  const [current] = await readItems<Aggregated>(store, given.tenant, [named[aggregateType]]);
  return current;
}

export const aggregateIn = (found: Found<Reads>) => (found['case'] ?? found['officer']) as Case | Officer | undefined;
