import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, it } from 'vitest';
import { startDynamoDb, type DynamoDb } from '../../local/dynamodb.ts';

const clientOf = (endpoint: string) =>
  new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'embedded', secretAccessKey: 'embedded' },
    maxAttempts: 1,
  });

const answers = (endpoint: string) =>
  clientOf(endpoint)
    .send(new ListTablesCommand({}))
    .then(
      () => true,
      () => false,
    );

const table = {
  TableName: 'things',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
};

describe('the embedded DynamoDB', () => {
  const started: DynamoDb[] = [];
  const start = async (options: Parameters<typeof startDynamoDb>[0]) => {
    const engine = await startDynamoDb(options);
    started.push(engine);
    return engine;
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((engine) => engine.stop()));
  });

  it('starts, keeps a table and an item, and ends when asked', async () => {
    const exits: unknown[] = [];
    const engine = await start({ onExit: (code) => exits.push(code) });
    const client = clientOf(engine.endpoint);
    await client.send(new CreateTableCommand(table));
    await client.send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'one' } } }));

    await engine.stop();

    assert.equal(await answers(engine.endpoint), false);
    assert.deepEqual(exits, [], 'an end that was asked for is no news');
  });

  it('keeps its data in a file across a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docket-dynamodb-'));
    const file = join(folder, 'data.db');
    const first = await start({ file });
    await clientOf(first.endpoint).send(new CreateTableCommand(table));
    await clientOf(first.endpoint).send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'one' } } }));
    await first.stop();

    const second = await start({ file });
    const { Item } = await clientOf(second.endpoint).send(
      new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'one' } } }),
    );

    assert.deepEqual(Item, { pk: { S: 'one' } });
    await second.stop();
    await rm(folder, { recursive: true });
  });

  it('starts several at once, each on a port of its own', async () => {
    const engines = await Promise.all([start({}), start({}), start({})]);
    assert.equal(new Set(engines.map((engine) => engine.endpoint)).size, 3);
  });

  it('says why, when it cannot start', async () => {
    await assert.rejects(start({ file: '/nowhere/data.db' }), /the embedded DynamoDB did not start: .+/);
  });

  it('ends with its host, even when the host is killed', async () => {
    const program = `
      import { startDynamoDb } from ${JSON.stringify(join(import.meta.dirname, '../../local/dynamodb.ts'))};
      console.log((await startDynamoDb({})).endpoint);
      setInterval(() => {}, 1000);`;
    const host = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    const endpoint = line.toString().trim();
    assert.equal(await answers(endpoint), true);

    host.kill('SIGKILL');

    for (let waited = 0; (await answers(endpoint)) && waited < 100; waited++) await pause(20);
    assert.equal(await answers(endpoint), false);
  });
});
