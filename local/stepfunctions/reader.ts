import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { frameFromItem, type Frame } from './frame.ts';
import type { HistoryEvent } from './history.ts';
import type { Items } from './items.ts';
import type { Answer, ExecutionRecord, Status } from './journal.ts';
import { keys } from './table.ts';

/** Reads the journal. */
export class Reader {
  private readonly items: Items;

  constructor(items: Items) {
    this.items = items;
  }

  async execution(arn: string): Promise<ExecutionRecord | undefined> {
    return (await this.items.get(keys.execution(arn))) as ExecutionRecord | undefined;
  }

  /** An execution with its input and output, in one read. */
  async whole(arn: string): Promise<{ record: ExecutionRecord; input: string; output?: string } | undefined> {
    const Keys = [keys.execution(arn), keys.input(arn), keys.output(arn)].map((key) => marshall(key));
    const request = { [this.items.table]: { Keys, ConsistentRead: true } };
    const found = await this.items.dynamodb.send(new BatchGetItemCommand({ RequestItems: request }));
    const rows = (found.Responses?.[this.items.table] ?? []).map((row) => unmarshall(row));
    const row = (sk: string) => rows.find((candidate) => candidate.sk === sk);
    const record = row('EXECUTION') as ExecutionRecord | undefined;
    return record && { record, input: row('INPUT')?.json as string, output: row('OUTPUT')?.json as string };
  }

  async frames(arn: string): Promise<Frame[]> {
    const rows = await this.items.queryAll({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :frame)',
      ExpressionAttributeValues: marshall({ ':pk': keys.execution(arn).pk, ':frame': keys.frame(arn, '').sk }),
      ConsistentRead: true,
    });
    return rows.map((row) => frameFromItem(row as { raw: string; rest: string }));
  }

  async token(token: string): Promise<{ executionArn: string; answer?: Answer } | undefined> {
    return (await this.items.get(keys.token(token))) as { executionArn: string; answer?: Answer } | undefined;
  }

  /** Executions that run, or whose end is still to be announced. */
  async unsettled(state: 'RUNNING' | 'ANNOUNCE'): Promise<ExecutionRecord[]> {
    const rows = await this.items.queryAll({
      IndexName: 'unsettled',
      KeyConditionExpression: 'unsettled = :state',
      ExpressionAttributeValues: marshall({ ':state': state }),
    });
    return rows as ExecutionRecord[];
  }

  /** A machine's executions, the latest first; `next` is where the following page begins. */
  async list(
    machine: string,
    status: Status | undefined,
    most: number,
    from: string | undefined,
  ): Promise<{ records: ExecutionRecord[]; next?: string }> {
    const records: ExecutionRecord[] = [];
    for (let before = from; ;) {
      const page = await this.items.query({
        IndexName: 'byMachine',
        KeyConditionExpression: before ? 'machine = :machine AND listed < :before' : 'machine = :machine',
        ExpressionAttributeValues: marshall(
          { ':machine': machine, ':before': before },
          { removeUndefinedValues: true },
        ),
        ScanIndexForward: false,
        Limit: most,
      });
      for (const row of page.items as (ExecutionRecord & { listed: string })[]) {
        before = row.listed;
        if (status !== undefined && row.status !== status) continue;
        records.push(row);
        if (records.length === most) return { records, next: before };
      }
      if (!page.next) return { records };
    }
  }

  /** Events from `first` on, in the order of `step`; at least `enough` of them, unless there are no more. */
  async events(arn: string, first: number, step: 1 | -1, enough: number): Promise<HistoryEvent[]> {
    const { pk } = keys.execution(arn);
    const from = step === 1 ? await this.itemWith(arn, first) : keys.events(arn, first).sk;
    const bounds = step === 1 ? [from, keys.events(arn, 999_999).sk] : [keys.events(arn, 0).sk, from];
    const events: HistoryEvent[] = [];
    for (let next: Record<string, unknown> | undefined, more = true; more; more = next !== undefined) {
      const page = await this.items.query({
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
        ExpressionAttributeValues: marshall({ ':pk': pk, ':low': bounds[0], ':high': bounds[1] }),
        ScanIndexForward: step === 1,
        ConsistentRead: true,
        ExclusiveStartKey: next && marshall(next),
      });
      for (const row of page.items as { events: HistoryEvent[] }[])
        events.push(
          ...(step === 1 ? row.events : row.events.reverse()).filter((event) => (event.id - first) * step >= 0),
        );
      if (events.length >= enough) return events;
      next = page.next;
    }
    return events;
  }

  async lastEventId(arn: string): Promise<number> {
    const [last] = await this.events(arn, 999_999, -1, 1);
    return last?.id ?? 0;
  }

  /** The key of the item that holds the event; items are named after their first one. */
  private async itemWith(arn: string, id: number): Promise<string> {
    const { items } = await this.items.query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: marshall({
        ':pk': keys.execution(arn).pk,
        ':low': keys.events(arn, 0).sk,
        ':high': keys.events(arn, id).sk,
      }),
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    });
    return (items[0]?.sk as string | undefined) ?? keys.events(arn, 0).sk;
  }
}
