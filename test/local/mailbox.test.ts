import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import { afterEach, describe, it } from 'vitest';
import type { Mail } from '../../domain/ports.ts';
import { smtpMailer } from '../../gateways/mailer.ts';
import { startMailbox } from '../../local/mailbox/startMailbox.ts';

const mail = (n: number): Mail => ({
  messageId: `<effect-${n}@docket.example>`,
  date: '2026-03-02T09:30:00.000Z',
  from: 'notices@docket.example',
  to: 'party@example.org',
  subject: `Notice ${n}`,
  text: 'Attached.',
  attachments: [{ filename: 'n.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF') }],
});
const soon = () => AbortSignal.timeout(8_000);
const atEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end();
});

async function directory() {
  const path = await mkdtemp(join(tmpdir(), 'mailbox-'));
  atEnd.push(() => rm(path, { recursive: true }));
  return path;
}
async function started(options: Parameters<typeof startMailbox>[0] = {}) {
  const mailbox = await startMailbox(options);
  atEnd.push(() => mailbox.close());
  return { mailbox, mailer: smtpMailer({ smtpUrl: mailbox.smtpUrl, logUrl: mailbox.httpUrl, settleMs: 2000 }) };
}

/** What the mailbox tells, to somebody who takes it in or not. */
async function toldBy(mailbox: Awaited<ReturnType<typeof startMailbox>>, takenIn = true) {
  const told: string[] = [];
  await mailbox.tellBounces((messageId) => (told.push(messageId), Promise.resolve(takenIn)));
  return told;
}

