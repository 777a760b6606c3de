import type { Item } from '../../store/table-port.ts';
import { faultsIn } from './checks.ts';
import type { FaultyEngine } from './engine.ts';
import type { Ground } from './ground.ts';
import { newHistory, type Request } from './history.ts';
import { newProcess, type Footing } from './process.ts';
import { randomOf } from './random.ts';
import { start, tenantOf } from './shapes.ts';
import { commandIdIn } from './stored.ts';
import { tellStory, type Tally } from './story.ts';

/** How much faster than the wall clock a story runs: its deadlines of 20 s pass in one. */
const quickening = 20;

/** Plays one seed on the real engine, in a table of its own. */
export async function faultsOfSeedOnEngine(engine: FaultyEngine, seed: number, tally: Tally): Promise<string[]> {
  const name = `docket-seed-${seed}`;
  await engine.newTable(name);
  const { ground, quiet } = engineGround(engine, name, seed);
  await tellStory(ground, tally);
  await quiet();
  const faults = faultsIn(ground.history, await ground.dump());
  await engine.dropTable(name);
  return faults;
}

function engineGround(engine: FaultyEngine, name: string, seed: number) {
  const random = randomOf(seed);
  const history = newHistory();
  const began = performance.now();
  const now = () => start + Math.round((performance.now() - began) * quickening);
  const pending = { count: 0 };
  const sleep = async (ms: number) => {
    pending.count++;
    await new Promise((wake) => setTimeout(wake, ms / quickening));
    pending.count--;
  };
  const committed = (record: Item, by: Request) => {
    const commandId = commandIdIn(record);
    if (!commandId || record['status'] !== 'COMPLETED') return;
    const order = history.tick(); // of its answer: by then all of it can be seen
    history.commits.push({ commandId, by, seen: order, whole: order, expiresAt: record['expiresAt'] as number });
  };
  const footingWith = (skewMs: number): Footing => ({
    history,
    store: { now: () => now() + skewMs, monotonic: now, sleep, random: random.next, log: () => undefined },
    table: (request) => engine.table(name, { request, sleep, committed, pending }),
    underFault: (fault, call, _request, run) => engine.under({ fault, call }, run),
  });
  const ground: Ground = {
    tenant: tenantOf(seed),
    random,
    history,
    now,
    sleep,
    start: (plan, { death, skewMs = 0 } = {}) => newProcess(footingWith(skewMs), plan, death),
    load: (items) => load(engine, name, items),
    dump: () => engine.dump(name),
  };
  const quiet = async () => {
    while (pending.count > 0) await new Promise((wake) => setTimeout(wake, 5));
  };
  return { ground, quiet };
}

async function load(engine: FaultyEngine, name: string, items: Item[]): Promise<void> {
  const table = engine.plainTable(name);
  for (const { pk, sk, ...item } of items)
    await table.write({ kind: 'put', key: { pk, sk }, item, when: { is: 'all', of: [] } });
}
