import assert from 'node:assert/strict';
import { simpleParser } from 'mailparser';
import { describe, it } from 'vitest';
import type { Mail } from '../../domain/ports.ts';
import { mimeOf } from '../../gateways/mime.ts';

const mail = (changes: Partial<Mail> = {}): Mail => ({
  messageId: '<effect-1@docket.example>',
  date: '2026-03-02T09:30:00.000Z',
  from: 'Amt für Märkte <notices@docket.example>',
  to: 'party@example.org',
  subject: 'Bescheid Nr. 17 – Müller & Söhne',
  text: 'Sehr geehrte Frau Müller,\n\nanbei der Bescheid.\n.\nFrom here on\r\n',
  attachments: [
    { filename: 'Bescheid 17.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7\n\x00\xff') },
  ],
  ...changes,
});

describe('a mail', () => {
  it('has the same bytes whenever it is written', async () => {
    const first = await mimeOf(mail());
    await new Promise((done) => setTimeout(done, 1100)); // another second, another random number
    assert.ok(first.bytes.equals((await mimeOf(mail())).bytes));
  });

  it('says what it was given', async () => {
    const { bytes, from, to } = await mimeOf(mail());
    const read = await simpleParser(bytes);
    assert.equal(read.messageId, '<effect-1@docket.example>');
    assert.equal(read.date?.toISOString(), '2026-03-02T09:30:00.000Z');
    assert.deepEqual(read.from?.value, [{ name: 'Amt für Märkte', address: 'notices@docket.example' }]);
    assert.equal(read.subject, 'Bescheid Nr. 17 – Müller & Söhne');
    assert.equal(read.text?.trim(), 'Sehr geehrte Frau Müller,\n\nanbei der Bescheid.\n.\nFrom here on');
    assert.equal(read.attachments[0]?.filename, 'Bescheid 17.pdf');
    assert.equal(read.attachments[0].contentType, 'application/pdf');
    assert.ok(read.attachments[0].content.equals(Buffer.from('%PDF-1.7\n\x00\xff')));
    assert.deepEqual([from, to], ['notices@docket.example', 'party@example.org']);
    assert.doesNotMatch(bytes.toString('latin1'), /[^\r]\n|\r[^\n]/);
  });

  it('cannot be ended by its own text', async () => {
    const boundary = /boundary="?([^"\r\n]+)/.exec((await mimeOf(mail())).bytes.toString())?.[1];
    const text = `--${boundary}--\r\n\r\nafter`;
    const read = await simpleParser((await mimeOf(mail({ text }))).bytes);
    assert.match(read.text ?? '', /after/);
    assert.equal(read.attachments.length, 1);
  });

  it('reaches a domain written in other letters', async () => {
    assert.equal((await mimeOf(mail({ to: 'info@müller.example' }))).to, 'info@xn--mller-kva.example');
  });

  const hostile: Partial<Mail>[] = [
    { subject: 'Notice\r\nBcc: all@example.org' },
    { subject: 'Notice\nBcc: all@example.org' },
    { subject: 'Notice\u2028Bcc: all@example.org' },
    { subject: 'Notice\0' },
    { to: 'party@example.org\r\nBcc: all@example.org' },
    { to: 'party@example.org, other@example.org' },
    { to: 'party@example.org>,<other@example.org' },
    { to: '<party@example.org>' },
    { to: 'party' },
    { to: 'party@' },
    { to: 'pärty@example.org' },
    { to: '"party one"@example.org' },
    { to: 'party@example.org SIZE=1' },
    { to: 'party@exa mple.org' },
    { to: '' },
    { from: 'Office\r\nBcc: x@y.example <a@b.example>' },
    { from: 'Office <a@b.example> <c@d.example>' },
    { messageId: 'effect-1@docket.example' },
    { messageId: '<a@b>\r\nX: y' },
    { messageId: '<a b@c>' },
    { date: 'yesterday' },
    { attachments: [{ filename: 'a"\r\nX: y', mediaType: 'application/pdf', content: Buffer.of() }] },
    { attachments: [{ filename: '../a.pdf', mediaType: 'application/pdf', content: Buffer.of() }] },
    { attachments: [{ filename: 'a.pdf', mediaType: 'application/pdf\r\nX: y', content: Buffer.of() }] },
  ];
  for (const changes of hostile)
    it(`is refused with ${JSON.stringify(changes)}, unquoted`, async () => {
      await assert.rejects(mimeOf(mail(changes)), (error: Error & { again?: string }) => {
        assert.deepEqual([error.name, error.again], ['NotAccepted', 'never']);
        assert.match(error.message, /^the [\w -]+ of the mail is malformed$/);
        return true;
      });
    });
});
