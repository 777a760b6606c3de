import type { Table } from '../../store/table-port.ts';
import { commandIdIn } from './stored.ts';
import { underFault } from './faultPlan.ts';
import type { Ground } from './ground.ts';
import { newHistory, type Commit, type History, type Request } from './history.ts';
import { newProcess, type Footing } from './process.ts';
import { randomOf } from './random.ts';
import { schedulerFrom, type Scheduler } from './scheduler.ts';
import { start, tenantOf } from './shapes.ts';
import { simulatedTable, type Nature, type SimulatedTable } from './simulatedTable.ts';

export type Simulation = { ground: Ground; scheduler: Scheduler; table: SimulatedTable };

/** Stands between a request and the table: what mutants and naive variants change. */
export type Between = (table: Table, request: Request) => Table;

/** One seed's world: its database's nature and its network's moods come out of the seed. */
export function simulation(seed: number, kind: Partial<Nature> = {}, between: Between = (table) => table): Simulation {
  const random = randomOf(seed);
  const scheduler = schedulerFrom(start);
  const history = newHistory();
  const trip = () => scheduler.sleep(random.between(1, 12));
  const table = simulatedTable({
    now: scheduler.now,
    random: random.next,
    // Mostly at once; now and then longer than a whole round trip, so that half a commit is seen.
    step: () => scheduler.sleep(random.chance(0.7) ? 0 : random.between(0, 40)),
    reasons: () => random.pick(['complete', 'complete', 'first', 'last', 'missing'] as const),
    oldImages: () => random.chance(0.8),
    ttl: random.pick(['early', 'late', 'never'] as const),
    indexLagMs: random.between(0, 500),
    tornReads: random.chance(0.5),
    ...kind,
  });
  writeCommitsDown(table, history);

  const footingWith = (skewMs: number): Footing => ({
    history,
    store: {
      now: () => scheduler.now() + skewMs,
      monotonic: scheduler.now,
      sleep: scheduler.sleep,
      random: random.next,
      log: () => undefined,
    },
    table: (request) => between(travelling(table, request, trip), request),
    underFault: (fault, call, _request, run) => underFault(fault, call, run, scheduler.sleep),
  });
  const ground: Ground = {
    tenant: tenantOf(seed),
    random,
    history,
    now: scheduler.now,
    sleep: scheduler.sleep,
    start: (plan, { death, skewMs = 0 } = {}) => newProcess(footingWith(skewMs), plan, death),
    load: (items) => Promise.resolve(table.load(items)),
    dump: () => Promise.resolve(table.dump()),
  };
  return { ground, scheduler, table };
}

/** A message on the way, there and back. */
function travelling(table: SimulatedTable, request: Request, trip: () => Promise<void>): Table {
  const travel = async <T>(call: () => Promise<T>): Promise<T> => {
    await trip();
    const answer = await call().catch((error: unknown) => trip().then(() => Promise.reject(error as Error)));
    await trip();
    return answer;
  };
  return {
    batchGet: (keys) => travel(() => table.batchGet(keys)),
    transactWrite: (writes, token) => travel(() => table.transactWrite(writes, token, request)),
    query: (asked) => travel(() => table.query(asked)),
    write: (write) => travel(() => table.write(write)),
  };
}

function writeCommitsDown(table: SimulatedTable, history: History): void {
  table.onCommit(([record], from) => {
    const commandId = record && commandIdIn(record.key);
    if (!commandId || record.kind !== 'put' || record.item['status'] !== 'COMPLETED') return () => undefined;
    const expiresAt = record.item['expiresAt'] as number;
    const commit: Commit = {
      commandId,
      by: from as Request | undefined,
      seen: history.tick(),
      whole: Infinity,
      expiresAt,
    };
    history.commits.push(commit);
    return () => void (commit.whole = history.tick());
  });
}
