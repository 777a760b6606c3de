import { SFNClient } from '@aws-sdk/client-sfn';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consumerEvents } from '../gateways/consumerEvents.ts';
import { executionHistory } from '../gateways/executionHistory.ts';
import { directoryDocuments } from '../gateways/directoryDocuments.ts';
import { smtpMailer } from '../gateways/mailer.ts';
import { httpRegistry } from '../gateways/registry.ts';
import { startHttp } from '../resolvers/http.ts';
import { createApi } from '../resolvers/server.ts';
import { connect } from '../store/connect.ts';
import { dynamoTable } from '../store/dynamo.ts';
import { scanOf } from '../store/scan.ts';
import { systemStore } from '../store/systemStore.ts';
import { seedTenant } from '../store/tenants.ts';
import { consumersOf } from '../workflows/consumers/consumers.ts';
import { receiveBounce } from '../workflows/bounce.ts';
import { publish } from '../workflows/publish.ts';
import { receiveCallback } from '../workflows/registration/callback.ts';
import { beginReconciliation, untilQuarterPastFour } from '../workflows/reconciliation/begin.ts';
import { pollRegistry } from '../workflows/registration/poll.ts';
import { stateMachinesOf } from '../workflows/stateMachines.ts';
import { recordStatusChange } from '../workflows/statusChange.ts';
import { outboxGraceMs, sweep } from '../workflows/sweep.ts';
import type { Deps, Task } from '../workflows/task.ts';
import { tasks } from '../workflows/tasks.ts';
import { startBackground } from './background.ts';
import { bounceTelling } from './bounces.ts';
import { createTable } from './createTable.ts';
import { healthOf } from './health.ts';
import { feedOutbox } from './outboxFeed.ts';
import { demoTenant } from './demoTenant.ts';
import { startDatabase } from './database.ts';
import { audience, issuerName, newSecrets, secretsIn, type Secrets } from './issuer.ts';
import { takeLock } from './lock.ts';
import { createMachines } from './machines.ts';
import { startMailbox } from './mailbox/startMailbox.ts';
import { startRegistry } from './registry/startRegistry.ts';
import { serveRoutes, type Routes } from './routes.ts';
import { systemClock } from './stepfunctions/clock.ts';
import { startStepFunctions } from './stepfunctions/start.ts';

export type HostOptions = {
  port: number;
  /** Where the data lives; nothing outlives the process without it. */
  directory: string | undefined;
  /** Otherwise those of the directory, or new ones. */
  secrets?: Secrets;
  /** Milliseconds until the local registry answers a submission. */
  registryAnswersAfterMs: number;
  log: (line: Record<string, unknown>) => void;
  /** The embedded database ended by itself: the host cannot go on. */
  onDatabaseLost: () => void;
};

export type Host = {
  url: string;
  /** Where the other parts listen. */
  parts: Record<'dynamodb' | 'stepFunctions' | 'registry' | 'mailbox' | 'smtp', string>;
  secrets: Secrets;
  stop: () => Promise<void>;
};

/** The one table, on one machine. */
export const tableName = 'docket';

const minute = 60_000;

