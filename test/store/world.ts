import { randomUUID } from 'node:crypto';
import type { AnyCommand, Envelope, Role } from '../../domain/command.ts';
import type { OfficerId, TenantId } from '../../domain/ids.ts';
import type { Tenant } from '../../domain/tenant.ts';
import { createTable } from '../../local/createTable.ts';
import { startDynamoDb } from '../../local/dynamodb.ts';
import { connect, type Clients } from '../../store/connect.ts';
import { dynamoTable } from '../../store/dynamo.ts';
import { execute } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import type { Table } from '../../store/table-port.ts';
import { seedTenant } from '../../store/tenants.ts';

export const demo: Tenant = {
  id: 'demo' as TenantId,
  name: 'Demonstration regulator',
  zone: 'Asia/Jakarta',
  workingDays: [1, 2, 3, 4, 5],
  holidays: [],
  limits: { investigators: 3, openTasks: 40, defaultMaxLoad: 40 },
  penaltyAuthority: { minorUnits: 50_000_000, currency: 'IDR' },
  retention: { NO_BREACH: 2, NO_FURTHER_ACTION: 5, RESOLVED_INFORMALLY: 5, ENFORCED: 'PERMANENT', DUPLICATE: 2 },
};

export type World = {
  store: Store;
  clients: Clients;
  tableName: string;
  endpoint: string;
  log: Record<string, unknown>[];
  /** Round trips to the table since the last reset. */
  calls: { count: number; reset: () => void };
  stop: () => Promise<void>;
};

/** A store over the real engine, in memory, with a fresh table and the tenant `demo`. */
export async function startWorld(): Promise<World> {
  const engine = await startDynamoDb({});
  const clients = connect(engine.endpoint);
  const tableName = `docket-${randomUUID()}`;
  await createTable(clients.reader, tableName);
  const calls = counter();
  const log: Record<string, unknown>[] = [];
  const store: Store = {
    table: counted(dynamoTable(clients, tableName), calls.add),
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => Math.random(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log: (line) => log.push(line),
  };
  await seedTenant(store, demo);
  return {
    store,
    clients,
    tableName,
    endpoint: engine.endpoint,
    log,
    calls,
    stop: async () => {
      clients.reader.destroy();
      clients.writer.destroy();
      await engine.stop();
    },
  };
}

const counter = () => {
  const calls = { count: 0, add: () => void calls.count++, reset: () => void (calls.count = 0) };
  return calls;
};

function counted(table: Table, add: () => void): Table {
  return {
    batchGet: (keys) => (add(), table.batchGet(keys)),
    transactWrite: (writes, token) => (add(), table.transactWrite(writes, token)),
    query: (request) => (add(), table.query(request)),
    write: (write) => (add(), table.write(write)),
  };
}

export const asActor = (id: string, ...roles: Role[]) => ({ id: id as OfficerId, roles });
export const ana = asActor('ana', 'CASE_OFFICER', 'INVESTIGATOR');
export const ben = asActor('ben', 'REVIEWER');
export const sue = asActor('sue', 'SUPERVISOR');

let keys = 0;
export const newKey = () => `key-${String(++keys).padStart(8, '0')}-${randomUUID()}`;

/** Runs one command as somebody, with a fresh key unless one is given. */
export const run = (world: World, actor: Envelope['actor'], command: AnyCommand, more: Partial<Envelope> = {}) =>
  execute(world.store, { tenant: demo.id, actor, idempotencyKey: newKey(), correlationId: 'test', ...more }, command);

/** The same, for a command that must succeed. */
export async function done(world: World, actor: Envelope['actor'], command: AnyCommand, more: Partial<Envelope> = {}) {
  const answer = await run(world, actor, command, more);
  if (answer.kind === 'refused') throw new Error(`${command.type} was refused: ${answer.code} ${answer.message}`);
  return answer;
}

export const registerOfficer = (officerId: string, more: Record<string, unknown> = {}): AnyCommand => ({
  type: 'registerOfficer',
  officerId,
  name: `Officer ${officerId}`,
  email: `${officerId}@regulator.example`,
  region: 'JKT',
  teams: ['intake'],
  ...more,
});

export const openCase = (more: Record<string, unknown> = {}): AnyCommand => ({
  type: 'openCase',
  caseType: 'COMPLAINT',
  title: 'Unlicensed storage',
  summary: 'Chemicals stored beside a school.',
  classification: 'STANDARD',
  priority: 'NORMAL',
  region: 'JKT',
  ...more,
});

export const addParty = (caseId: string, more: Record<string, unknown> = {}): AnyCommand => ({
  type: 'addParty',
  caseId,
  role: 'SUBJECT',
  kind: 'ORGANISATION',
  name: 'PT Contoh',
  identifiers: [],
  addressLines: ['Jalan Satu 1', 'Jakarta'],
  email: 'office@contoh.example',
  serviceChannel: 'EMAIL',
  safetyFlag: false,
  ...more,
});
