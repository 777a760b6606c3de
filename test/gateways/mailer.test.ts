import assert from 'node:assert/strict';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'vitest';
import type { Mail } from '../../domain/ports.ts';
import { smtpMailer } from '../../gateways/mailer.ts';

const mail: Mail = {
  messageId: '<effect-1@docket.example>',
  date: '2026-03-02T09:30:00.000Z',
  from: 'notices@docket.example',
  to: 'party@example.org',
  subject: 'Notice 17',
  text: 'Attached.',
  attachments: [{ filename: 'n.pdf', mediaType: 'application/pdf', content: Buffer.alloc(200_000, 7) }],
};
const soon = () => AbortSignal.timeout(8_000);
const servers: net.Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function portOf(server: net.Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
const mailerAt = (port: number, logPort = 9, login = '') =>
  smtpMailer({ smtpUrl: `smtp://${login}127.0.0.1:${port}`, logUrl: `http://127.0.0.1:${logPort}`, settleMs: 2000 });

/** What the server says at each step: a reply, `cut`, or silence. */
type Script = Partial<Record<'greeting' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end' | 'QUIT', string>>;
const polite = { greeting: '220 hello', EHLO: '250-hello\r\n250 AUTH PLAIN', AUTH: '235 welcome', MAIL: '250 ok' };
const usual = { ...polite, RCPT: '250 ok', DATA: '354 go on', end: '250 OK: queued as 17', QUIT: '221 bye' };

async function smtpThat(script: Script) {
  const seen = { connections: 0, commands: [] as string[], closed: 0 };
  const server = net.createServer((socket) => {
    seen.connections++;
    let inMail = false;
    let buffered = '';
    const say = (step: keyof Script) => {
      const line = { ...usual, ...script }[step];
      if (line === 'cut') socket.destroy();
      else if (line !== '') socket.write(`${line}\r\n`);
    };
    socket.on('error', () => undefined).on('close', () => seen.closed++);
    socket.setEncoding('latin1').on('data', (part: string) => {
      buffered += part;
      for (let end; (end = buffered.indexOf('\r\n')) >= 0;) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (inMail && line !== '.') continue;
        if (inMail) {
          inMail = false;
          say('end');
          continue;
        }
        seen.commands.push(line);
        const step = line.slice(0, 4) as keyof Script;
        inMail = step === 'DATA' && (script.DATA ?? '354').startsWith('354');
        say(step);
      }
    });
    say('greeting');
  });
  return { seen, port: await portOf(server) };
}

