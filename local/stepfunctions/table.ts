import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceNotFoundException,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';

/**
 * The journal's table. Inputs, outputs and events lie in items of their own, because each may be 262,144 bytes and an
 * item holds 400 KB; nothing here grows with the length of an execution.
 *
 *   ENGINE             LEASE            which process runs the executions, and the fence
 *   MACHINES           <name>           the current definition
 *   MACHINE/<name>     <revision>       every definition an execution may have begun with
 *   EXECUTION/<arn>    EXECUTION        status, dates and the fence of the process that runs it
 *   EXECUTION/<arn>    INPUT, OUTPUT    as JSON text
 *   EXECUTION/<arn>    EVENTS/<id>      history from this event on, as many as fit
 *   EXECUTION/<arn>    FRAME/<key>      how far the machine, a branch or an item of a Map has come
 *   TOKEN/<token>      TOKEN            whom a callback answers, and its answer
 *
 * Index `byMachine` lists a machine's executions by start; `unsettled` holds only those that run or are to be announced.
 */
export const keys = {
  lease: { pk: 'ENGINE', sk: 'LEASE' },
  machines: 'MACHINES',
  machine: (name: string) => ({ pk: 'MACHINES', sk: name }),
  revision: (name: string, revision: string) => ({ pk: `MACHINE/${name}`, sk: revision }),
  execution: (arn: string) => ({ pk: `EXECUTION/${arn}`, sk: 'EXECUTION' }),
  input: (arn: string) => ({ pk: `EXECUTION/${arn}`, sk: 'INPUT' }),
  output: (arn: string) => ({ pk: `EXECUTION/${arn}`, sk: 'OUTPUT' }),
  events: (arn: string, first: number) => ({ pk: `EXECUTION/${arn}`, sk: `EVENTS/${inOrder(first)}` }),
  frame: (arn: string, key: string) => ({ pk: `EXECUTION/${arn}`, sk: `FRAME/${key}` }),
  token: (token: string) => ({ pk: `TOKEN/${token}`, sk: 'TOKEN' }),
};

const inOrder = (n: number) => String(n).padStart(6, '0'); // text order is number order

export async function createTable(dynamodb: DynamoDBClient, table: string): Promise<void> {
  if (await exists(dynamodb, table)) return;
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
  const keySchema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const index = (IndexName: string, hash: string, range: string) => ({
    IndexName,
    KeySchema: keySchema(hash, range),
    Projection: { ProjectionType: 'ALL' as const },
  });
  await dynamodb.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'machine', 'listed', 'unsettled'].map(text),
      KeySchema: keySchema('pk', 'sk'),
      GlobalSecondaryIndexes: [index('byMachine', 'machine', 'listed'), index('unsettled', 'unsettled', 'pk')],
    }),
  );
}

async function exists(dynamodb: DynamoDBClient, table: string): Promise<boolean> {
  try {
    await dynamodb.send(new DescribeTableCommand({ TableName: table }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}
