import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject, isText, parsed } from './json.ts';
import { type FinalRegistryAnswer, registryAnswerOf } from './registryAnswer.ts';

/** The registry's word about one submission, named by the key we sent it under. */
export type RegistryCallback = { key: string; answer: FinalRegistryAnswer };

/** A host answers 401 to the first two and 400 to the third. The message never quotes what came. */
export class CallbackRejected extends Error {
  override readonly name = 'CallbackRejected';

  readonly reason: 'SIGNATURE' | 'OUT_OF_DATE' | 'MALFORMED';

  constructor(reason: CallbackRejected['reason']) {
    super(`registry callback rejected: ${reason}`);
    this.reason = reason;
  }
}

export const signatureHeader = 'x-registry-signature';
const toleranceSeconds = 300;

/** `now` in milliseconds. The signature is judged first: nothing of an unsigned body is looked at. */
export function verifyCallback(
  body: string,
  signature: string | undefined,
  secret: string,
  now: number,
): RegistryCallback {
  const [, seconds, mac] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? [];
  if (!seconds || !mac) throw new CallbackRejected('SIGNATURE');
  if (!timingSafeEqual(Buffer.from(mac, 'hex'), macOf(seconds, body, secret))) throw new CallbackRejected('SIGNATURE');
  if (Math.abs(now / 1000 - Number(seconds)) > toleranceSeconds) throw new CallbackRejected('OUT_OF_DATE');

  const value = parsed(body);
  const answer = registryAnswerOf(value);
  if (!isObject(value) || !isText(value.key) || !answer || answer.status === 'PENDING')
    throw new CallbackRejected('MALFORMED');
  return { key: value.key, answer };
}

/** The other side of the same agreement: what the registry puts into the header. */
export function signCallback(body: string, secret: string, now: number): string {
  const seconds = String(Math.floor(now / 1000));
  return `t=${seconds},v1=${macOf(seconds, body, secret).toString('hex')}`;
}

function macOf(seconds: string, body: string, secret: string): Buffer {
  // An empty secret would let anybody sign; that is a mistake in the configuration, not a bad callback.
  if (secret === '') throw new Error('the callback secret is empty');
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest();
}
