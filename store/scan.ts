import { ScanCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TenantId } from '../domain/ids.ts';
import { itemOf, wireOf } from './dynamo.ts';
import { tenantPrefix } from './keys.ts';
import type { Item } from './table-port.ts';

export type ScanPage = { items: Item[]; lastKey?: Record<string, string> };

/**
 * Walks one of several segments of the table, page by page, and shows what is a tenant's. For reconciliation only: it
 * must find also what fell out of every index.
 */
export type Scan = (
  tenant: TenantId,
  segment: { number: number; of: number },
  limit: number,
  after?: Record<string, string>,
) => Promise<ScanPage>;

export const scanOf =
  (reader: DynamoDBClient, TableName: string): Scan =>
  async (tenant, segment, limit, after) => {
    const { Items = [], LastEvaluatedKey } = await reader.send(
      new ScanCommand({
        TableName,
        Segment: segment.number,
        TotalSegments: segment.of,
        Limit: limit,
        ConsistentRead: true,
        FilterExpression: 'begins_with(#pk, :tenant)',
        ExpressionAttributeNames: { '#pk': 'pk' },
        ExpressionAttributeValues: wireOf({ ':tenant': tenantPrefix(tenant) }),
        ...(after && { ExclusiveStartKey: wireOf(after) }),
      }),
    );
    const lastKey = LastEvaluatedKey && (itemOf(LastEvaluatedKey) as Record<string, string>);
    return { items: Items.map(itemOf), ...(lastKey && { lastKey }) };
  };
