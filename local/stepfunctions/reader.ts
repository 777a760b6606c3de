import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { unpacked, type EventItem } from './changes.ts';
import { frameFromItem, type Frame, type FrameItem } from './frame.ts';
import { MOST_EVENTS, type HistoryEvent } from './history.ts';
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

  /** What an execution goes on from, in one read: its input and frames lie side by side in their order. */
  async progress(arn: string): Promise<{ input: string; frames: Frame[] }> {
    const rows = await this.items.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :frames AND :input',
      ExpressionAttributeValues: marshall({
        ':pk': keys.execution(arn).pk,
        ':frames': keys.frame(arn, '').sk,
        ':input': keys.input(arn).sk,
      }),
      ConsistentRead: true,
    });
    const input = rows.pop()!.json as string;
    return { input, frames: rows.map((row) => frameFromItem(row as FrameItem)) };
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

  /** The `count` events from `first` on, upwards or downwards; fewer where the history ends. */
  async events(arn: string, first: number, step: 1 | -1, count: number): Promise<HistoryEvent[]> {
    const [low, high] = step === 1 ? [first, first + count - 1] : [first - count + 1, first];
    const rows = await this.items.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: marshall({
        ':pk': keys.execution(arn).pk,
        ':low': low <= 1 ? keys.events(arn, 0).sk : await this.itemWith(arn, low),
        ':high': keys.events(arn, high).sk,
      }),
      ConsistentRead: true,
    });
    const events = (rows as EventItem[]).flatMap(unpacked).filter(({ id }) => id >= low && id <= high);
    return step === 1 ? events : events.reverse();
  }

  async lastEventId(arn: string): Promise<number> {
    const last = await this.lastItem(arn, MOST_EVENTS);
    return last ? unpacked(last).at(-1)!.id : 0;
  }

  /** The key of the item that holds the event; items are named after their first one. */
  private async itemWith(arn: string, id: number): Promise<string> {
    return (await this.lastItem(arn, id))?.sk ?? keys.events(arn, 0).sk;
  }

  private async lastItem(arn: string, upTo: number): Promise<(EventItem & { sk: string }) | undefined> {
    const { items } = await this.items.query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: marshall({
        ':pk': keys.execution(arn).pk,
        ':low': keys.events(arn, 0).sk,
        ':high': keys.events(arn, upTo).sk,
      }),
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    });
    return items[0] as (EventItem & { sk: string }) | undefined;
  }
}
