import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Clock } from './clock.ts';
import { keys } from './table.ts';

/** Every write of an execution names the fence, so a process that lost the lease cannot write even if it never learns of it. */
export type Lease = { fence: number; release(): Promise<void> };

type Terms = {
  dynamodb: DynamoDBClient;
  table: string;
  clock: Clock;
  /** The caller holds a lock that no second process can hold: whoever the lease names is dead, and nothing need be renewed. */
  exclusive: boolean;
  onLost: () => void;
};
type Row = { fence: number; owner: string; leaseUntil: number };

const LEASE_MS = 30_000;

/** Waits for a dead holder's lease to run out; gives up when the holder turns out to be alive. */
export async function takeLease(terms: Terms): Promise<Lease> {
  const owner = randomUUID();
  const seen = await read(terms);
  if (seen && seen.leaseUntil > terms.clock.now() && !terms.exclusive) {
    await terms.clock.sleepUntil(seen.leaseUntil, new AbortController().signal);
    const again = await read(terms);
    if (again && again.leaseUntil > seen.leaseUntil)
      throw new Error(`another process runs the state machines of the table ${terms.table}`);
  }
  const fence = (seen?.fence ?? 0) + 1;
  await write(terms, { fence, owner, leaseUntil: leaseUntil(terms) }, seen?.fence);
  const stop = new AbortController();
  if (!terms.exclusive) void renew(terms, { fence, owner, leaseUntil: 0 }, stop.signal);
  return {
    fence,
    release: async () => {
      stop.abort();
      await write(terms, { fence, owner, leaseUntil: 0 }, fence).catch(() => {}); // lost: nothing to give back
    },
  };
}

const leaseUntil = ({ exclusive, clock }: Terms) => (exclusive ? 0 : clock.now() + LEASE_MS);

async function renew(terms: Terms, mine: Row, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await terms.clock.sleepUntil(terms.clock.now() + LEASE_MS / 3, signal);
      await write(terms, { ...mine, leaseUntil: leaseUntil(terms) }, mine.fence);
    }
  } catch {
    if (!signal.aborted) terms.onLost();
  }
}

async function read({ dynamodb, table }: Terms): Promise<Row | undefined> {
  const found = await dynamodb.send(
    new GetItemCommand({ TableName: table, Key: marshall(keys.lease), ConsistentRead: true }),
  );
  return found.Item && (unmarshall(found.Item) as Row);
}

/** Written again after a lost answer it meets its own row, which is as good as having written it. */
async function write({ dynamodb, table }: Terms, row: Row, over: number | undefined): Promise<void> {
  try {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall(keys.lease),
        UpdateExpression: 'SET fence = :fence, #owner = :owner, leaseUntil = :until',
        ConditionExpression: over === undefined ? 'attribute_not_exists(fence)' : 'fence = :over',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: marshall(
          { ':fence': row.fence, ':owner': row.owner, ':until': row.leaseUntil, ':over': over },
          { removeUndefinedValues: true },
        ),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
  } catch (error) {
    const old = error instanceof ConditionalCheckFailedException && error.Item && (unmarshall(error.Item) as Row);
    if (!old || old.owner !== row.owner || old.fence !== row.fence) throw error;
  }
}
