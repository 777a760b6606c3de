import { once, setMaxListeners } from 'node:events';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { operations } from './api.ts';
import { Callbacks } from './callbacks.ts';
import type { Clock } from './clock.ts';
import { Engine, type StatusListener } from './engine.ts';
import { Interrupted } from './errors.ts';
import { Executions } from './executions.ts';
import { Items } from './items.ts';
import { Journal } from './journal.ts';
import { takeLease } from './lease.ts';
import { Machines } from './machines.ts';
import { Reader } from './reader.ts';
import type { Services, TaskFunction } from './run.ts';
import { serve } from './server.ts';
import { createTable } from './table.ts';

export type StepFunctionsOptions = {
  dynamodb: DynamoDBClient;
  /** The journal's own table; created if it is absent. */
  table: string;
  /** By the name at the end of FunctionName. */
  functions: Record<string, TaskFunction>;
  clock: Clock;
  /** For the jitter of retries. */
  random: () => number;
  /** 0 or nothing takes a free one. */
  port?: number;
  /** The caller holds a lock on the data, so whoever ran these executions before is dead and nobody has to wait for it. */
  exclusive?: boolean;
  onStatusChange?: StatusListener;
};

/** Starts the embedded Step Functions: takes over what an earlier process left running, then listens. */
export async function startStepFunctions(
  options: StepFunctionsOptions,
): Promise<{ endpoint: string; close(): Promise<void> }> {
  const { dynamodb, table, clock, random, functions } = options;
  await createTable(dynamodb, table);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const letGo = () => closing.abort(new Interrupted({ kind: 'CLOSING' }));
  const exclusive = options.exclusive === true;
  const lease = await takeLease({ dynamodb, table, clock, exclusive, onLost: () => letGo() });
  const items = new Items(dynamodb, table);
  const services: Services = {
    journal: new Journal(items, lease.fence),
    reader: new Reader(items),
    clock,
    random,
    functions,
    callbacks: new Callbacks(),
    closing: closing.signal,
  };
  const machines = await Machines.open(dynamodb, table);
  const engine = new Engine(services, machines, options.onStatusChange);
  const executions = new Executions(engine, services.journal, services.reader, clock);
  await engine.takeOver();
  const server = await serve(operations(services, machines, executions, engine), options.port ?? 0);

  const letsGo = closing.signal.aborted ? Promise.resolve() : once(closing.signal, 'abort');
  const closed = letsGo.then(async () => {
    await server.close();
    await engine.close();
    await lease.release();
  });
  return {
    endpoint: server.endpoint,
    close: () => {
      letGo();
      return closed;
    },
  };
}
