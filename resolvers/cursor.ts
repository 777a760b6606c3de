import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { GraphQLError } from 'graphql';

/** What a cursor is good for: used anywhere else, it is refused. */
export type CursorScope = {
  connection: string;
  /** What the connection hangs on: a case, an officer, a filter. */
  of: Readonly<Record<string, unknown>>;
  sort: string;
};

/** Where a list goes on, in the store's terms. */
export type Position = Record<string, string>;

export type Cursors = {
  seal: (scope: CursorScope, position: Position) => string;
  open: (scope: CursorScope, cursor: string) => Position;
};

const lifetimeSeconds = 24 * 3600;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Authenticated over tenant, connection, filter, sort, last key and expiry, so that nothing of it can be altered or taken
 * elsewhere; and encrypted, since a position may name an item that its holder must not know of.
 */
export function cursorsOf(key: Uint8Array, tenant: string, now: () => number): Cursors {
  if (key.length !== 32) throw new Error('a cursor key has 32 bytes');
  const scopeText = ({ connection, of, sort }: CursorScope) =>
    Buffer.from(JSON.stringify(['docket/cursor/1', tenant, connection, sorted(of), sort]), 'utf8');

  return {
    seal(scope, position) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(scopeText(scope));
      const expiry = Math.floor(now() / 1000) + lifetimeSeconds;
      const body = Buffer.concat([cipher.update(JSON.stringify([expiry, position]), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url');
    },

    open(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (cursor.length > 4096 || bytes.length <= ivBytes + tagBytes) throw badCursor();
      // base64 has several spellings of the same bytes; a cursor has one.
      if (bytes.toString('base64url') !== cursor) throw badCursor();
      const [expiry, position] = opened(bytes, key, scopeText(scope));
      if (expiry * 1000 <= now()) throw badCursor();
      return position;
    },
  };
}

/** One code for altered, expired, foreign and other-filter cursors: what exactly is wrong helps nobody honest. */
export const badCursor = () =>
  new GraphQLError('This cursor is not valid here; start again from the first page.', {
    extensions: { code: 'BAD_CURSOR' },
  });

function opened(bytes: Buffer, key: Uint8Array, scope: Buffer): [number, Position] {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(scope)
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as [number, Position];
  } catch {
    throw badCursor();
  }
}

const sorted = (of: CursorScope['of']) =>
  Object.entries(of)
    .filter(([, value]) => value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
