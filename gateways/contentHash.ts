import { createHash } from 'node:crypto';

/** The name of a document: the SHA-256 of its bytes, in lower-case hex. */
export const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

export const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);
