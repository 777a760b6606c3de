import { createHash } from 'node:crypto';
import type { CommandId, EffectId, EventId, OfficerId, TenantId } from '../domain/ids.ts';
import type { Sighting } from '../domain/operations/finding.ts';

/**
 * Derived identity (commands.md §2): SHA-256 over length-prefixed fields under a label, so that ("ab","c") and
 * ("a","bc") differ and no readable part is ever cut. 160 bits in base32: 32 characters of a-z and 2-7.
 */
function derived(label: string, ...fields: (string | number)[]): string {
  const hash = createHash('sha256');
  for (const field of [label, ...fields]) {
    const bytes = Buffer.from(String(field), 'utf8');
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return base32(hash.digest().subarray(0, 20));
}

export const commandIdOf = (tenant: TenantId, actor: OfficerId, key: string) =>
  derived('cmd/1', tenant, actor, key) as CommandId;

export const createdIdOf = (commandId: CommandId, role: string, ordinal: number) =>
  derived('id/1', commandId, role, ordinal);

export const eventIdOf = (commandId: CommandId, ordinal: number) => derived('evt/1', commandId, ordinal) as EventId;

/** Business identity of an outside act: never an execution, attempt or token. */
export const effectIdOf = (aggregateId: string, type: string, ...ordinal: (number | string)[]) =>
  derived('fx/1', aggregateId, type, ...ordinal) as EffectId;

/** The idempotency key of a command that a workflow gives for an effect; a repeat in the same round replays. */
export const serviceKeyOf = (effectId: EffectId, round: number, command: string) =>
  derived('svc/1', effectId, round, command);

/** An execution's name: at most 80 of [A-Za-z0-9_-], the same for the same effect and round. */
export const executionNameOf = (prefix: string, effectId: EffectId, round: number) =>
  `${prefix}-${derived('exe/1', effectId, round)}`;

/** The execution of a command that runs as a workflow: its rounds are the generations of its record. */
export const runNameOf = (prefix: string, commandId: CommandId, generation: number) =>
  `${prefix}-${derived('exe/1', commandId, generation)}`;

/** The same fault is one finding: its kind, what it is about and its values say which. */
export function findingIdOf({ kind, about, item, values }: Sighting): string {
  const named = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return derived('fnd/1', kind, about?.aggregateType ?? '', about?.aggregateId ?? '', item, ...named.flat());
}

/** A repair is one command for each time that the fault has come. */
export const repairKeyOf = (findingId: string, occurrence: number, command: string) =>
  derived('svc/1', findingId, occurrence, command);

/** One reconciliation for each tenant and day. */
export const reconciliationNameOf = (tenant: TenantId, date: string) => `recon-${derived('rec/1', tenant, date)}`;

/** A number below `shards`, the same for the same text. */
export const shardOf = (text: string, shards: number) =>
  createHash('sha256').update(text, 'utf8').digest().readUInt32BE(0) % shards;

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

function base32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += alphabet[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}
