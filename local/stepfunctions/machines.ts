import { createHash } from 'node:crypto';
import { GetItemCommand, PutItemCommand, QueryCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Machine } from './definition.ts';
import { keys } from './table.ts';

export type MachineRecord = {
  name: string;
  definition: string;
  revision: string;
  roleArn: string;
  createdAt: number;
  updatedAt?: number;
};

/** The state machines. Current ones are kept in memory, so starting an execution reads nothing. */
export class Machines {
  private readonly dynamodb: DynamoDBClient;
  private readonly table: string;
  private readonly current = new Map<string, MachineRecord>();
  private readonly parsed = new Map<string, Machine>();

  private constructor(dynamodb: DynamoDBClient, table: string) {
    this.dynamodb = dynamodb;
    this.table = table;
  }

  static async open(dynamodb: DynamoDBClient, table: string): Promise<Machines> {
    const machines = new Machines(dynamodb, table);
    for (let from: object | undefined, more = true; more; more = from !== undefined) {
      const page = await dynamodb.send(
        new QueryCommand({
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: marshall({ ':pk': keys.machines }),
          ExclusiveStartKey: from as never,
        }),
      );
      for (const item of page.Items ?? []) machines.current.set(item.sk!.S!, unmarshall(item) as MachineRecord);
      from = page.LastEvaluatedKey;
    }
    return machines;
  }

  list = (): MachineRecord[] => [...this.current.values()];

  find = (name: string): MachineRecord | undefined => this.current.get(name);

  /** The revision first: whatever is current can be read under its revision, also after a crash in between. */
  async put(record: MachineRecord): Promise<void> {
    const { name, definition, revision } = record;
    await this.write({ ...keys.revision(name, revision), definition });
    await this.write({ ...keys.machine(name), ...record });
    this.current.set(name, record);
  }

  /** The definition an execution began with, whatever is current now. */
  async definitionOf(name: string, revision: string): Promise<Machine> {
    const known = this.parsed.get(`${name}/${revision}`);
    if (known) return known;
    const current = this.current.get(name);
    const text = current?.revision === revision ? current.definition : await this.read(name, revision);
    const machine = JSON.parse(text) as Machine;
    this.parsed.set(`${name}/${revision}`, machine);
    return machine;
  }

  private async read(name: string, revision: string): Promise<string> {
    const Key = marshall(keys.revision(name, revision));
    const found = await this.dynamodb.send(new GetItemCommand({ TableName: this.table, Key, ConsistentRead: true }));
    return found.Item!.definition!.S!;
  }

  private async write(item: object): Promise<void> {
    const Item = marshall(item, { removeUndefinedValues: true });
    await this.dynamodb.send(new PutItemCommand({ TableName: this.table, Item }));
  }
}

export const revisionOf = (definition: string) => createHash('sha256').update(definition).digest('hex').slice(0, 32);
