import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { policy } from '../../store/attempts.ts';
import { connect } from '../../store/connect.ts';
import { dynamoTable } from '../../store/dynamo.ts';
import { outcomeOf } from '../../store/outcome.ts';

it('an attempt ends at its limit, as ambiguous, however long the database takes: the SDK alone would only warn', async () => {
  const server = createServer((_request, response) => void setTimeout(() => response.end('{}'), 5_000).unref());
  await new Promise<void>((listening) => server.listen(0, listening));
  const clients = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const table = dynamoTable(clients, 'any');
  const began = performance.now();
  const error: unknown = await table
    .transactWrite([{ kind: 'put', key: { pk: 'P', sk: 'S' }, item: {}, when: { is: 'absent' } }], 'token')
    .catch((thrown: unknown) => thrown);
  expect(performance.now() - began).toBeLessThan(policy.attempt * 2);
  expect(outcomeOf(error, 1)).toEqual({ kind: 'ambiguous', inProgress: false });
  clients.writer.destroy();
  clients.reader.destroy();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
