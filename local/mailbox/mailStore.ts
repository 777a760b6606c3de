import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openJsonLines, syncDirectory } from '../registry/jsonLines.ts';

export type StoredMail = {
  /** Counts up from 1; the name of the file. */
  n: number;
  messageId: string;
  from: string;
  to: string[];
  receivedAt: string;
  bounced: boolean;
};
type Line = ({ is: 'stored' } & StoredMail) | { is: 'bounced'; n: number } | { is: 'told'; n: number };

export type MailStore = Awaited<ReturnType<typeof openMailStore>>;

/** The line in the log is the acceptance: a file without one was never promised to anybody and is written over. */
export async function openMailStore(directory: string | undefined) {
  const log = await openJsonLines<Line>(directory, 'mailbox.jsonl');
  const mails = new Map<number, StoredMail>();
  const firstById = new Map<string, StoredMail>();
  const inMemory = new Map<number, Buffer>();
  const untold = new Map<number, StoredMail>();
  let last = 0;

  const apply = (line: Line) => {
    if (line.is === 'told') return void untold.delete(line.n);
    if (line.is === 'bounced') {
      const mail = mails.get(line.n);
      if (mail) untold.set(line.n, Object.assign(mail, { bounced: true }));
      return;
    }
    const { is: _, ...mail } = line;
    mails.set(mail.n, mail);
    if (!firstById.has(mail.messageId)) firstById.set(mail.messageId, mail);
    last = Math.max(last, mail.n);
  };
  for (const line of log.before) apply(line);
  if (directory !== undefined) await mkdir(directory, { recursive: true });

  return {
    all: () => [...mails.values()],

    find: (messageId: string) => firstById.get(messageId),

    async raw(n: number): Promise<Buffer | undefined> {
      if (!mails.has(n)) return undefined;
      return directory === undefined ? inMemory.get(n) : readFile(join(directory, `${n}.eml`));
    },

    /** Settles when the mail would survive a power cut: file, its name, and the line, in this order. */
    async store(from: string, to: string[], content: Buffer): Promise<StoredMail> {
      const n = ++last;
      const receivedAt = new Date().toISOString();
      const mail = { n, messageId: messageIdOf(content), from, to, receivedAt, bounced: false };
      if (directory === undefined) inMemory.set(n, content);
      else await write(directory, `${n}.eml`, content);
      const line: Line = { is: 'stored', ...mail };
      await log.append(line);
      apply(line);
      return mail;
    },

    async bounce(n: number): Promise<void> {
      const line: Line = { is: 'bounced', n };
      await log.append(line);
      apply(line);
    },

    /** Bounces that nobody has taken in yet, oldest first. */
    untold: () => [...untold.values()],

    /** The sender has taken the bounce in: from now on it is the sender's. */
    async told(n: number): Promise<void> {
      const line: Line = { is: 'told', n };
      await log.append(line);
      apply(line);
    },

    close: () => log.close(),
  };
}

async function write(directory: string, name: string, content: Buffer): Promise<void> {
  const file = await open(join(directory, name), 'w');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(directory);
}

function messageIdOf(content: Buffer): string {
  const [headers = ''] = content.toString('latin1').split('\r\n\r\n', 1);
  return /^message-id:\s*(<[^<>\r\n]+>)/im.exec(headers)?.[1] ?? '';
}
