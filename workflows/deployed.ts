import { Logger } from '@aws-lambda-powertools/logger';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { NotAccepted } from '../domain/answer.ts';
import type { Events, Registry } from '../domain/ports.ts';
import { eventBridgeEvents } from '../gateways/eventBridgeEvents.ts';
import { httpRegistry } from '../gateways/registry.ts';
import { s3Documents } from '../gateways/s3Documents.ts';
import { sesMailer } from '../gateways/sesMailer.ts';
import { connect } from '../store/connect.ts';
import { dynamoTable } from '../store/dynamo.ts';
import { inLogLines } from '../store/metrics.ts';
import { scanOf } from '../store/scan.ts';
import { systemStore } from '../store/systemStore.ts';
import { toldOfMail } from './mailEvents.ts';
import { stateMachinesOf, type MachineName } from './stateMachines.ts';
import type { Deps } from './task.ts';

let built: (Deps & { events: Events }) | undefined;

/** The composition root of the deployed functions, built once per instance from its environment (infra/). */
export async function deployed(): Promise<Deps & { events: Events }> {
  return (built ??= await build());
}

/** The secret that the registry signs its callbacks with. */
export const registrySecret = () => secret(need('REGISTRY_CALLBACK_SECRET'));

function build(): Promise<Deps & { events: Events }> {
  const logger = new Logger({ serviceName: 'docket' });
  const clients = connect();
  const store = {
    ...systemStore(dynamoTable(clients, need('DOCKET_TABLE')), (line) => logger.info('docket', { line })),
    count: inLogLines((line) => process.stdout.write(`${line}\n`), Date.now),
  };
  const s3 = new S3Client({});
  const machines: Record<MachineName, string> = {
    notice: process.env['NOTICE_MACHINE'] ?? '',
    notification: process.env['NOTIFICATION_MACHINE'] ?? '',
    registration: process.env['REGISTRATION_MACHINE'] ?? '',
    reconciliation: process.env['RECONCILIATION_MACHINE'] ?? '',
  };
  return Promise.resolve({
    store,
    scan: scanOf(clients.reader, need('DOCKET_TABLE')),
    registry: registry(need('REGISTRY_URL')),
    mailer: sesMailer({
      client: {},
      configurationSet: need('MAIL_CONFIGURATION_SET'),
      settleMs: 2_000,
      told: (messageId) => toldOfMail(store, messageId), // where the event has not come, SES cannot tell
    }),
    documents: s3Documents({
      client: s3,
      bucket: need('DOCUMENT_BUCKET'),
      prefix: 'documents/',
      now: store.now,
    }),
    stateMachines: stateMachinesOf(new SFNClient({}), (machine) => machines[machine]),
    events: eventBridgeEvents({ client: new EventBridgeClient({}), bus: need('EVENT_BUS'), source: 'docket' }),
    office: { name: need('OFFICE_NAME'), addressLines: [], mailFrom: need('MAIL_FROM') },
  });
}

/** Reads its key when it is called: most functions never call it, and have no right to the key. */
function registry(url: string): Registry {
  const settleMs = 2_000;
  const withKey = async () => {
    const apiKey = await secret(need('REGISTRY_API_KEY_SECRET')).catch(() => {
      throw new NotAccepted('the key of the registry cannot be read', 'later');
    });
    return httpRegistry({ url, apiKey, settleMs });
  };
  return {
    settleMs,
    submit: async (...asked) => (await withKey()).submit(...asked),
    find: async (...asked) => (await withKey()).find(...asked),
  };
}

const secretsManager = new SecretsManagerClient({});
const secrets = new Map<string, { text: string; until: number }>();

/** A secret by its name, kept for five minutes: a new one is taken up without a deployment. */
async function secret(SecretId: string): Promise<string> {
  const known = secrets.get(SecretId);
  if (known && known.until > Date.now()) return known.text;
  const { SecretString } = await secretsManager.send(new GetSecretValueCommand({ SecretId }));
  if (!SecretString) throw new Error(`the secret ${SecretId} has no text`);
  secrets.set(SecretId, { text: SecretString, until: Date.now() + 5 * 60_000 });
  return SecretString;
}

function need(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment has no ${name}`);
  return value;
}
