import { limits } from './limits.ts';
import { badRequest, tooLarge } from './masking.ts';

/** A JSON body, read the same way by both hosts; what the server says to other media types is its own business. */
export function bodyOf(bytes: Uint8Array, contentType: string | undefined): unknown {
  if (bytes.byteLength > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
  if (bytes.byteLength === 0 || !/^application\/([a-z.-]+\+)?json\b/i.test(contentType ?? '')) return '';
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw badRequest('The body is not JSON in UTF-8.');
  }
}