/** Every part of Docket in one process tree: the composition root of the embedded host. */
export async function startHost(options: HostOptions): Promise<Host> {
  const { directory } = options;
  if (directory) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = directory ? takeLock(directory) : undefined;
  const undo: (() => unknown)[] = [() => lock?.release()];
  try {
    const secrets = options.secrets ?? (directory ? await secretsIn(directory) : await newSecrets());
    return await startParts(options, secrets, undo);
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

async function startParts(options: HostOptions, secrets: Secrets, undo: (() => unknown)[]): Promise<Host> {
  const { directory, log } = options;
  const within = (name: string) => (directory ? join(directory, name) : undefined);

  const mounted: { routes?: Routes } = {};
  const server = serveRoutes(() => mounted.routes);
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(options.port, '127.0.0.1', listening);
  });
  undo.push(() => new Promise((closed) => (server.closeAllConnections(), server.close(closed))));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const database = await startDatabase(within('dynamodb.sqlite'), options.onDatabaseLost);
  undo.push(() => database.stop());
  // Only an engine of our own, on a directory that we have locked or in our own memory, is certainly ours alone.
  const exclusive = database.endpoint !== undefined;
  const clients = connect(database.endpoint);
  undo.push(() => (clients.reader.destroy(), clients.writer.destroy()));
  const table = tableName;
  await createTable(clients.reader, table);
  const store = {
    ...systemStore(dynamoTable(clients, table), log),
    ...(exclusive && { life: randomUUID() }),
  };
  await seedTenant(store, demoTenant);

  const background = startBackground(log);
  const bounces = bounceTelling(
    () => mailbox,
    (messageId) => receiveBounce(store, messageId),
  );
  const [registry, mailbox] = await Promise.all([
    startRegistry({
      directory: within('registry'),
      apiKey: secrets.registryApiKey,
      callbackUrl: `${url}/registry/callback`,
      callbackSecret: secrets.callbackSecret,
      answerAfterMs: options.registryAnswersAfterMs,
    }),
    startMailbox({
      directory: within('mailbox'),
      onBounce: () => background.soon('bounce', bounces.tell),
    }),
  ]);
  undo.push(
    () => registry.close(),
    () => mailbox.close(),
  );
  const documentDirectory = within('documents') ?? (await mkdtemp(join(tmpdir(), 'docket-')));
  if (!directory) undo.push(() => rm(documentDirectory, { recursive: true, force: true }));
  const documents = directoryDocuments({
    directory: documentDirectory,
    linkBaseUrl: `${url}/documents`,
    linkSecret: secrets.linkSecret,
    now: store.now,
  });

  const deps = later<Deps>();
  const stepFunctions = await startStepFunctions({
    dynamodb: clients.reader,
    table: 'docket-stepfunctions',
    functions: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [name, async (payload) => task(payload as Task, await deps.promise)]),
    ),
    clock: systemClock,
    random: Math.random,
    exclusive,
    onStatusChange: (change) => recordStatusChange(store, change),
  });
  undo.push(() => stepFunctions.close());
  const stepFunctionsClient = new SFNClient({
    endpoint: stepFunctions.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const machineArnOf = await createMachines(stepFunctionsClient);
  const stateMachines = stateMachinesOf(stepFunctionsClient, machineArnOf);
  const all: Deps = {
    store,
    registry: httpRegistry({ url: registry.url, apiKey: secrets.registryApiKey, settleMs: 2_000 }),
    mailer: smtpMailer({ smtpUrl: mailbox.smtpUrl, logUrl: mailbox.httpUrl, settleMs: 2_000 }),
    documents,
    stateMachines,
    scan: scanOf(clients.reader, table),
    office: { name: 'Demonstration regulator', addressLines: [], mailFrom: 'notices@regulator.example' },
  };
  deps.resolve(all);

  const publisher = { store, stateMachines, documents, events: consumerEvents(consumersOf(store)) };
  undo.push(() => background.stop());
  feedOutbox(clients.writer, (keys) => {
    for (const key of keys) background.soon(`publish ${key.pk}`, () => publish(publisher, [key]));
  });
  background.every('sweep', minute, () => sweep(publisher, outboxGraceMs));
  const quarterPastFour = () => untilQuarterPastFour(demoTenant.zone, store.now());
  background.at('reconciliation', quarterPastFour, () => beginReconciliation(all, demoTenant.id));
  background.every('poll', 5 * minute, () => pollRegistry(all));
  background.soon('bounce', bounces.tell);
  background.at('bounce', bounces.waitMs, bounces.tell);
  background.soon('sweep', () => sweep(publisher, 0)); // what a crash left: nobody else is at it

  const parts = {
    dynamodb: database.endpoint ?? process.env['AWS_ENDPOINT_URL_DYNAMODB']!,
    stepFunctions: stepFunctions.endpoint,
    registry: registry.url,
    mailbox: mailbox.httpUrl,
    smtp: mailbox.smtpUrl,
  };
  const keySet = { keys: [secrets.publicKey] };
  const api = createApi({
    store,
    issuer: {
      issuer: issuerName,
      jwksUri: `${url}/.well-known/jwks.json`,
      audience: [audience],
      tokenUse: 'access',
      clockSkewSeconds: 5,
    },
    cursorKey: Buffer.from(secrets.cursorKey, 'hex'),
    executions: executionHistory(stepFunctionsClient, machineArnOf),
    documents,
    development: true,
    keySet: { fetch: () => Promise.resolve(bytesOf(JSON.stringify(keySet))) },
  });
  const graphql = await startHttp(api, { allowedOrigins: [], timeoutMs: 20_000 });
  undo.push(() => api.server.stop());
  mounted.routes = {
    graphql,
    health: () => healthOf(parts),
    callback: (body, signature) => receiveCallback(store, secrets.callbackSecret, body, signature),
    keySet: () => keySet,
    document: async (link) => {
      const file = documents.verifyLink(link);
      const content = await documents.read(file);
      return content && { content, file };
    },
    upload: (link, sent) => documents.receive(link, sent),
  };

  return {
    url,
    parts,
    secrets,
    stop: async () => {
      for (const step of undo.reverse()) await step();
    },
  };
}

/** A value that tasks taken over from an earlier process wait for: they may run before everything is there. */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
