import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { Busy, NotAccepted, OutcomeUnknown } from '../domain/answer.ts';
import type { Mailer } from '../domain/ports.ts';
import { codeOf, exchange, neverConnected } from './httpExchange.ts';
import { isObject, isText, parsed } from './json.ts';
import { type Mime, mimeOf } from './mime.ts';

type Settings = {
  /** `smtp://[user:password@]host:port`, or `smtps:` for TLS from the start. */
  smtpUrl: string;
  /** Where the mail server's log can be asked by Message-ID. */
  logUrl: string;
  settleMs: number;
};

/** Mail over SMTP, one connection a mail, to a server that keeps a log by Message-ID. */
export function smtpMailer({ smtpUrl, logUrl, settleMs }: Settings): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const options: SMTPConnectionOptions = {
    host: hostname.replace(/^\[|\]$/g, ''), // an IPv6 address without its brackets
    port: port || undefined,
    secure: protocol === 'smtps:',
    socketCloseTimeout: 0, // told to stop, it must stop: no waiting for the other side
  };
  const login = username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) };

  return {
    settleMs,

    async send(mail, signal) {
      const mime = await mimeOf(mail);
      const reply = await deliver(new SMTPConnection(options), login || undefined, mime, signal);
      return { providerMessageId: /queued as (\S+)/.exec(reply)?.[1] ?? mail.messageId };
    },

    async find(messageId, signal) {
      const url = new URL(`${logUrl.replace(/\/$/, '')}/messages/${encodeURIComponent(messageId)}`);
      const asked = exchange({ method: 'GET', url, headers: {}, maxBytes: 64 * 1024, signal });
      const { status, body } = await asked.catch((error: unknown) => {
        throw new Busy(`the mail log could not be asked: ${codeOf(error)}`, 'UNAVAILABLE');
      });
      const value = parsed(body);
      if (isObject(value)) {
        const { providerMessageId, code } = value;
        if (status === 200 && isText(providerMessageId)) return { kind: 'found', answer: { providerMessageId } };
        if (status === 404 && code === 'NO_SUCH_MESSAGE') return { kind: 'notFound' };
        if (status === 501 && code === 'LOG_OFF') return { kind: 'cannotTell' };
      }
      throw new Busy(`the mail log could not be asked: HTTP ${status}`, 'UNAVAILABLE');
    },
  };
}

type Login = { user: string; pass: string } | undefined;

function deliver(connection: SMTPConnection, login: Login, mime: Mime, signal: AbortSignal): Promise<string> {
  const { bytes, from, to } = mime;
  return new Promise<string>((resolve, reject) => {
    const stop = () => failed(signal.reason);
    const settle = () => signal.removeEventListener('abort', stop);
    const failed = (error: unknown) => {
      settle();
      connection.close();
      reject(meaningOf(error));
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    connection.on('error', failed);

    const send = () =>
      connection.send({ from, to: [to], size: bytes.length }, bytes, (error, info) => {
        if (error) return failed(error);
        settle();
        resolve(info?.response ?? '');
        connection.quit();
        setTimeout(() => connection.close(), 1_000).unref(); // a server that does not say goodbye
      });
    connection.connect((error) => {
      if (error) return failed(error);
      if (!login) return send();
      connection.login(login, (refused) => (refused ? failed(refused) : send()));
    });
  });
}

/** The server's replies quote addresses, so only their codes are handed on. */
function meaningOf(error: unknown): NotAccepted | OutcomeUnknown {
  if (neverConnected(error)) return new NotAccepted(`no connection to the mail server: ${codeOf(error)}`, 'later');
  const {
    code,
    responseCode: reply,
    command = 'CONN',
  } = error as { code?: string; responseCode?: number; command?: string };
  if (code === 'EDNS') return new NotAccepted('the mail server has no address', 'later');
  if (code === 'EMESSAGE' && command === 'MAIL FROM' && !reply) return new NotAccepted('the mail is too long', 'never');
  if (!reply || reply < 400 || reply > 599)
    return new OutcomeUnknown(`no whole answer from the mail server: ${codeOf(error)}`);
  // A 5xx is about this mail only where the mail was spoken of; 503 says that the session went wrong.
  const aboutTheMail = ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command);
  const again = reply >= 500 && reply !== 503 && aboutTheMail ? 'never' : 'later';
  return new NotAccepted(`the mail server answered ${reply} to ${command}`, again);
}
