import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '../domain/ports.ts';
import { hashOf, isHash } from './contentHash.ts';
import { assertShortLived, type LinkedFile, signLink, verifyLink } from './documentLink.ts';

type Settings = {
  directory: string;
  /** Where the host serves the files; the hash and the signature are appended. */
  linkBaseUrl: string;
  linkSecret: string;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** Documents in a directory of this machine. A name there is the hash of what it holds, or it is not there at all. */
export function directoryDocuments(settings: Settings): Documents & { verifyLink: (link: string) => LinkedFile } {
  const { directory, linkBaseUrl, linkSecret, now } = settings;
  const folderOf = (sha256: string) => join(directory, sha256.slice(0, 2));

  return {
    async put(content) {
      const sha256 = hashOf(content);
      const path = join(folderOf(sha256), sha256);
      if (!(await exists(path))) await create(folderOf(sha256), path, content);
      return { sha256, size: content.length };
    },

    async read(sha256) {
      if (!isHash(sha256)) return undefined; // and no path leads out of the directory
      const content = await readFile(join(folderOf(sha256), sha256)).catch(undefinedIfAbsent);
      if (content && hashOf(content) !== sha256) throw new Error(`the document ${sha256} is damaged`);
      return content;
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- the port promises; a bad argument must reject
    async link(sha256, file) {
      if (!isHash(sha256)) throw new TypeError('a document is named by its SHA-256');
      assertShortLived(file.expiresAt, now());
      return signLink(linkBaseUrl, { sha256, ...file }, linkSecret);
    },

    verifyLink: (link) => verifyLink(link, linkSecret, now()),
  };
}

/** Written beside, synced, then renamed: a crash leaves a stray temporary file and never half a document. */
async function create(folder: string, path: string, content: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path); // over the same bytes, should somebody have been faster
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await sync(folder);
  await sync(join(folder, '..'));
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

const exists = async (path: string) => (await stat(path).catch(undefinedIfAbsent)) !== undefined;

function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
