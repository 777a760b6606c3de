import type { DynamoDBClient, ServiceInputTypes, TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import type { Key } from '../store/table-port.ts';
import { keyIn, type StreamRecord } from '../workflows/stream.ts';

/**
 * The embedded engine's stream slows every write down, so the host feeds the publisher itself: it sees each committed
 * transaction that put outbox items, and hands them on in the stream record's shape. A hint like the stream is: what
 * it misses, the sweep finds.
 */
export function feedOutbox(client: DynamoDBClient, publish: (keys: Key[]) => void): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const keys = insertedMessages(args.input).flatMap((record) => keyIn(record) ?? []);
      if (keys.length > 0) publish(keys);
      return answer;
    },
    { step: 'initialize', name: 'outboxFeed' },
  );
}

function insertedMessages(input: ServiceInputTypes): StreamRecord[] {
  const { TransactItems = [] } = input as Partial<TransactWriteItemsCommandInput>;
  return TransactItems.flatMap(({ Put }) => {
    if (Put?.Item?.['itemType']?.S !== 'OutboxMessage') return [];
    const { pk, sk } = Put.Item;
    return [{ dynamodb: { Keys: { pk: { S: pk?.S }, sk: { S: sk?.S } } } }];
  });
}