describe('sending a mail', () => {
  it('is done when the server has said 250', async () => {
    const { seen, port } = await smtpThat({});
    const mailer = mailerAt(port);
    assert.deepEqual(await mailer.send(mail, soon()), { providerMessageId: '17' });
    await mailer.send(mail, soon());
    assert.equal(seen.connections, 2, 'one connection a mail');
    assert.ok(seen.commands.some((line) => line.startsWith('MAIL FROM:<notices@docket.example>')));
    assert.ok(seen.commands.includes('RCPT TO:<party@example.org>'));
  });

  it('falls back on the Message-ID where the server gives no number', async () => {
    const { port } = await smtpThat({ end: '250 fine' });
    assert.deepEqual(await mailerAt(port).send(mail, soon()), { providerMessageId: mail.messageId });
  });

  it('logs in where the address says so', async () => {
    const { seen, port } = await smtpThat({});
    await mailerAt(port, 9, 'user:p%40ss@').send(mail, soon());
    assert.ok(seen.commands.includes(`AUTH PLAIN ${Buffer.from('\0user\0p@ss').toString('base64')}`));
  });

  const answers: [string, Script, 'later' | 'never' | 'unknown'][] = [
    ['421 greeting', { greeting: '421 closing' }, 'later'],
    ['554 greeting: no service here, whatever the mail', { greeting: '554 no' }, 'later'],
    ['535 to the login', { AUTH: '535 no' }, 'later'],
    ['451 to the sender', { MAIL: '451 busy' }, 'later'],
    ['550 to the sender', { MAIL: '550 no' }, 'never'],
    ['450 to the recipient', { RCPT: '450 busy' }, 'later'],
    ['550 to the recipient', { RCPT: '550 <party@example.org> unknown' }, 'never'],
    ['503: the session went wrong, not the mail', { RCPT: '503 bad sequence' }, 'later'],
    ['554 to DATA', { DATA: '554 no' }, 'never'],
    ['452 after the mail', { end: '452 full' }, 'later'],
    ['421 after the mail', { end: '421 closing' }, 'later'],
    ['552 after the mail', { end: '552 too long' }, 'never'],
    ['a mail that is longer than the server takes', { EHLO: '250-hello\r\n250-AUTH PLAIN\r\n250 SIZE 1000' }, 'never'],
    ['a cut before the greeting', { greeting: 'cut' }, 'unknown'],
    ['a cut at the recipient', { RCPT: 'cut' }, 'unknown'],
    ['a cut at DATA', { DATA: 'cut' }, 'unknown'],
    ['a cut after the mail', { end: 'cut' }, 'unknown'],
    ['nonsense after the mail', { end: 'hm' }, 'unknown'],
    ['something that speaks no SMTP', { greeting: 'HTTP/1.1 400 Bad Request' }, 'unknown'],
  ];
  for (const [what, script, again] of answers)
    it(`takes ${what} as ${again}`, async () => {
      const { port } = await smtpThat(script);
      const sent = mailerAt(port, 9, script.AUTH ? 'user:pass@' : '').send(mail, soon());
      await assert.rejects(sent, (error: Error & { again?: string }) => {
        if (again === 'unknown') assert.equal(error.name, 'OutcomeUnknown');
        else assert.deepEqual([error.name, error.again], ['NotAccepted', again]);
        assert.doesNotMatch(error.message, /party/);
        return true;
      });
    });

  it('knows that a refused connection carried nothing', async () => {
    const server = net.createServer();
    const port = await portOf(server);
    await new Promise((done) => server.close(done));
    await assert.rejects(mailerAt(port).send(mail, soon()), { name: 'NotAccepted', again: 'later' });
  });

  it('knows that an unknown host heard nothing', async () => {
    const mailer = smtpMailer({ smtpUrl: 'smtp://mail.invalid:25', logUrl: 'http://127.0.0.1:9', settleMs: 2000 });
    await assert.rejects(mailer.send(mail, soon()), { name: 'NotAccepted', again: 'later' });
  });

  for (const step of ['greeting', 'RCPT', 'end'] as const)
    it(`ends the connection when it is told to stop while it waits for the ${step}`, async () => {
      const { seen, port } = await smtpThat({ [step]: '' });
      await assert.rejects(mailerAt(port).send(mail, AbortSignal.timeout(100)), { name: 'OutcomeUnknown' });
      await new Promise((done) => setTimeout(done, 30));
      assert.equal(seen.closed, 1);
    });

  it('does not even connect when it was told to stop before', async () => {
    const { seen, port } = await smtpThat({});
    await assert.rejects(mailerAt(port).send(mail, AbortSignal.abort()), { name: 'OutcomeUnknown' });
    assert.equal(seen.connections, 0);
  });
});

describe('asking the mail log', () => {
  const asked = async (status: number, body: string) => {
    const server = http.createServer((_, response) => void response.writeHead(status).end(body));
    return mailerAt(9, await portOf(server)).find(mail.messageId, soon());
  };

  it('tells found, not found and cannot tell apart', async () => {
    const found = { kind: 'found', answer: { providerMessageId: '17' } };
    assert.deepEqual(await asked(200, '{"providerMessageId":"17"}'), found);
    assert.deepEqual(await asked(404, '{"code":"NO_SUCH_MESSAGE"}'), { kind: 'notFound' });
    assert.deepEqual(await asked(501, '{"code":"LOG_OFF"}'), { kind: 'cannotTell' });
  });

  for (const [status, body] of [
    [404, 'Not Found'],
    [501, ''],
    [200, '{}'],
    [503, ''],
    [401, '{}'],
  ] as const)
    it(`learns nothing from ${status} ${body}`, async () => {
      await assert.rejects(asked(status, body), { name: 'Busy', reason: 'UNAVAILABLE' });
    });
});
