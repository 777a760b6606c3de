import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  NoSuchKey,
  PutObjectCommand,
  S3ServiceException,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Busy } from '../domain/answer.ts';
import type { Content, Documents } from '../domain/ports.ts';
import { assertContent, hashOf, isContent, placeOf } from './contentHash.ts';
import { assertShortLived } from './documentLink.ts';

type Settings = {
  client: S3Client;
  bucket: string;
  /** Before the owner, with its slash; may be empty. */
  prefix: string;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** Documents in a bucket, below their owner, named by their hash and created once. */
export function s3Documents({ client, bucket, prefix, now }: Settings): Documents {
  const named = (content: Content) => ({
    Bucket: bucket,
    Key: `${prefix}${placeOf(content)}/${content.sha256}`,
  });
  const secondsUntil = (expiresAt: string) => {
    assertShortLived(expiresAt, now());
    return Math.floor((Date.parse(expiresAt) - now()) / 1000);
  };

  return {
    async put(owner, content, mediaType) {
      const sha256 = hashOf(content);
      const put = {
        ...named({ ...owner, sha256 }),
        Body: content,
        ContentType: mediaType,
        ChecksumSHA256: base64Of(sha256),
        IfNoneMatch: '*',
      };
      await client.send(new PutObjectCommand(put)).catch(unlessThere);
      return { sha256, size: content.length };
    },

    async read(content) {
      if (!isContent(content)) return undefined;
      const object = await client.send(new GetObjectCommand(named(content))).catch(undefinedIfAbsent);
      const bytes = await object?.Body?.transformToByteArray();
      if (bytes && hashOf(bytes) !== content.sha256) throw new Error(`the document ${content.sha256} is damaged`);
      return bytes;
    },

    async link(content, { filename, mediaType, expiresAt }) {
      assertContent(content);
      const expiresIn = secondsUntil(expiresAt);
      const command = new GetObjectCommand({
        ...named(content),
        ResponseContentDisposition: `attachment; filename*=UTF-8''${encoded(filename)}`,
        ResponseContentType: mediaType,
      });
      return getSignedUrl(client, command, { expiresIn, signingDate: new Date(now()) });
    },

    async upload(content, { size, mediaType, expiresAt }) {
      assertContent(content);
      const expiresIn = secondsUntil(expiresAt);
      const checksum = base64Of(content.sha256);
      const command = new PutObjectCommand({
        ...named(content),
        ContentType: mediaType,
        ContentLength: size,
        ChecksumSHA256: checksum,
      });
      // All three are part of the signature, so that the bucket takes nothing else; browsers say the length themselves.
      const signedHeaders = new Set(['content-type', 'content-length', checksumHeader]);
      const url = await getSignedUrl(client, command, {
        expiresIn,
        signingDate: new Date(now()),
        signableHeaders: signedHeaders,
        unhoistableHeaders: signedHeaders,
      });
      const headers = [
        { name: 'content-type', value: mediaType },
        { name: checksumHeader, value: checksum },
      ];
      return { method: 'PUT', url, headers };
    },

    async checksum(content) {
      if (!isContent(content)) return undefined;
      const head = new HeadObjectCommand({ ...named(content), ChecksumMode: 'ENABLED' });
      const object = await client.send(head).catch(undefinedIfAbsent);
      if (!object) return undefined;
      const { ChecksumSHA256 = '', ContentLength = 0, ContentType = '' } = object;
      const sha256 = Buffer.from(ChecksumSHA256, 'base64').toString('hex');
      return { sha256, size: ContentLength, mediaType: ContentType };
    },

    /** The bucket keeps versions, and a deletion without one only hides: each is deleted by its own name. */
    async destroy(owner) {
      const Prefix = `${prefix}${placeOf(owner)}/`;
      for (;;) {
        const page = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix }));
        const versions = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
        for (const { Key, VersionId } of versions)
          await client.send(new DeleteObjectCommand({ Bucket: bucket, Key, VersionId }));
        if (!page.IsTruncated || versions.length === 0) return;
      }
    },
  };
}

const checksumHeader = 'x-amz-checksum-sha256';
const base64Of = (sha256: string) => Buffer.from(sha256, 'hex').toString('base64');

/** 412: it is there already, under its own hash, so it is the same. 409: somebody is just writing it. */
function unlessThere(error: unknown): void {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 412) return;
  if (status === 409) throw new Busy('the document is just being stored', 'CONTENTION');
  throw error;
}

/** A look at the head alone has no body, and so no code: only the status. */
function undefinedIfAbsent(error: unknown): undefined {
  const absent = error instanceof NoSuchKey || (error instanceof S3ServiceException && error.name === 'NotFound');
  if (!absent) throw error;
}

/** RFC 5987: encodeURIComponent leaves three characters that a header parameter may not hold. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
