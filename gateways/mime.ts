import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import MimeNode from 'nodemailer/lib/mime-node';
import { NotAccepted } from '../domain/answer.ts';
import type { Mail } from '../domain/ports.ts';

export type Mime = { bytes: Buffer; from: string; to: string };

/** The mail's bytes, from nothing but the mail. What could smuggle a header or an address in is refused, not repaired. */
export async function mimeOf(mail: Mail): Promise<Mime> {
  const from = sender(mail.from);
  const to = address(mail.to);
  if (!/^<[!-;=?A-~]+@[!-;=?A-~]+>$/.test(mail.messageId)) throw malformed('Message-ID');
  const date = new Date(mail.date);
  if (Number.isNaN(date.getTime())) throw malformed('date');
  if (!isLine(mail.subject)) throw malformed('subject');

  const text = mail.text.replace(/\r\n?|\n/g, '\r\n');
  const root = new MimeNode('multipart/mixed', {
    // Of the whole mail's identity and text, so that no text can contain its own boundary.
    baseBoundary: createHash('sha256').update(`${mail.messageId}\n${text}`).digest('hex').slice(0, 32),
    boundaryPrefix: '--docket',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  root.setHeader({
    From: from,
    To: { name: '', address: to },
    Subject: mail.subject,
    Date: date.toUTCString().replace('GMT', '+0000'),
    'Message-ID': mail.messageId,
    'Auto-Submitted': 'auto-generated', // RFC 3834: a holiday note is not to answer a notice
  });
  root.createChild('text/plain; charset=utf-8').setContent(text);
  for (const { filename, mediaType, content } of mail.attachments) {
    if (!isLine(filename) || /["\\/]/.test(filename)) throw malformed('file name');
    if (!/^[\w.+-]+\/[\w.+-]+$/.test(mediaType)) throw malformed('media type');
    root.createChild(mediaType, { filename }).setContent(Buffer.from(content));
  }
  return { bytes: await root.build(), from: from.address, to };
}

/** `name@domain` or `Name <name@domain>`. */
function sender(text: string): { name: string; address: string } {
  const [, name = '', inner] = /^([^<>"]*)<([^<>]*)>$/.exec(text) ?? [];
  if (inner === undefined) return { name: '', address: address(text) };
  if (!isLine(name)) throw malformed('sender');
  return { name: name.trim(), address: address(inner) };
}

/** One address in plain characters; a domain in other letters is written as the mail system knows it. */
function address(text: string): string {
  const [, local, domain] = /^([\w.!#$%&'*+/=?^`{|}~-]{1,64})@([^@\s<>()[\]\\,;:"]{1,255})$/.exec(text) ?? [];
  const ascii = domain && isLine(domain) ? domainToASCII(domain) : '';
  if (!local || !/^[\w.-]+$/.test(ascii)) throw malformed('address');
  return `${local}@${ascii}`;
}

const isLine = (text: string) => !/[\p{Cc}\u2028\u2029]/u.test(text);

/** Says what is wrong without quoting it. It never left and never will. */
const malformed = (what: string) => new NotAccepted(`the ${what} of the mail is malformed`, 'never');
