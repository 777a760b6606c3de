import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content, ContentOwner, Documents, StoredContent } from '../domain/ports.ts';
import { assertContent, hashOf, isContent, placeOf } from './contentHash.ts';
import { type AwaitedFile, assertShortLived, type LinkedFile, signLink, signUpload } from './documentLink.ts';
import { verifyLink, verifyUpload } from './documentLink.ts';
import { createFile, TransferRefused, undefinedIfAbsent } from './storedFile.ts';

type Settings = {
  directory: string;
  /** Where the host serves the files; owner, hash and signature are appended. */
  linkBaseUrl: string;
  linkSecret: string;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** What a host needs to serve the links: reads go by `verifyLink`, uploads by `receive`. */
type Served = {
  verifyLink: (link: string) => LinkedFile;
  /** Stores what comes, if it is what the link says; throws `LinkRejected` or `TransferRefused` and keeps nothing else. */
  receive: (link: string, sent: Sent) => Promise<StoredContent>;
};
export type Sent = {
  mediaType: string | undefined;
  /** As announced, where it was; what really comes is counted. */
  size: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
};

/** Documents in a directory of this machine. A name there is the hash of what it holds, or it is not there at all. */
export function directoryDocuments(settings: Settings): Documents & Served {
  const { directory, linkBaseUrl, linkSecret, now } = settings;
  const folderOf = (owner: ContentOwner) => join(directory, placeOf(owner));
  const pathOf = (content: Content) => join(folderOf(content), content.sha256);

  return {
    async put(owner, content, mediaType) {
      const sha256 = hashOf(content);
      const file = { folder: folderOf(owner), sha256, mediaType, size: content.length };
      if (!(await exists(join(file.folder, sha256)))) await createFile(file, [content]);
      return { sha256, size: content.length };
    },

    async read(content) {
      if (!isContent(content)) return undefined; // and no path leads out of the directory
      const bytes = await readFile(pathOf(content)).catch(undefinedIfAbsent);
      if (bytes && hashOf(bytes) !== content.sha256) throw new Error(`the document ${content.sha256} is damaged`);
      return bytes;
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- the port promises; a bad argument must reject
    async link(content, file) {
      assertContent(content);
      assertShortLived(file.expiresAt, now());
      return signLink(linkBaseUrl, { ...content, ...file }, linkSecret);
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- the same
    async upload(content, file) {
      assertContent(content);
      assertShortLived(file.expiresAt, now());
      const url = signUpload(linkBaseUrl, { ...content, ...file }, linkSecret);
      return { method: 'PUT', url, headers: [{ name: 'content-type', value: file.mediaType }] };
    },

    async checksum(content) {
      if (!isContent(content)) return undefined;
      const measured = await measure(pathOf(content)).catch(undefinedIfAbsent);
      const mediaType = await readFile(`${pathOf(content)}.type`, 'utf8').catch(undefinedIfAbsent);
      return measured && { ...measured, mediaType: mediaType ?? '' };
    },

    async destroy(owner) {
      await rm(folderOf(owner), { recursive: true, force: true }); // what a crash left unfinished, too
    },

    verifyLink: (link) => verifyLink(link, linkSecret, now()),

    async receive(link, { mediaType, size, bytes }) {
      const awaited: AwaitedFile = verifyUpload(link, linkSecret, now());
      if (mediaType !== awaited.mediaType) throw new TransferRefused('TYPE');
      if (size !== undefined && size !== awaited.size) throw new TransferRefused('SIZE');
      await createFile({ ...awaited, folder: folderOf(awaited) }, bytes);
      return { sha256: awaited.sha256, size: awaited.size, mediaType };
    },
  };
}

/** A document may be larger than the memory of this process should hold. */
async function measure(path: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex'), size };
}

const exists = async (path: string) => (await stat(path).catch(undefinedIfAbsent)) !== undefined;
