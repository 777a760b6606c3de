import { createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { AnyCommand } from '../domain/command.ts';

const hashVersion = 1;
const deepest = 32;

/** The arguments cannot be hashed: not plain JSON, too deep, or numbers and text that JSON cannot carry exactly. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
}

/** A frozen plain-JSON copy: what is hashed is what the domain sees. Absent values are left out, null is kept. */
export function frozenCopy<C extends AnyCommand>(command: C): C {
  return copyOf(command, 0) as C;
}

/**
 * RFC 8785 of the copy, under HMAC-SHA-256 keyed with the client's key. The key is stored nowhere, so that a redacted
 * request cannot be guessed back from the hash.
 */
export function requestHashOf(command: AnyCommand, idempotencyKey: string): string {
  const text = canonicalize({ hashVersion, command });
  if (text === undefined) throw new NotCanonical('not plain JSON');
  return createHmac('sha256', idempotencyKey).update(text, 'utf8').digest('hex');
}

function copyOf(value: unknown, depth: number): unknown {
  if (depth > deepest) throw new NotCanonical(`nested deeper than ${deepest}`);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return exact(value);
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return Object.freeze(value.map((part) => copyOf(part, depth + 1)));
  if (typeof value !== 'object' || !isPlain(value)) throw new NotCanonical('not plain JSON');
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.freeze(Object.fromEntries(entries.map(([name, part]) => [wellFormed(name), copyOf(part, depth + 1)])));
}

function exact(value: number): number {
  if (!Number.isFinite(value)) throw new NotCanonical('not a finite number');
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new NotCanonical('an integer beyond 2^53 - 1');
  return value;
}

function wellFormed(value: string): string {
  if (/\p{Cs}/u.test(value)) throw new NotCanonical('a lone surrogate');
  return value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
