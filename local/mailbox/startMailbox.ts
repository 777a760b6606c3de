import type { AddressInfo, Server } from 'node:net';
import { faultBox, type Faults } from '../registry/faults.ts';
import { logPort } from './logPort.ts';
import { openMailStore, type StoredMail } from './mailStore.ts';
import { type MailboxFault, mailboxFaults, smtpPort } from './smtpPort.ts';

export type LocalMailbox = {
  smtpUrl: string;
  httpUrl: string;
  /** Oldest first; the same Message-ID twice is there twice. */
  messages(): StoredMail[];
  /** The bytes of a message, by its number. */
  raw(n: number): Promise<Uint8Array | undefined>;
  /**
   * Tells each bounce that nobody has taken in yet, also those of earlier runs. It is told again, after a crash too, until
   * the hearer answers that it has taken it in. One that throws keeps no other from being told; the first error is thrown.
   */
  tellBounces(hear: (messageId: string) => Promise<boolean>): Promise<void>;
  setFaults(faults: Faults<MailboxFault>): void;
  close(): Promise<void>;
};

type Options = {
  /** Absent: nothing outlives the process. */
  directory?: string;
  /** Absent: any free one. */
  smtpPort?: number;
  httpPort?: number;
  /** A mail that was accepted is returned: there is something to tell. */
  onBounce?: () => void;
};

/** A mail server on this machine: what it answered 250 for is on disk, and its log can be asked by Message-ID. */
export async function startMailbox(options: Options): Promise<LocalMailbox> {
  const store = await openMailStore(options.directory);
  const faults = faultBox(mailboxFaults);
  const stopping = new AbortController();
  const smtp = smtpPort({ store, faults, stop: stopping.signal, onBounce: options.onBounce });
  const log = logPort(store, faults);
  const smtpAt = await listen(smtp.listen(options.smtpPort ?? 0, '127.0.0.1'));
  const httpAt = await listen(log.listen(options.httpPort ?? 0, '127.0.0.1'));

  return {
    smtpUrl: `smtp://127.0.0.1:${smtpAt}`,
    httpUrl: `http://127.0.0.1:${httpAt}`,
    messages: () => store.all(),
    raw: (n) => store.raw(n),
    tellBounces: async (hear) => {
      const failures: unknown[] = [];
      for (const { n, messageId } of store.untold()) {
        try {
          if (await hear(messageId)) await store.told(n);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0] as Error;
    },
    setFaults: (next) => faults.set(next),
    close: async () => {
      stopping.abort();
      const closed = [
        new Promise<void>((done) => smtp.close(done)),
        new Promise<void>((done) => log.close(() => done())),
      ];
      log.closeAllConnections();
      await Promise.all(closed);
      await store.close();
    },
  };
}

async function listen(server: Server): Promise<number> {
  if (!server.listening)
    await new Promise<void>((done, failed) => server.once('listening', done).once('error', failed));
  return (server.address() as AddressInfo).port;
}
