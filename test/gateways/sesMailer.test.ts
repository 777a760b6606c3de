import assert from 'node:assert/strict';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'vitest';
import type { Mail } from '../../domain/ports.ts';
import { mimeOf } from '../../gateways/mime.ts';
import { messageIdTag, sesMailer, tagOf } from '../../gateways/sesMailer.ts';

const mail: Mail = {
  messageId: '<effect-1@docket.example>',
  date: '2026-03-02T09:30:00.000Z',
  from: 'Office <notices@docket.example>',
  to: 'party@example.org',
  subject: 'Notice 17',
  text: 'Attached.',
  attachments: [],
};
const soon = () => AbortSignal.timeout(8_000);
const servers: net.Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

function mailerAt(port: number) {
  return sesMailer({
    client: {
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    configurationSet: 'docket',
    settleMs: 2000,
    told: (messageId) => Promise.resolve(messageId === mail.messageId ? 'ses-1' : undefined),
  });
}

async function sesThat(answer: (response: http.ServerResponse) => void) {
  const seen: { url?: string; body: string }[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      seen.push({ url: request.url, body });
      answer(response);
    });
  });
  server.keepAliveTimeout = 1;
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { seen, mailer: mailerAt((server.address() as AddressInfo).port) };
}
const says =
  (status: number, body: unknown, type = '') =>
  (response: http.ServerResponse) =>
    void response.writeHead(status, type ? { 'x-amzn-errortype': type } : {}).end(JSON.stringify(body));

describe('mail through SES', () => {
  it('goes out as the very bytes of the mail, tagged by its Message-ID', async () => {
    const { seen, mailer } = await sesThat(says(200, { MessageId: 'ses-1' }));
    assert.deepEqual(await mailer.send(mail, soon()), { providerMessageId: 'ses-1' });
    const sent = JSON.parse(seen[0]!.body) as { Content: { Raw: { Data: string } }; EmailTags: unknown };
    assert.deepEqual(Buffer.from(sent.Content.Raw.Data, 'base64'), (await mimeOf(mail)).bytes);
    assert.deepEqual(sent.EmailTags, [{ Name: messageIdTag, Value: tagOf(mail.messageId) }]);
    assert.match(tagOf(mail.messageId), /^[\w-]{1,256}$/);
  });

  const answers: [string, (response: http.ServerResponse) => void, string][] = [
    ['a rejected message', says(400, { message: 'party@example.org' }, 'MessageRejected'), 'never'],
    ['a bad request', says(400, {}, 'BadRequestException'), 'never'],
    ['a domain that is not verified yet', says(400, {}, 'MailFromDomainNotVerifiedException'), 'later'],
    ['a paused account', says(400, {}, 'SendingPausedException'), 'later'],
    ['a suspended account', says(400, {}, 'AccountSuspendedException'), 'later'],
    ['too many requests', says(429, {}, 'TooManyRequestsException'), 'later'],
    ['an expired token', says(403, {}, 'ExpiredTokenException'), 'later'],
    ['a configuration set that is not there', says(404, {}, 'NotFoundException'), 'later'],
    ['an internal failure', says(500, {}, 'InternalServiceErrorException'), 'unknown'],
    ['an unavailable service', says(503, {}), 'unknown'],
    ['a cut connection', (response) => void response.destroy(), 'unknown'],
    ['an answer without an id', says(200, {}), 'unknown'],
    ['an answer that is not JSON', (response) => void response.writeHead(200).end('<html>'), 'unknown'],
  ];
  for (const [what, answer, again] of answers)
    it(`takes ${what} as ${again}, and asks once`, async () => {
      const { mailer, seen } = await sesThat(answer);
      await assert.rejects(mailer.send(mail, soon()), (error: Error & { again?: string }) => {
        if (again === 'unknown') assert.equal(error.name, 'OutcomeUnknown');
        else assert.deepEqual([error.name, error.again], ['NotAccepted', again]);
        assert.doesNotMatch(error.message, /party/);
        return true;
      });
      assert.equal(seen.length, 1);
    });

  it('knows that a refused connection carried nothing', async () => {
    const server = net.createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    await assert.rejects(mailerAt(port).send(mail, soon()), { name: 'NotAccepted', again: 'later' });
  });

  it('stops when it is told to', async () => {
    const { mailer } = await sesThat(() => undefined);
    await assert.rejects(mailer.send(mail, AbortSignal.timeout(100)), { name: 'OutcomeUnknown' });
  });

  it('refuses a hostile mail before it leaves', async () => {
    const { mailer, seen } = await sesThat(says(200, { MessageId: 'ses-1' }));
    await assert.rejects(mailer.send({ ...mail, subject: 'a\r\nBcc: x@y.example' }, soon()), { again: 'never' });
    assert.equal(seen.length, 0);
  });

  it('is found only if a send event told of it; otherwise nobody can tell', async () => {
    const mailer = mailerAt(9);
    assert.deepEqual(await mailer.find(mail.messageId, soon()), {
      kind: 'found',
      answer: { providerMessageId: 'ses-1' },
    });
    assert.deepEqual(await mailer.find('<other@docket.example>', soon()), { kind: 'cannotTell' });
  });
});
