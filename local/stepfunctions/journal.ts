import { UpdateItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { eventItems, transactionsOf, type Changes } from './changes.ts';
import type { Items } from './items.ts';
import { keys } from './table.ts';

export type Status = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

export type ExecutionRecord = {
  executionArn: string;
  machine: string;
  name: string;
  revision: string;
  roleArn: string;
  status: Status;
  startedAt: number;
  stoppedAt?: number;
  redriveCount: number;
  redrivenAt?: number;
  redrivenEvent?: number;
  error?: string;
  cause?: string;
  fence: number;
};

export type Answer = { output: string } | { error: string; cause: string };

/** Fields that change after the start; one that is undefined is taken away. */
const CHANGING = [
  'status',
  'stoppedAt',
  'redriveCount',
  'redrivenAt',
  'redrivenEvent',
  'error',
  'cause',
  'fence',
  'unsettled',
];

/** Writes what must outlive this process, each write under this process's fence. */
export class Journal {
  readonly fence: number;
  private readonly items: Items;

  constructor(items: Items, fence: number) {
    this.items = items;
    this.fence = fence;
  }

  /** Throws Interrupted when the name is taken or the lease is lost. */
  async begin(record: ExecutionRecord, input: string): Promise<void> {
    const { executionArn: arn, startedAt, name } = record;
    const listed = `${new Date(startedAt).toISOString()}/${name}`;
    const { Put } = this.items.put({ ...keys.execution(arn), ...record, listed, unsettled: 'RUNNING' });
    await this.items.transact([
      { Put: { ...Put, ConditionExpression: 'attribute_not_exists(pk)' } },
      this.items.put({ ...keys.input(arn), json: input }),
      this.items.fenced(keys.lease, this.fence),
    ]);
  }

  async commit(arn: string, changes: Changes): Promise<void> {
    await this.write(arn, this.itemsOf(arn, changes), this.items.fenced(keys.execution(arn), this.fence));
  }

  /** The end of the execution, with all that led to it. */
  async end(record: ExecutionRecord, output: string | undefined, announce: boolean, changes: Changes): Promise<void> {
    const arn = record.executionArn;
    const result = output === undefined ? [] : [this.items.put({ ...keys.output(arn), json: output })];
    const change = this.statusChange(record, announce ? 'ANNOUNCE' : undefined, 'fence = :fence');
    await this.write(arn, [...this.itemsOf(arn, changes), ...result], change);
  }

  async reopen(record: ExecutionRecord, changes: Changes): Promise<void> {
    const arn = record.executionArn;
    const change = this.statusChange(record, 'RUNNING', 'fence <= :fence AND redriveCount <= :redriveCount');
    await this.write(arn, this.itemsOf(arn, changes), change);
  }

  /** From here on no other process can write it. Nothing when it is over or belongs to a later owner. */
  async takeOver(arn: string): Promise<ExecutionRecord | undefined> {
    const taken = await this.update(arn, 'SET fence = :mine', 'fence <= :mine AND unsettled = :running', {
      ':mine': this.fence,
      ':running': 'RUNNING',
    });
    return taken as ExecutionRecord | undefined;
  }

  /** The host has been told of the end; void if the execution was redriven meanwhile. */
  async announced({ executionArn, redriveCount }: ExecutionRecord): Promise<void> {
    await this.update(executionArn, 'REMOVE unsettled', 'unsettled = :announce AND redriveCount = :count', {
      ':announce': 'ANNOUNCE',
      ':count': redriveCount,
    });
  }

  /** Throws when it is not written for certain, also when the token has an answer: the first one counts. */
  async answer(arn: string, token: string, answer: Answer): Promise<void> {
    const { Put } = this.items.put({ ...keys.token(token), executionArn: arn, answer });
    const first = { Put: { ...Put, ConditionExpression: 'attribute_not_exists(answer)' } };
    await this.items.transact([first, this.items.fenced(keys.execution(arn), this.fence)]);
  }

  private itemsOf(arn: string, { events, frames, tokens }: Changes): TransactWriteItem[] {
    return [
      ...eventItems(arn, events).map(this.items.put),
      ...tokens.map((token) => this.items.put({ ...keys.token(token), executionArn: arn })),
      ...frames.map(({ key, ...item }) => this.items.put({ ...keys.frame(arn, key), ...item })),
    ];
  }

  /**
   * One transaction, where it fits into one, as it nearly always does. Otherwise the last one carries the deciding write:
   * a crash before it leaves frames as far as they were written, and events that are written over when they happen again.
   */
  private async write(arn: string, items: TransactWriteItem[], deciding: TransactWriteItem): Promise<void> {
    const transactions = transactionsOf(items);
    const last = transactions.pop() ?? [];
    for (const earlier of transactions)
      await this.items.transact([...earlier, this.items.fenced(keys.execution(arn), this.fence)]);
    await this.items.transact([...last, deciding]);
  }

  private statusChange(record: ExecutionRecord, unsettled: string | undefined, condition: string): TransactWriteItem {
    const fields = Object.entries({ ...record, unsettled }).filter(([name]) => CHANGING.includes(name));
    const kept = fields.filter(([, value]) => value !== undefined);
    const gone = fields.filter(([, value]) => value === undefined);
    const set = `SET ${kept.map(([name]) => `#${name} = :${name}`).join(', ')}`;
    const remove = gone.length > 0 ? ` REMOVE ${gone.map(([name]) => `#${name}`).join(', ')}` : '';
    return {
      Update: {
        TableName: this.items.table,
        Key: marshall(keys.execution(record.executionArn)),
        UpdateExpression: set + remove,
        ConditionExpression: condition,
        ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: marshall(Object.fromEntries(kept.map(([name, value]) => [`:${name}`, value]))),
      },
    };
  }

  /** The row afterwards, or nothing when the condition does not hold. */
  private async update(arn: string, change: string, condition: string, values: object): Promise<object | undefined> {
    try {
      const { Attributes } = await this.items.dynamodb.send(
        new UpdateItemCommand({
          TableName: this.items.table,
          Key: marshall(keys.execution(arn)),
          UpdateExpression: change,
          ConditionExpression: condition,
          ExpressionAttributeValues: marshall(values),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return unmarshall(Attributes!);
    } catch (error) {
      if ((error as Error).name === 'ConditionalCheckFailedException') return undefined;
      throw error;
    }
  }
}