describe('the local mailbox', () => {
  it('keeps what it accepted, and tells by Message-ID', async () => {
    const { mailbox, mailer } = await started({ directory: await directory() });
    const sent = await mailer.send(mail(1), soon());
    assert.deepEqual(await mailer.find(mail(1).messageId, soon()), { kind: 'found', answer: sent });
    assert.deepEqual(await mailer.find(mail(2).messageId, soon()), { kind: 'notFound' });

    const [stored] = mailbox.messages();
    assert.deepEqual(stored?.to, ['party@example.org']);
    const read = await simpleParser(Buffer.from((await mailbox.raw(1))!));
    assert.equal(read.subject, 'Notice 1');
    const shown = await fetch(`${mailbox.httpUrl}/messages/${encodeURIComponent(mail(1).messageId)}/raw`);
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), Buffer.from((await mailbox.raw(1))!));
    const list = (await (await fetch(`${mailbox.httpUrl}/messages`)).json()) as { messageId: string }[];
    assert.deepEqual(
      list.map(({ messageId }) => messageId),
      [mail(1).messageId],
    );
  });

  it('shows a mail that was sent twice twice, byte for byte the same', async () => {
    const { mailbox, mailer } = await started();
    await mailer.send(mail(1), soon());
    await mailer.send(mail(1), soon());
    assert.equal(mailbox.messages().length, 2);
    assert.deepEqual(await mailbox.raw(1), await mailbox.raw(2));
  });

  it('keeps nothing of a mail that broke off', async () => {
    const { mailbox } = await started();
    const socket = net.connect(Number(new URL(mailbox.smtpUrl).port), '127.0.0.1');
    await once(socket, 'data');
    socket.write('EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n');
    await pause(50);
    socket.write('Message-ID: <effect-1@docket.example>\r\n\r\nhalf a no');
    await pause(50);
    socket.destroy();
    await pause(50);
    assert.deepEqual(mailbox.messages(), []);
  });

  it('survives its restart, and a death in the middle of writing', async () => {
    const place = await directory();
    const first = await started({ directory: place });
    await first.mailer.send(mail(1), soon());
    await first.mailbox.close();
    await writeFile(join(place, '2.eml'), 'a file nobody was told about');
    await appendFile(join(place, 'mailbox.jsonl'), '{"is":"stored","n":2,"mess');

    const second = await started({ directory: place });
    assert.equal((await second.mailer.find(mail(1).messageId, soon())).kind, 'found');
    assert.deepEqual(await second.mailer.send(mail(2), soon()), { providerMessageId: '2' });
    assert.match(await readFile(join(place, '2.eml'), 'utf8'), /Notice 2/);
    assert.equal(second.mailbox.messages().length, 2);
  });

  it('has kept a mail it was killed before answering', async () => {
    const place = await directory();
    const program = `
      import { startMailbox } from ${JSON.stringify(join(import.meta.dirname, '../../local/mailbox/startMailbox.ts'))};
      const mailbox = await startMailbox({ directory: ${JSON.stringify(place)} });
      mailbox.setFaults({ slow: { ms: 60000 } });
      console.log(mailbox.smtpUrl);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
    atEnd.push(() => child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const doomed = smtpMailer({ smtpUrl: line.toString().trim(), logUrl: 'http://127.0.0.1:9', settleMs: 2000 });
    const sending = doomed.send(mail(1), AbortSignal.timeout(10_000));
    sending.catch(() => undefined);
    while (!(await readFile(join(place, 'mailbox.jsonl'), 'utf8')).endsWith('\n')) await pause(20);
    child.kill('SIGKILL');
    await assert.rejects(sending, { name: 'OutcomeUnknown' });

    const { mailer, mailbox } = await started({ directory: place });
    assert.equal((await mailer.find(mail(1).messageId, soon())).kind, 'found');
    assert.equal(mailbox.messages().length, 1);
  });
});

// The server greets after 100 ms, so a sender that is to give up after it has sent everything waits longer than that.
describe('a mailbox with faults', () => {
  for (const [fault, again] of [
    ['refuse4xx', 'later'],
    ['refuse5xx', 'never'],
  ] as const)
    it(`${fault}: to be tried ${again}, and nothing kept`, async () => {
      const { mailbox, mailer } = await started();
      mailbox.setFaults({ [fault]: { times: 1 } });
      await assert.rejects(mailer.send(mail(1), soon()), { name: 'NotAccepted', again });
      assert.deepEqual(await mailer.find(mail(1).messageId, soon()), { kind: 'notFound' });
      await mailer.send(mail(1), soon());
    });

  for (const fault of ['loseAnswer', 'slow'] as const)
    it(`${fault}: the sender does not know, the log does`, async () => {
      const { mailbox, mailer } = await started();
      mailbox.setFaults({ [fault]: { times: 1, ms: 5000 } });
      await assert.rejects(mailer.send(mail(1), AbortSignal.timeout(700)), { name: 'OutcomeUnknown' });
      assert.equal((await mailer.find(mail(1).messageId, soon())).kind, 'found');
    });

  it('delay: arrives after the sender gave up, within the settle time', async () => {
    const { mailbox, mailer } = await started();
    mailbox.setFaults({ delay: { times: 1, ms: 1200 } });
    await assert.rejects(mailer.send(mail(1), AbortSignal.timeout(700)), { name: 'OutcomeUnknown' });
    assert.equal((await mailer.find(mail(1).messageId, soon())).kind, 'notFound');
    await pause(800);
    assert.equal((await mailer.find(mail(1).messageId, soon())).kind, 'found');
  });

  it('hang: nobody ever answers, nothing was kept', async () => {
    const { mailbox, mailer } = await started();
    mailbox.setFaults({ hang: { times: 1 } });
    await assert.rejects(mailer.send(mail(1), AbortSignal.timeout(700)), { name: 'OutcomeUnknown' });
    assert.deepEqual(mailbox.messages(), []);
    await mailer.send(mail(1), soon()); // the fault was used up, so the mail had come whole
  });

  it('bounce: accepted and then returned', async () => {
    let bounces = 0;
    const { mailbox, mailer } = await started({ onBounce: () => bounces++ });
    mailbox.setFaults({ bounce: { times: 1 } });
    await mailer.send(mail(1), soon());
    assert.equal(bounces, 1);
    assert.equal(mailbox.messages()[0]?.bounced, true);
    assert.deepEqual(await toldBy(mailbox), [mail(1).messageId]);
  });

  it('bounce: told on, over restarts, until it is taken in, and never again', async () => {
    const place = await directory();
    const first = await started({ directory: place });
    first.mailbox.setFaults({ bounce: { times: 2 } });
    await first.mailer.send(mail(1), soon());
    await first.mailer.send(mail(2), soon());
    assert.deepEqual(await toldBy(first.mailbox, false), [mail(1).messageId, mail(2).messageId]);
    await first.mailbox.close();

    const second = await started({ directory: place });
    await assert.rejects(
      second.mailbox.tellBounces((messageId) =>
        messageId === mail(1).messageId ? Promise.reject(new Error('no database')) : Promise.resolve(true),
      ),
      { message: 'no database' },
    );
    assert.deepEqual(await toldBy(second.mailbox), [mail(1).messageId]); // the other was taken in beside it
    await second.mailbox.close();

    const third = await started({ directory: place });
    assert.deepEqual(await toldBy(third.mailbox), []);
  });

  it('logOff: cannot tell, until the log is back', async () => {
    const { mailbox, mailer } = await started();
    await mailer.send(mail(1), soon());
    await fetch(`${mailbox.httpUrl}/faults`, { method: 'PUT', body: '{"logOff":{}}' });
    assert.deepEqual(await mailer.find(mail(1).messageId, soon()), { kind: 'cannotTell' });
    assert.deepEqual(await (await fetch(`${mailbox.httpUrl}/faults`)).json(), { logOff: {} });
    await fetch(`${mailbox.httpUrl}/faults`, { method: 'PUT', body: '{}' });
    assert.equal((await mailer.find(mail(1).messageId, soon())).kind, 'found');
  });
});
