import { createHash, randomBytes } from 'node:crypto';
import type { Ask } from '../../local/demo/client.ts';
import type { Payload } from './contract.ts';
import { sent, type Input } from './office.ts';

export type Transfer = NonNullable<Payload['transfer']>;

/** A file as it would come from a scanner: no two are the same. */
export const aFile = () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(200)]);
export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export const announce = (caseId: string, bytes = aFile(), more: Input = {}): Input => ({
  caseId,
  name: 'visit.pdf',
  mediaType: 'application/pdf',
  size: bytes.length,
  sha256: hashOf(bytes),
  category: 'EVIDENCE',
  ...more,
});

/** One document that its case waits for. */
export async function announced(ask: Ask, caseId: string, bytes = aFile(), more: Input = {}) {
  const { document, transfer } = await sent(ask, 'requestDocumentUpload', announce(caseId, bytes, more));
  return { documentId: document!.id, expectedVersion: document!.version, transfer: transfer!, bytes };
}

/** The request that the transfer describes, as a browser would send it. */
export const put = ({ method, url, headers }: Transfer, bytes: Buffer, more: Record<string, string> = {}) =>
  fetch(url, {
    method,
    headers: { ...Object.fromEntries(headers.map(({ name, value }) => [name, value])), ...more },
    body: new Uint8Array(bytes),
  });

export async function uploaded(ask: Ask, caseId: string, more: Input = {}) {
  const { documentId, expectedVersion, transfer, bytes } = await announced(ask, caseId, aFile(), more);
  const { status } = await put(transfer, bytes);
  if (status !== 200) throw new Error(`the upload was answered ${status}`);
  return { documentId, expectedVersion };
}

export async function confirmed(ask: Ask, caseId: string, more: Input = {}) {
  const { document } = await sent(ask, 'confirmDocument', await uploaded(ask, caseId, more));
  return { documentId: document!.id, expectedVersion: document!.version };
}
