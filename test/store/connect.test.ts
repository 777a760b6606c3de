import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { policy } from '../../store/attempts.ts';
import { connect } from '../../store/connect.ts';
import { outcomeOf } from '../../store/outcome.ts';

const deaf = createServer(() => undefined); // takes every connection and never says a word
beforeAll(() => once(deaf.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void deaf.close());

const put = new PutItemCommand({ TableName: 't', Item: { pk: { S: 'a' } } });
const failure = async (port: number) => {
  const { writer } = connect(`http://127.0.0.1:${port}`);
  const error: unknown = await writer.send(put).catch((thrown: unknown) => thrown);
  writer.destroy();
  return outcomeOf(error, 1);
};

it('a write that is not answered ends at its limit, and what became of it is not known', async () => {
  const began = performance.now();
  expect(await failure((deaf.address() as AddressInfo).port)).toEqual({ kind: 'ambiguous', inProgress: false });
  expect(performance.now() - began).toBeLessThan(policy.attempt * 3); // one attempt, not the SDK's three
});

it('a write to nobody was not sent', async () => {
  expect(await failure(1)).toEqual({ kind: 'notSent' });
});
