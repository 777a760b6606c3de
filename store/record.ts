import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CommandResult } from '../domain/case/case.ts';
import { all, any, absent, atMost, equals, exists, oneOf, type Condition } from '../domain/condition.ts';
import type { Given } from '../domain/command.ts';
import type { Refused } from '../domain/refusal.ts';
import { keysOf } from './keys.ts';
import type { Item, Write } from './table-port.ts';

/** What one idempotency key has done (commands.md §3 "Command record"). */
export type CommandRecord = {
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED_RETRYABLE' | 'FAILED_FINAL';
  /** Rises with every Put over the record. */
  generation: number;
  requestHash: string;
  command: string;
  result?: CommandResult;
  responseHash?: string;
  /** FAILED_FINAL: the refusal that every repeat gets. */
  refusal?: Refused;
  /** Where a workflow carries it out: the execution, named after the command and this generation. */
  executionName?: string;
  /** A run's results, item by item. */
  items?: unknown;
  /** Whole seconds; past it the record counts as absent, deleted or not. */
  expiresAt: number;
};

const retentionSeconds = 30 * 24 * 3600;

/** The record if it still counts; an expired one is absent. */
export function liveRecord(item: Item | undefined, nowMs: number): CommandRecord | undefined {
  const record = item as unknown as CommandRecord | undefined;
  return record && record.expiresAt > Math.floor(nowMs / 1000) ? record : undefined;
}

/** The generation that a Put over this item raises: 0 where there is none. */
export const generationOf = (item: Item | undefined) => (item as unknown as CommandRecord | undefined)?.generation ?? 0;

/** Slot 0: absent, or expired, or FAILED_RETRYABLE, with the generation just read. */
const slotZero = (generation: number, at: string): Condition =>
  any(absent, all(equals('generation', generation), open(Date.parse(at))));

const open = (nowMs: number): Condition =>
  any(all(exists, atMost('expiresAt', Math.floor(nowMs / 1000))), equals('status', 'FAILED_RETRYABLE'));

/** Holds while no record speaks for the key. */
export const unspoken = (given: Given, nowMs: number): Write => ({
  kind: 'check',
  key: keysOf(given.tenant).command(given.commandId),
  when: any(absent, open(nowMs)),
});

/** What slot 0 writes: done; or, where a workflow carries the command out, the run that every repeat is pointed to. */
export function committed(
  given: Given,
  command: string,
  generation: number,
  result: CommandResult,
  executionName: string | undefined,
): Write {
  return put(given, generation, {
    status: executionName === undefined ? 'COMPLETED' : 'IN_PROGRESS',
    ...(executionName !== undefined && { executionName }),
    command,
    result,
    responseHash: createHash('sha256').update(canonicalize(result)!, 'utf8').digest('hex'),
  });
}

/** Rule 8: once this stands, no send that named `generation` or less can commit any more. */
export const fenced = (given: Given, command: string, generation: number): Write =>
  put(given, generation, { status: 'FAILED_RETRYABLE', command });

/** How a run ended: its last step says so, on the round it began with; a round that was replaced says nothing. */
export type RunEnd =
  | { status: 'COMPLETED'; items?: unknown }
  | { status: 'FAILED_FINAL'; refusal: Refused }
  /** Its execution failed, timed out or was aborted: the next request with the key decides again. */
  | { status: 'FAILED_RETRYABLE' };

/** The write that ends a run. Names only what it changes: hash, result and generation stay as they are. */
export function runEnded(tenant: Given['tenant'], commandId: string, generation: number, end: RunEnd): Write {
  const from = end.status === 'FAILED_RETRYABLE' ? ['IN_PROGRESS'] : ['IN_PROGRESS', 'FAILED_RETRYABLE'];
  return {
    kind: 'update',
    key: keysOf(tenant).command(commandId),
    update: { set: { ...end } },
    when: all(exists, equals('generation', generation), oneOf('status', from)),
  };
}

function put(given: Given, generation: number, record: Partial<CommandRecord>): Write {
  return {
    kind: 'put',
    key: keysOf(given.tenant).command(given.commandId),
    item: {
      itemType: 'CommandRecord',
      ...record,
      generation: generation + 1,
      requestHash: given.requestHash,
      actor: given.actor.id,
      at: given.at,
      expiresAt: Math.floor(Date.parse(given.at) / 1000) + retentionSeconds,
    },
    when: slotZero(generation, given.at),
  };
}
