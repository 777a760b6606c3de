import { Logger } from '@aws-lambda-powertools/logger';
import { S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { createHash } from 'node:crypto';
import { executionHistory } from '../gateways/executionHistory.ts';
import { s3Documents } from '../gateways/s3Documents.ts';
import { connect } from '../store/connect.ts';
import { dynamoTable } from '../store/dynamo.ts';
import { inLogLines } from '../store/metrics.ts';
import { systemStore } from '../store/systemStore.ts';
import type { Issuer } from './authenticate.ts';
import { lambdaHandler, type LambdaHandler } from './lambda.ts';
import { createApi } from './server.ts';

const logger = new Logger({ serviceName: 'docket' });
let started: Promise<LambdaHandler> | undefined;

/** The API function as it is deployed: built once per instance, from its environment (infra/). */
export const handler: LambdaHandler = async (event, context) => (await (started ??= start()))(event, context);

const start = () =>
  build().catch((error: unknown) => {
    logger.error('the API cannot start', error as Error);
    return end(1);
  });

/** An instance that cannot start is no use: the next request gets another one. */
const end = (code: number): never => process.exit(code);

async function build(): Promise<LambdaHandler> {
  const table = dynamoTable(connect(), need('DOCKET_TABLE'));
  const store = {
    ...systemStore(table, (line) => logger.info('docket', { line })),
    count: inLogLines((line) => process.stdout.write(`${line}\n`), Date.now),
  };
  const cursorKey = await readCursorKey(need('CURSOR_KEY_SECRET'));
  const executions = executionHistory(new SFNClient({}), (machine) => need(`${machine.toUpperCase()}_MACHINE`));
  const documents = s3Documents({
    ...{ client: new S3Client({}), bucket: need('DOCUMENT_BUCKET'), prefix: 'documents/', now: store.now },
  });
  return lambdaHandler(
    createApi({ store, issuer: issuer(), cursorKey, executions, documents, development: false }),
    end,
  );
}

const issuer = (): Issuer => ({
  issuer: need('TOKEN_ISSUER'),
  jwksUri: need('TOKEN_JWKS_URI'),
  audience: need('TOKEN_AUDIENCE').split(','),
  tokenUse: need('TOKEN_USE') === 'id' ? 'id' : 'access',
  clockSkewSeconds: 60,
});

/** The secret is a long random text; its digest has the 32 bytes that a cursor key needs, in every instance the same. */
async function readCursorKey(SecretId: string): Promise<Uint8Array> {
  const { SecretString } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId }));
  if (!SecretString) throw new Error('the cursor key has no text');
  return createHash('sha256').update(SecretString, 'utf8').digest();
}

function need(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment has no ${name}`);
  return value;
}
