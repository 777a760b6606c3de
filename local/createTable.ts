import { CreateTableCommand, DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '../store/table.ts';

/** Creates the table in the embedded engine from the definition that infra/ deploys, unless it is there. */
export async function createTable(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(new DescribeTableCommand({ TableName }));
    return;
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error;
  }
  const { keys, indexes } = tableDefinition;
  const attributes = [keys.partition, keys.sort, ...indexes.flatMap(({ partition, sort }) => [partition, sort])];
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      KeySchema: keySchema(keys.partition, keys.sort),
      GlobalSecondaryIndexes: indexes.map(({ name, partition, sort }) => ({
        IndexName: name,
        KeySchema: keySchema(partition, sort),
        Projection: { ProjectionType: 'KEYS_ONLY' as const },
      })),
    }),
  );
}

const keySchema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];
