import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { BatchGetItemCommand, TransactWriteItemsCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { commands } from '../domain/catalogue.ts';
import type { AnyCommand, Envelope } from '../domain/command.ts';
import type { OfficerId, TenantId } from '../domain/ids.ts';
import type { Tenant } from '../domain/tenant.ts';
import { createTable } from '../local/createTable.ts';
import { startDynamoDb } from '../local/dynamodb.ts';
import { connect } from '../store/connect.ts';
import { actionOf, dynamoTable, wireOf } from '../store/dynamo.ts';
import { execute } from '../store/execute.ts';
import { systemStore } from '../store/systemStore.ts';
import type { Item, Key, Table, Write } from '../store/table-port.ts';
import { seedTenant } from '../store/tenants.ts';
import { rounded, percentile, summary, type Measured } from './measure.ts';

/**
 * npm run bench:commands: what a command costs beyond its database. In one run on one fresh engine, `execute` against a
 * bare loop that sends the same reads and transactions through the same client, already in wire form.
 */
const rounds = Number(process.argv[2] ?? 1_000);
const tableName = 'docket-bench';
const sue: Envelope['actor'] = { id: 'sue' as OfficerId, roles: ['SUPERVISOR', 'CASE_OFFICER'] };
const tenant: Tenant = {
  id: 'bench' as TenantId,
  name: 'Bench',
  zone: 'Asia/Jakarta',
  workingDays: [1, 2, 3, 4, 5],
  holidays: [],
  limits: { investigators: 3, openTasks: 40, defaultMaxLoad: 40 },
  penaltyAuthority: { minorUnits: 1, currency: 'IDR' },
  retention: { NO_BREACH: 2, NO_FURTHER_ACTION: 5, RESOLVED_INFORMALLY: 5, ENFORCED: 'PERMANENT', DUPLICATE: 2 },
};

const engine = await startDynamoDb({});
const clients = connect(engine.endpoint);
await createTable(clients.reader, tableName);
const table = dynamoTable(clients, tableName);
const asked: { keys: readonly Key[]; writes: readonly Write[] } = { keys: [], writes: [] };
const watched: Table = {
  ...table,
  batchGet: (keys) => ((asked.keys = keys), table.batchGet(keys)),
  transactWrite: (writes, token) => ((asked.writes = writes), table.transactWrite(writes, token)),
};
const store = systemStore(table, () => undefined);
await seedTenant(store, tenant);

const envelope = (): Envelope => ({
  tenant: tenant.id,
  actor: sue,
  idempotencyKey: randomUUID(),
  correlationId: 'bench',
});
const opening: AnyCommand = {
  type: 'openCase',
  caseType: 'COMPLAINT',
  title: 'A case',
  summary: 'A summary of ordinary length, as an officer writes it at the desk.',
  classification: 'STANDARD',
  priority: 'NORMAL',
  region: 'JKT',
};
const party = (caseId: string, expectedVersion: number): AnyCommand => ({
  type: 'addParty',
  caseId,
  expectedVersion,
  role: 'WITNESS',
  kind: 'PERSON',
  name: 'Wim',
  identifiers: [],
  addressLines: ['Jalan 2'],
  serviceChannel: 'POST',
  safetyFlag: false,
});

/** Cases of which each is written once by every contender, so that none finds longer histories than another. */
async function openCases(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const answer = await execute(store, envelope(), opening);
    if (answer.kind !== 'done') throw new Error(answer.message);
    ids.push(answer.aggregateId);
  }
  return ids;
}

