import { AsyncLocalStorage } from 'node:async_hooks';
import { DeleteTableCommand, DynamoDBClient, ScanCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../local/createTable.ts';
import { startDynamoDb } from '../../local/dynamodb.ts';
import { connect } from '../../store/connect.ts';
import { dynamoTable, itemOf } from '../../store/dynamo.ts';
import type { Item, Table } from '../../store/table-port.ts';
import { underFault, type Call, type Fault } from './faultPlan.ts';
import type { Request } from './history.ts';

/** Who sends: found by the middleware, however deep in the SDK it stands. */
type Sender = {
  request: Request;
  sleep: (ms: number) => Promise<void>;
  committed: (record: Item, by: Request) => void;
  /** Sends under way, heard or unheard. */
  pending: { count: number };
};
type Next = { fault: Fault | undefined; call: Call };

/** The embedded engine behind the real client, with the fault plan between the two. */
export type FaultyEngine = {
  newTable: (name: string) => Promise<void>;
  dropTable: (name: string) => Promise<void>;
  table: (name: string, sender: Sender) => Table;
  /** Without faults, for what a story begins with. */
  plainTable: (name: string) => Table;
  /** Whatever is sent by `run` meets the fault once. */
  under: <T>(next: Next, run: () => Promise<T>) => Promise<T>;
  dump: (name: string) => Promise<Item[]>;
  stop: () => Promise<void>;
};

export async function startFaultyEngine(): Promise<FaultyEngine> {
  const engine = await startDynamoDb({});
  const { writer, reader } = connect(engine.endpoint);
  // For what a story begins and ends with: patient, since a busy machine is none of the story's faults.
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const patient = new DynamoDBClient({ endpoint: engine.endpoint, region: 'local', credentials });
  const senders = new AsyncLocalStorage<Sender>();
  const nexts = new AsyncLocalStorage<Next>();
  putFaultsBefore(writer, senders, nexts);
  // One attempt for reads as well: the SDK's own repeats would hide half of the faults.
  const clients = { writer, reader: writer };

  return {
    newTable: (name) => createTable(patient, name),
    dropTable: async (name) => void (await patient.send(new DeleteTableCommand({ TableName: name }))),
    table: (name, sender) => sentBy(dynamoTable(clients, name), sender, senders),
    plainTable: (name) => dynamoTable({ writer: patient, reader: patient }, name),
    under: (next, run) => nexts.run(next, run),
    dump: (name) => everything(patient, name),
    stop: async () => {
      writer.destroy();
      reader.destroy();
      patient.destroy();
      await engine.stop();
    },
  };
}

function putFaultsBefore(
  client: DynamoDBClient,
  senders: AsyncLocalStorage<Sender>,
  nexts: AsyncLocalStorage<Next>,
): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const sender = senders.getStore();
      const meets = nexts.getStore();
      if (!sender) return next(args);
      const fault = meets?.fault;
      if (meets) meets.fault = undefined;
      const run = async () => {
        sender.pending.count++;
        try {
          const answer = await next(args);
          const record = recordIn(args.input);
          if (record) sender.committed(record, sender.request);
          return answer;
        } finally {
          sender.pending.count--;
        }
      };
      return meets ? underFault(fault, meets.call, run, sender.sleep) : run();
    },
    { name: 'faults', step: 'finalizeRequest', priority: 'low' },
  );
}

/** The command record that a transaction carries in its first slot. */
function recordIn(input: object): Item | undefined {
  const { TransactItems } = input as { TransactItems?: { Put?: { Item: Record<string, AttributeValue> } }[] };
  const wire = TransactItems?.[0]?.Put?.Item;
  return wire && itemOf(wire);
}

function sentBy(table: Table, sender: Sender, senders: AsyncLocalStorage<Sender>): Table {
  return {
    batchGet: (keys) => senders.run(sender, () => table.batchGet(keys)),
    transactWrite: (writes, token) => senders.run(sender, () => table.transactWrite(writes, token)),
    query: (request) => senders.run(sender, () => table.query(request)),
    write: (write) => senders.run(sender, () => table.write(write)),
  };
}

async function everything(client: DynamoDBClient, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let after: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: after }));
    items.push(...(page.Items ?? []).map(itemOf));
    after = page.LastEvaluatedKey;
  } while (after);
  return items;
}
