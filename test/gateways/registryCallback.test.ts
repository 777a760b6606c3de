import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'vitest';
import { signCallback, verifyCallback } from '../../gateways/registryCallback.ts';

const secret = 's3cret';
const now = Date.parse('2026-03-02T12:00:00.500Z');
const seconds = Math.floor(now / 1000);
const accepted = { key: 'key-1', status: 'ACCEPTED', registryNumber: 'R-2026-000001', reference: 'REF-1' };

/** Written from the contract, not from the code. */
const signed = (body: string, at = seconds, by = secret) =>
  `t=${at},v1=${createHmac('sha256', by).update(`${at}.${body}`).digest('hex')}`;

describe('the registry calling back', () => {
  it('is believed when it is signed as agreed', () => {
    const body = JSON.stringify({ ...accepted, more: 1 });
    const { key, ...answer } = accepted;
    assert.deepEqual(verifyCallback(body, signed(body), secret, now), { key, answer });
  });

  it('is heard when it refuses', () => {
    const answer = { status: 'REFUSED', reason: 'out of scope', reference: 'REF-1' };
    const body = JSON.stringify({ key: 'key-1', ...answer });
    assert.deepEqual(verifyCallback(body, signed(body), secret, now), { key: 'key-1', answer });
  });

  it('is signed by the local registry as the contract says', () => {
    assert.equal(signCallback('{"a":"ü"}', secret, now), signed('{"a":"ü"}'));
  });

  const body = JSON.stringify(accepted);
  const rejected: [string, string, string | undefined, string][] = [
    ['SIGNATURE', 'no signature', undefined, body],
    ['SIGNATURE', 'an empty one', '', body],
    ['SIGNATURE', 'one that is too short', `t=${seconds},v1=abcd`, body],
    ['SIGNATURE', 'upper-case hex', signed(body).toUpperCase(), body],
    ['SIGNATURE', 'another secret', signed(body, seconds, 'other'), body],
    ['SIGNATURE', 'a changed body', signed(body), body.replace('000001', '000002')],
    ['SIGNATURE', 'a changed time', signed(body).replace(`t=${seconds}`, `t=${seconds + 1}`), body],
    ['SIGNATURE', 'a signature with something behind it', `${signed(body)},v0=1`, body],
    ['OUT_OF_DATE', 'an old one', signed(body, seconds - 301), body],
    ['OUT_OF_DATE', 'one from the future', signed(body, seconds + 302), body],
    ['MALFORMED', 'what is not JSON', signed('nonsense'), 'nonsense'],
    ['MALFORMED', 'a list', signed('[]'), '[]'],
  ];
  for (const [reason, what, signature, text] of rejected)
    it(`is rejected with ${reason} for ${what}`, () => {
      assert.throws(() => verifyCallback(text, signature, secret, now), { name: 'CallbackRejected', reason });
    });

  const malformed = [
    { ...accepted, key: undefined },
    { ...accepted, status: 'PENDING' },
    { ...accepted, status: 'accepted' },
    { ...accepted, registryNumber: 7 },
    { ...accepted, reference: '' },
  ];
  for (const value of malformed)
    it(`is rejected when it says ${JSON.stringify(value)}`, () => {
      const text = JSON.stringify(value);
      assert.throws(() => verifyCallback(text, signed(text), secret, now), { reason: 'MALFORMED' });
    });

  it('is accepted at the very edge of five minutes', () => {
    assert.equal(verifyCallback(body, signed(body, seconds - 299), secret, now).key, 'key-1');
  });

  it('is never believed under an empty secret', () => {
    assert.throws(() => verifyCallback(body, signed(body, seconds, ''), '', now), /empty/);
  });
});
