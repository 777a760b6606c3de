import {
  GetItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  type CancellationReason,
  type DynamoDBClient,
  type QueryCommandInput,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { Interrupted } from './errors.ts';

export type Key = { pk: string; sk: string };
type Item = Record<string, unknown>;

/** The journal's table, item by item. */
export class Items {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;

  constructor(dynamodb: DynamoDBClient, table: string) {
    this.dynamodb = dynamodb;
    this.table = table;
  }

  async get(key: Key): Promise<Item | undefined> {
    const found = await this.dynamodb.send(
      new GetItemCommand({ TableName: this.table, Key: marshall(key), ConsistentRead: true }),
    );
    return found.Item && unmarshall(found.Item);
  }

  /** A page of a query; it begins where the one before it ended. */
  async query(query: Omit<QueryCommandInput, 'TableName'>): Promise<{ items: Item[]; next?: Item }> {
    const page = await this.dynamodb.send(new QueryCommand({ TableName: this.table, ...query }));
    return {
      items: (page.Items ?? []).map((item) => unmarshall(item)),
      next: page.LastEvaluatedKey && unmarshall(page.LastEvaluatedKey),
    };
  }

  async queryAll(query: Omit<QueryCommandInput, 'TableName'>): Promise<Item[]> {
    const all: Item[] = [];
    for (let from: Item | undefined, more = true; more; more = from !== undefined) {
      const page = await this.query({ ...query, ExclusiveStartKey: from && marshall(from) });
      all.push(...page.items);
      from = page.next;
    }
    return all;
  }

  put = (item: object): TransactWriteItem & { Put: object } => ({
    Put: { TableName: this.table, Item: marshall(item, { removeUndefinedValues: true }) },
  });

  /** The row still carries this fence; otherwise another process has taken over and nothing of the transaction happens. */
  fenced = (key: Key, fence: number): TransactWriteItem => ({
    ConditionCheck: {
      TableName: this.table,
      Key: marshall(key),
      ConditionExpression: 'fence = :fence',
      ExpressionAttributeValues: marshall({ ':fence': fence }),
    },
  });

  async transact(TransactItems: TransactWriteItem[]): Promise<void> {
    try {
      await this.dynamodb.send(new TransactWriteItemsCommand({ TransactItems }));
    } catch (error) {
      const lost = error instanceof TransactionCanceledException && error.CancellationReasons?.some(conditionFailed);
      throw lost ? new Interrupted({ kind: 'LOST' }) : error;
    }
  }
}

const conditionFailed = (reason: CancellationReason) => reason.Code === 'ConditionalCheckFailed';
