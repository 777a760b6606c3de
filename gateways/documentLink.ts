import { createHmac, timingSafeEqual } from 'node:crypto';

export type LinkedFile = { sha256: string; filename: string; mediaType: string; expiresAt: string };

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
export function signLink(baseUrl: string, file: LinkedFile, secret: string): string {
  const { sha256, filename, mediaType, expiresAt } = file;
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/${sha256}`);
  url.search = new URLSearchParams({
    filename,
    mediaType,
    expiresAt,
    signature: macOf(file, secret).toString('hex'),
  }).toString();
  return url.href;
}

export function verifyLink(link: string, secret: string, now: number): LinkedFile {
  const url = new URL(link, 'http://documents');
  const said = (name: string) => {
    const [value, second] = url.searchParams.getAll(name);
    if (value === undefined || second !== undefined) throw new LinkRejected('SIGNATURE');
    return value;
  };
  const [sha256 = ''] = /[^/]*$/.exec(url.pathname) ?? [];
  const file = { sha256, filename: said('filename'), mediaType: said('mediaType'), expiresAt: said('expiresAt') };
  const signature = said('signature');
  if (!/^[0-9a-f]{64}$/.test(signature)) throw new LinkRejected('SIGNATURE');
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), macOf(file, secret))) throw new LinkRejected('SIGNATURE');
  if (!(Date.parse(file.expiresAt) > now)) throw new LinkRejected('EXPIRED');
  return file;
}

const longestMs = 24 * 60 * 60 * 1000;

/** A link is a permission that cannot be taken back, so a mistaken date must not make a lasting one. */
export function assertShortLived(expiresAt: string, now: number): void {
  const left = Date.parse(expiresAt) - now;
  if (!(left > 0 && left <= longestMs)) throw new RangeError('a link ends within a day, and not in the past');
}

function macOf({ sha256, filename, mediaType, expiresAt }: LinkedFile, secret: string): Buffer {
  // An empty secret would let anybody sign; that is a mistake in the configuration, not a bad link.
  if (secret === '') throw new Error('the link secret is empty');
  return createHmac('sha256', secret)
    .update(JSON.stringify([sha256, filename, mediaType, expiresAt]))
    .digest();
}
