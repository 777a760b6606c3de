import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { FaultBox } from '../registry/faults.ts';
import type { MailStore } from './mailStore.ts';

/**
 * refuse4xx, refuse5xx: the recipient is refused. delay: stored only `ms` after it came, even if the client is gone.
 * loseAnswer: stored, then the connection is cut. slow: stored, answered `ms` later. hang: neither, ever.
 * bounce: accepted, and returned afterwards. logOff: the log cannot be asked.
 */
export const mailboxFaults = [
  ...(['refuse4xx', 'refuse5xx', 'delay', 'loseAnswer', 'slow', 'hang', 'bounce', 'logOff'] as const),
];
export type MailboxFault = (typeof mailboxFaults)[number];

type Mailbox = {
  store: MailStore;
  faults: FaultBox<MailboxFault>;
  stop: AbortSignal;
  onBounce: (() => void) | undefined;
};

export function smtpPort(mailbox: Mailbox): SMTPServer {
  const server = new SMTPServer({
    banner: 'mailbox of this machine',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    size: 30 * 1024 * 1024,
    onRcptTo(_address, _session, answer) {
      if (mailbox.faults.take('refuse4xx')) return answer(reply(450, 'mailbox busy'));
      if (mailbox.faults.take('refuse5xx')) return answer(reply(550, 'no such mailbox'));
      answer();
    },
    onData(stream, session, answer) {
      receive(mailbox, stream, session).then(
        (said) => {
          if (said === 'nothing') return;
          if (said === 'cut') cut(server, session);
          else answer(null, said);
        },
        () => cut(server, session), // not stored for certain, so not a word
      );
    },
  });
  server.on('error', () => undefined); // a client that goes away is the client's affair
  return server;
}

async function receive(mailbox: Mailbox, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
  const { store, faults, stop, onBounce } = mailbox;
  const { mailFrom, rcptTo } = session.envelope;
  const to = rcptTo.map(({ address }) => address);
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  if (stream.sizeExceeded) return 'too long'; // the server itself answers 552
  if (faults.take('hang')) return 'nothing';

  const delay = faults.take('delay');
  if (delay) await pause(delay.ms ?? 1000, undefined, { signal: stop });
  const mail = await store.store(mailFrom ? mailFrom.address : '', to, Buffer.concat(parts));

  if (faults.take('bounce')) {
    await store.bounce(mail.n);
    onBounce?.();
  }
  if (faults.take('loseAnswer')) return 'cut';
  const slow = faults.take('slow');
  if (slow) await pause(slow.ms ?? 1000, undefined, { signal: stop });
  return `OK: queued as ${mail.n}`;
}

function cut(server: SMTPServer, { id }: SMTPServerSession): void {
  for (const connection of server.connections) if (connection.id === id) connection._socket.destroy();
}

const reply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });
