import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Content } from '../domain/ports.ts';
import { placeOf } from './contentHash.ts';

/** What a link lets its holder read. */
export type LinkedFile = Content & { filename: string; mediaType: string; expiresAt: string };
/** What a link lets its holder store: exactly so many bytes, of this type, with this hash. */
export type AwaitedFile = Content & { size: number; mediaType: string; expiresAt: string };

/** A host answers 403 to the first, 410 to the second. */
export class LinkRejected extends Error {
  override readonly name = 'LinkRejected';
  readonly reason: 'SIGNATURE' | 'EXPIRED';

  constructor(reason: LinkRejected['reason']) {
    super(`document link rejected: ${reason}`);
    this.reason = reason;
  }
}

/** The link is the permission: whoever holds it may read this one file, under this name, until it expires. */
export const signLink = (baseUrl: string, { filename, mediaType, expiresAt, ...content }: LinkedFile, secret: string) =>
  signed('read', baseUrl, content, { filename, mediaType, expiresAt }, secret);

/** The same, to store it. A link to read stores nothing, and the other way round. */
export const signUpload = (baseUrl: string, { size, mediaType, expiresAt, ...content }: AwaitedFile, secret: string) =>
  signed('store', baseUrl, content, { size: String(size), mediaType, expiresAt }, secret);

export function verifyLink(link: string, secret: string, now: number): LinkedFile {
  const { content, said } = verified('read', link, ['filename', 'mediaType', 'expiresAt'], secret, now);
  return { ...content, ...said };
}

export function verifyUpload(link: string, secret: string, now: number): AwaitedFile {
  const { content, said } = verified('store', link, ['size', 'mediaType', 'expiresAt'], secret, now);
  return { ...content, ...said, size: Number(said.size) };
}

const longestMs = 24 * 60 * 60 * 1000;

/** A link is a permission that cannot be taken back, so a mistaken date must not make a lasting one. */
export function assertShortLived(expiresAt: string, now: number): void {
  const left = Date.parse(expiresAt) - now;
  if (!(left > 0 && left <= longestMs)) throw new RangeError('a link ends within a day, and not in the past');
}

type Use = 'read' | 'store';

function signed(use: Use, baseUrl: string, content: Content, said: Record<string, string>, secret: string): string {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/${placeOf(content)}/${content.sha256}`);
  const signature = macOf(use, content, said, secret).toString('hex');
  url.search = new URLSearchParams({ ...said, signature }).toString();
  return url.href;
}

function verified<Name extends string>(use: Use, link: string, names: Name[], secret: string, now: number) {
  const url = new URL(link, 'http://documents');
  const one = (name: string) => {
    const [value, second] = url.searchParams.getAll(name);
    if (value === undefined || second !== undefined) throw new LinkRejected('SIGNATURE');
    return value;
  };
  const [tenant = '', caseId = '', ownerId = '', sha256 = ''] = url.pathname.split('/').slice(-4);
  const content: Content = { tenant, caseId, ownerId, sha256 };
  const said = Object.fromEntries(names.map((name) => [name, one(name)])) as Record<Name | 'expiresAt', string>;
  const signature = one('signature');
  if (!/^[0-9a-f]{64}$/.test(signature)) throw new LinkRejected('SIGNATURE');
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), macOf(use, content, said, secret)))
    throw new LinkRejected('SIGNATURE');
  if (!(Date.parse(said.expiresAt) > now)) throw new LinkRejected('EXPIRED');
  return { content, said };
}

function macOf(use: Use, content: Content, said: Record<string, string>, secret: string): Buffer {
  // An empty secret would let anybody sign; that is a mistake in the configuration, not a bad link.
  if (secret === '') throw new Error('the link secret is empty');
  const { tenant, caseId, ownerId, sha256 } = content;
  return createHmac('sha256', secret)
    .update(JSON.stringify([use, tenant, caseId, ownerId, sha256, ...Object.values(said)]))
    .digest();
}
