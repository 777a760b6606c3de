import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../store/connect.ts';
import { dynamoTable } from '../../store/dynamo.ts';

type Asked = { RequestItems: { t: { Keys: { pk: { S: string }; sk: { S: string } }[] } } };

/** Answers a batch as a busy table does: one key of those asked for, the others unprocessed; in `silent` mode, none. */
let asked: number[] = [];
let silent = false;
const busy = createServer((request, response) => {
  void (async () => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { Keys } = (JSON.parse(Buffer.concat(parts).toString()) as Asked).RequestItems.t;
    asked.push(Keys.length);
    const [done, left] = silent ? [[], Keys] : [Keys.slice(-1), Keys.slice(0, -1)];
    const answer = {
      Responses: { t: done.map((key) => ({ ...key, said: { S: key.sk.S } })) },
      UnprocessedKeys: left.length > 0 ? { t: { Keys: left } } : {},
    };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  })();
});
const table = () => {
  const clients = connect(`http://127.0.0.1:${(busy.address() as AddressInfo).port}`);
  return { clients, table: dynamoTable(clients, 't') };
};
beforeAll(() => once(busy.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void busy.close());

it('keys that a busy table leaves out are asked for again, and every item is in its place', async () => {
  const { clients, table: busyTable } = table();
  const wanted = ['a', 'b', 'c'].map((sk) => ({ pk: 'p', sk }));
  const items = await busyTable.batchGet(wanted);
  clients.reader.destroy();
  expect(items.map((item) => item?.['said'])).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual([3, 2, 1]);
});

it('keys that are left out again and again are a throttle, and never taken for absent', async () => {
  [asked, silent] = [[], true];
  const { clients, table: busyTable } = table();
  await expect(busyTable.batchGet([{ pk: 'p', sk: 'a' }])).rejects.toMatchObject({
    name: 'ProvisionedThroughputExceededException',
  });
  clients.reader.destroy();
  expect(asked.length).toBeGreaterThan(3);
});
