import { createHash } from 'node:crypto';
import type { Content, ContentOwner } from '../domain/ports.ts';

/** The name of a document: the SHA-256 of its bytes, in lower-case hex. */
export const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

export const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

/** Nothing in it leads to another place: no dot, no slash. */
const part = /^[A-Za-z0-9_-]{1,128}$/;

/** Where an owner's content lies, below what the store keeps. */
export function placeOf({ tenant, caseId, ownerId }: ContentOwner): string {
  const parts = [tenant, caseId, ownerId];
  if (!parts.every((text) => part.test(text))) throw new TypeError('content has an owner of a tenant and a case');
  return parts.join('/');
}

/** Whether this can name something that is stored. */
export const isContent = ({ tenant, caseId, ownerId, sha256 }: Content): boolean =>
  isHash(sha256) && [tenant, caseId, ownerId].every((text) => part.test(text));

export function assertContent(content: Content): void {
  if (!isContent(content)) throw new TypeError('a document is named by its owner and its SHA-256');
}
