import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3ServiceException, type S3Client } from '@aws-sdk/client-s3';
import { Busy } from '../domain/answer.ts';
import type { Documents } from '../domain/ports.ts';
import { hashOf, isHash } from './contentHash.ts';
import { assertShortLived } from './documentLink.ts';

type Settings = {
  client: S3Client;
  bucket: string;
  /** Before the hash, with its slash; may be empty. */
  prefix: string;
  /** Signs a GET for so many seconds: `getSignedUrl(client, command, { expiresIn })` of the presigner. */
  presign: (command: GetObjectCommand, expiresIn: number) => Promise<string>;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** Documents in a bucket, named by their hash and created once. */
export function s3Documents({ client, bucket, prefix, presign, now }: Settings): Documents {
  const named = (sha256: string) => ({ Bucket: bucket, Key: `${prefix}${sha256}` });

  return {
    async put(content, mediaType) {
      const sha256 = hashOf(content);
      const checksum = Buffer.from(sha256, 'hex').toString('base64');
      const put = {
        ...named(sha256),
        Body: content,
        ContentType: mediaType,
        ChecksumSHA256: checksum,
        IfNoneMatch: '*',
      };
      await client.send(new PutObjectCommand(put)).catch(unlessThere);
      return { sha256, size: content.length };
    },

    async read(sha256) {
      if (!isHash(sha256)) return undefined;
      const object = await client.send(new GetObjectCommand(named(sha256))).catch(undefinedIfAbsent);
      const content = await object?.Body?.transformToByteArray();
      if (content && hashOf(content) !== sha256) throw new Error(`the document ${sha256} is damaged`);
      return content;
    },

    async link(sha256, { filename, mediaType, expiresAt }) {
      if (!isHash(sha256)) throw new TypeError('a document is named by its SHA-256');
      assertShortLived(expiresAt, now());
      const disposition = `attachment; filename*=UTF-8''${encoded(filename)}`;
      const command = new GetObjectCommand({
        ...named(sha256),
        ResponseContentDisposition: disposition,
        ResponseContentType: mediaType,
      });
      return presign(command, Math.floor((Date.parse(expiresAt) - now()) / 1000));
    },
  };
}

/** 412: it is there already, under its own hash, so it is the same. 409: somebody is just writing it. */
function unlessThere(error: unknown): void {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 412) return;
  if (status === 409) throw new Busy('the document is just being stored', 'CONTENTION');
  throw error;
}

function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof NoSuchKey)) throw error;
}

/** RFC 5987: encodeURIComponent leaves three characters that a header parameter may not hold. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
