import { createServer as createHttp } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDynamoDb } from '../../local/dynamodb.ts';
import { healthOf } from '../../local/health.ts';
import { startMailbox } from '../../local/mailbox/startMailbox.ts';
import { dataDirectory } from '../../local/settings.ts';

const atEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end();
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEnd.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe('the health of the parts', () => {
  it('is good where a part answers, whatever it answers', async () => {
    const engine = await startDynamoDb({});
    const mailbox = await startMailbox({});
    atEnd.push(
      () => engine.stop(),
      () => mailbox.close(),
    );
    const parts = { dynamodb: engine.endpoint, mailbox: mailbox.httpUrl, smtp: mailbox.smtpUrl };
    expect(await healthOf(parts)).toEqual({ dynamodb: true, mailbox: true, smtp: true });
  });

  it('is bad where it takes the connection and says nothing, is gone, or is broken', async () => {
    const frozen = await portOf(createServer((socket) => void atEnd.push(() => socket.destroy())));
    const broken = await portOf(createHttp((_request, response) => response.writeHead(500).end()));
    const parts = {
      frozen: `http://127.0.0.1:${frozen}`,
      frozenSmtp: `smtp://127.0.0.1:${frozen}`,
      broken: `http://127.0.0.1:${broken}`,
      gone: 'http://127.0.0.1:9',
    };
    expect(await healthOf(parts)).toEqual({ frozen: false, frozenSmtp: false, broken: false, gone: false });
  });
});

describe('the data directory', () => {
  let before: string | undefined;
  beforeEach(() => (before = process.env['DOCKET_DATA']));
  afterEach(() => {
    if (before === undefined) delete process.env['DOCKET_DATA'];
    else process.env['DOCKET_DATA'] = before;
  });

  it('is never the working directory for want of a name', () => {
    process.env['DOCKET_DATA'] = '';
    expect(dataDirectory()).toMatch(/\.docket$/);
  });
});
