/** How the verifier gets the issuer's keys. */
export type KeySetFetcher = { fetch: (uri: string) => Promise<ArrayBuffer> };

/** The issuer's keys could not be read: nothing is known about any token. */
export class KeySetUnavailable extends Error {
  override readonly name = 'KeySetUnavailable';
}

const timeoutMs = 3_000;
const pauseAfterFailureMs = 2_000;
const largestBytes = 256 * 1024;

/**
 * Over https, or plain http on this machine. After a failure nobody asks again for two seconds: an issuer that is down is
 * not helped by every request knocking.
 */
export function keySetFetcher(jwksUri: string): KeySetFetcher {
  const { protocol, hostname } = new URL(jwksUri);
  if (protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new Error('the key set of an issuer is read over https');
  let silentUntil = 0;

  return {
    async fetch(uri) {
      if (Date.now() < silentUntil) throw new KeySetUnavailable('the issuer was not reached a moment ago');
      try {
        return await read(uri);
      } catch (error) {
        silentUntil = Date.now() + pauseAfterFailureMs;
        throw new KeySetUnavailable('the issuer is not reached', { cause: error });
      }
    },
  };
}

async function read(uri: string): Promise<ArrayBuffer> {
  const answer = await fetch(uri, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (!answer.ok) throw new Error(`the issuer answers ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  if (bytes.byteLength > largestBytes) throw new Error('the key set is too large');
  return bytes;
}