/** What one addParty reads and writes, renamed to another case and command: the same shapes and sizes. */
async function template(caseId: string) {
  const answer = await execute({ ...store, table: watched }, envelope(), party(caseId, 1));
  if (answer.kind !== 'done') throw new Error(answer.message);
  const commandKey = asked.keys.find(({ sk }) => sk === 'COMMAND')!;
  const commandId = commandKey.pk.slice(commandKey.pk.lastIndexOf('#') + 1);
  const text = JSON.stringify({
    reads: asked.keys.map((key) => wireOf(key)),
    actions: asked.writes.map((write) => actionOf(write, tableName)),
  });
  return (to: string) => {
    const renamed = text
      .replaceAll(caseId, to)
      .replaceAll(commandId, randomUUID().replaceAll('-', ''))
      .replaceAll(answer.created['party']!, randomUUID().replaceAll('-', ''));
    return JSON.parse(renamed) as { reads: Record<string, { S: string }>[]; actions: TransactWriteItem[] };
  };
}

async function bare({ reads, actions }: { reads: Record<string, { S: string }>[]; actions: TransactWriteItem[] }) {
  await clients.reader.send(
    new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: reads, ConsistentRead: true } } }),
  );
  // The head that the first command left is in every case's premise: all cases are at version 1, seq 1.
  await clients.writer.send(
    new TransactWriteItemsCommand({ TransactItems: actions, ClientRequestToken: randomUUID() }),
  );
}

async function measured(work: (() => Promise<unknown>)[]): Promise<Measured> {
  const times: number[] = [];
  const began = performance.now();
  for (const one of work) {
    const start = performance.now();
    await one();
    times.push(performance.now() - start);
  }
  return { times, seconds: (performance.now() - began) / 1_000 };
}

const [pattern, spare, ...cases] = await openCases(2 * rounds + 202);
const renamed = await template(pattern!);
const ours = (caseId: string) => async () => {
  const answer = await execute(store, envelope(), party(caseId, 1));
  if (answer.kind !== 'done') throw new Error(answer.message);
};
const theirs = (caseId: string) => {
  const request = renamed(caseId);
  return () => bare(request);
};
await measured(cases.splice(0, 100).map(ours));
await measured(cases.splice(0, 100).map(theirs));
// Turn by turn, so that whatever else the machine does meets both alike.
const all: Record<'execute' | 'bare', Measured> = {
  execute: { times: [], seconds: 0 },
  bare: { times: [], seconds: 0 },
};
while (cases.length >= 100) {
  for (const [name, make] of [
    ['execute', ours],
    ['bare', theirs],
  ] as const) {
    const { times, seconds } = await measured(cases.splice(0, 50).map(make));
    all[name].times.push(...times);
    all[name].seconds += seconds;
  }
}

/** The same command over a table that answers at once: what is left is reading, deciding, planning, and the plan's bytes. */
async function aloneMs(caseId: string): Promise<number> {
  let items: readonly (Item | undefined)[] = [];
  const reading: Table = { ...table, batchGet: async (keys) => (items = await table.batchGet(keys)) };
  const answer = await execute({ ...store, table: reading }, envelope(), party(caseId, 1));
  if (answer.kind !== 'done') throw new Error(answer.message);
  const instant: Table = {
    ...table,
    batchGet: () => Promise.resolve([...items]),
    transactWrite: () => Promise.resolve(),
  };
  const { times } = await measured(
    Array.from({ length: rounds }, () => () => execute({ ...store, table: instant }, envelope(), party(caseId, 1))),
  );
  return percentile(times, 50);
}

const execution = summary(all.execute);
const loop = summary(all.bare);
const result = {
  command: 'addParty: one consistent batch read, one transaction',
  rounds: all.execute.times.length,
  commands: commands.size,
  execute: execution,
  bare: loop,
  ratios: {
    p50: rounded(execution.p50 / loop.p50),
    p99: rounded(execution.p99 / loop.p99),
    throughput: rounded(execution.perSecond / loop.perSecond),
  },
  added: {
    p50Ms: rounded(percentile(all.execute.times, 50) - percentile(all.bare.times, 50)),
    ofThatOverATableThatAnswersAtOnce: rounded(await aloneMs(spare!)),
  },
};
mkdirSync('bench/results', { recursive: true });
writeFileSync('bench/results/commands.json', `${JSON.stringify(result, null, 2)}\n`);
console.log(result);
clients.writer.destroy();
clients.reader.destroy();
await engine.stop();
