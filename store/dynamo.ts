import {
  BatchGetItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Condition } from '../domain/condition.ts';
import { conditionExpression, placeholders, updateExpression, type Placeholders } from './expression.ts';
import { keyText } from './keys.ts';
import type { Item, Key, QueryRequest, Table, Write } from './table-port.ts';

/**
 * The table in DynamoDB. Two clients: `writer` has maxAttempts 1, since execute.ts alone decides about repeating a
 * transaction; `reader` may use the SDK's own retries, which are safe for reads.
 */
export function dynamoTable(clients: { writer: DynamoDBClient; reader: DynamoDBClient }, tableName: string): Table {
  const { writer, reader } = clients;

  return {
    async batchGet(keys) {
      const found = new Map<string, Item>();
      for (let i = 0; i < keys.length; i += 100) {
        for (const item of await batch(reader, tableName, keys.slice(i, i + 100))) found.set(keyText(item), item);
      }
      return keys.map((key) => found.get(keyText(key)));
    },

    async transactWrite(writes, clientRequestToken) {
      const TransactItems = writes.map((write) => actionOf(write, tableName));
      await writer.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: clientRequestToken }));
    },

    async query(request) {
      const answer = await reader.send(new QueryCommand(queryOf(request, tableName)));
      return {
        items: (answer.Items ?? []).map(itemOf),
        ...(answer.LastEvaluatedKey && { lastKey: unmarshall(answer.LastEvaluatedKey) as Record<string, string> }),
      };
    },

    async write(write) {
      const action = actionOf(write, tableName);
      if (action.ConditionCheck) throw new Error('a check alone is not a write');
      if (action.Put) await writer.send(new PutItemCommand(action.Put));
      if (action.Delete) await writer.send(new DeleteItemCommand(action.Delete));
      if (!action.Update) return {};
      const answer = await writer.send(new UpdateItemCommand({ ...action.Update, ReturnValues: 'ALL_NEW' }));
      return { after: itemOf(answer.Attributes!) };
    },
  };
}

/** Wire form to plain data: the one place where stored attributes are read. */
export const itemOf = (wire: Record<string, AttributeValue>): Item => unmarshall(wire) as Item;

/**
 * Plain data to wire form; absent values are left out, empty sets cannot be stored and mean absence. A plan is written
 * out for its token and again for every send, so what was written out once is kept as long as its data.
 */
export function wireOf(item: Record<string, unknown>): Record<string, AttributeValue> {
  const known = writtenOut.get(item);
  if (known) return known;
  const wire = marshall(withoutEmptySets(item), { removeUndefinedValues: true });
  writtenOut.set(item, wire);
  return wire;
}

/** What is part of a write is not changed any more. */
const writtenOut = new WeakMap<object, Record<string, AttributeValue>>();

const isEmptySet = (value: unknown) => value instanceof Set && value.size === 0;

const withoutEmptySets = (item: Record<string, unknown>) =>
  Object.values(item).some(isEmptySet)
    ? Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmptySet(value)))
    : item;

const longestPauseMs = 400;

/** What the service left out again and again it is too busy to read: the caller's deadline decides what then. */
const throttled = () =>
  Object.assign(new Error('keys stay unprocessed'), { name: 'ProvisionedThroughputExceededException' });

async function batch(reader: DynamoDBClient, tableName: string, keys: Key[]): Promise<Item[]> {
  const items: Item[] = [];
  const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  let wanted: Record<string, AttributeValue>[] = distinct.map((key) => wireOf(key));
  for (let pause = 20; wanted.length > 0; pause *= 2) {
    const answer = await reader.send(
      new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true } } }),
    );
    items.push(...(answer.Responses?.[tableName] ?? []).map(itemOf));
    wanted = answer.UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (wanted.length > 0 && pause > longestPauseMs) throw throttled();
    if (wanted.length > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return items;
}

/** One action on the wire; every one returns the old image when its condition fails, for outcome.ts and the log. */
export function actionOf(write: Write, TableName: string): TransactWriteItem {
  const at = placeholders();
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  switch (write.kind) {
    case 'put': {
      const condition = conditioned(write.when, at);
      return { Put: { ...common, Item: { ...wireOf(write.item), ...wireOf(write.key) }, ...condition } };
    }
    case 'update': {
      const UpdateExpression = updateExpression(write.update, at);
      return { Update: { ...common, Key: wireOf(write.key), UpdateExpression, ...conditioned(write.when, at) } };
    }
    case 'delete':
      return { Delete: { ...common, Key: wireOf(write.key), ...conditioned(write.when, at) } };
    case 'check': {
      const { ConditionExpression, ...slots } = conditioned(write.when, at);
      if (ConditionExpression === undefined) throw new Error('a check without a premise checks nothing');
      return { ConditionCheck: { ...common, Key: wireOf(write.key), ConditionExpression, ...slots } };
    }
  }
}

function conditioned(when: Condition, at: Placeholders) {
  const ConditionExpression = conditionExpression(when, at);
  const names = at.names();
  const values = at.values();
  return {
    ...(ConditionExpression && { ConditionExpression }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: wireOf(values) }),
  };
}

function queryOf(request: QueryRequest, TableName: string) {
  const [pk, sk] = request.index ? [`${request.index}Pk`, `${request.index}Sk`] : ['pk', 'sk'];
  const range = request.prefix !== undefined ? { prefix: request.prefix } : { from: request.from, to: request.to };
  const bounds = [
    range.prefix !== undefined && 'begins_with(#sk, :prefix)',
    range.from !== undefined && range.to !== undefined && '#sk BETWEEN :from AND :to',
    range.from !== undefined && range.to === undefined && '#sk >= :from',
    range.from === undefined && range.to !== undefined && '#sk <= :to',
  ].filter(Boolean);
  return {
    TableName,
    ...(request.index && { IndexName: request.index }),
    KeyConditionExpression: ['#pk = :pk', ...bounds].join(' AND '),
    ExpressionAttributeNames: { '#pk': pk, ...(bounds.length > 0 && { '#sk': sk }) },
    ExpressionAttributeValues: wireOf({
      ':pk': request.partition,
      ':prefix': range.prefix,
      ':from': range.from,
      ':to': range.to,
    }),
    ScanIndexForward: request.forward,
    Limit: request.limit,
    ConsistentRead: request.consistent,
    ...(request.after && { ExclusiveStartKey: wireOf(request.after) }),
  };
}
