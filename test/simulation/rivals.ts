import { keyText } from '../../store/keys.ts';
import type { Item, Key, Table, Write } from '../../store/table-port.ts';
import { ask, newRequest } from './client.ts';
import { noFaults } from './faultPlan.ts';
import type { Request } from './history.ts';
import { rivalsOf, shapes, type Shape } from './shapes.ts';
import { simulation, type Between, type Simulation } from './simulatedGround.ts';
import type { Nature } from './simulatedTable.ts';
import { otherMoments, type Meanwhile } from './otherMoments.ts';

export type RivalCase = { name: string; shape: Shape; meanwhile: Meanwhile };

const calm: Partial<Nature> = { reasons: () => 'complete', oldImages: () => true, ttl: 'never', tornReads: false };

/** Every shape beside every other command from the same state, and beside every change of an item that it read. */
export async function* rivalCases(of: readonly Shape[] = shapes): AsyncGenerator<RivalCase> {
  for (const shape of of) {
    for (const other of rivalsOf(shape))
      yield { name: `${shape.name} / rival ${other.name}`, shape, meanwhile: { kind: 'command', shape: other } };
    const { read, writes, items } = await cleanRun(shape);
    for (const moment of otherMoments(read, writes, items, shape))
      yield { name: `${shape.name} / ${moment.says}`, shape, meanwhile: moment.meanwhile };
  }
}

/** What a clean run reads and writes, by key. */
async function cleanRun(shape: Shape) {
  const read = new Map<string, Key>();
  const writes: Write[] = [];
  const watch = (table: Table): Table => ({
    ...table,
    batchGet: (keys) => (keys.forEach((key) => read.set(keyText(key), key)), table.batchGet(keys)),
    transactWrite: (all, token) => (writes.push(...all), table.transactWrite(all, token)),
  });
  const world = simulation(1, calm, watch);
  const items = shape.prepared(world.ground.tenant);
  await world.ground.load(items);
  await outcome(world, ask(world.ground, world.ground.start(noFaults), requestOf(world, shape, 'a')));
  return { read: [...read.values()], writes, items: new Map(items.map((item) => [keyText(item), item])) };
}

/**
 * The race must end as if the rival had come first: the same answer, and the same state but for times and hashes. A
 * stray must not be written over and nothing be claimed done.
 */
export async function faultsOfRival({ shape, meanwhile }: RivalCase, between: Between = (table) => table) {
  const raced = await play(shape, meanwhile, 'between', between);
  if (meanwhile.kind === 'stray')
    return raced.there ? [] : [`${meanwhile.key.sk}, which was there, was written over: ${raced.answer}`];
  const serial = await play(shape, meanwhile, 'before', (table) => table);
  if (raced.answer !== serial.answer) return [`in a race: ${raced.answer}; one after the other: ${serial.answer}`];
  return raced.state === serial.state ? [] : [`the race left another state: ${difference(raced.state, serial.state)}`];
}

async function play(shape: Shape, meanwhile: Meanwhile, when: 'before' | 'between', between: Between) {
  let open = () => undefined as void;
  const gate = new Promise<void>((resolve) => (open = resolve));
  let reached = () => undefined as void;
  const atTheGate = new Promise<void>((resolve) => (reached = resolve));
  let raced: Request | undefined;
  const held: Between = (table, request) => {
    const inner = between(table, request);
    const hold = async () => (reached(), await gate);
    return request !== raced
      ? inner
      : { ...inner, transactWrite: async (writes, token) => (await hold(), await inner.transactWrite(writes, token)) };
  };
  const world = simulation(1, calm, held);
  const { ground } = world;
  await ground.load(shape.prepared(ground.tenant));
  const request = requestOf(world, shape, 'a');
  if (when === 'between') raced = request;

  const rival = async () => {
    if (when === 'between') await Promise.race([atTheGate, ground.sleep(10_000)]);
    if (meanwhile.kind !== 'command') world.table.put(meanwhile.key, meanwhile.become as Item | undefined);
    else await ask(ground, ground.start(noFaults), requestOf(world, meanwhile.shape, 'b'));
    open();
  };
  const mine = () => ask(ground, ground.start(noFaults), request);
  await outcome(world, when === 'between' ? Promise.all([mine(), rival()]) : rival().then(mine));
  const stored = await ground.dump();
  const there = meanwhile.kind === 'stray' && stored.includes(meanwhile.become as Item);
  return { answer: answerIn(request), state: stateOf(stored), there };
}

async function outcome({ scheduler }: Simulation, work: Promise<unknown>): Promise<void> {
  await Promise.all([work, scheduler.run()]);
}

const requestOf = ({ ground }: Simulation, { actor, command, fence }: Shape, who: string) => {
  const request = newRequest(ground, actor, command, `key-of-${who}-0000000000`);
  if (fence !== undefined) request.envelope.fence = fence;
  return request;
};

function answerIn({ answer, error }: Request): string {
  if (!answer) return `${error?.name}: ${error?.message}`;
  return answer.kind === 'done' ? `done ${answer.appliedVersion}` : `${answer.code} ${JSON.stringify(answer.details)}`;
}

/** Everything stored, but for what two runs never share: instants, hashes, salts, and which number a case drew. */
const stateOf = (items: Item[]) =>
  items
    .map((item) => JSON.stringify(item, (_name, value: unknown) => (value instanceof Set ? [...value].sort() : value)))
    .map((text) =>
      text
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
        .replace(/\b[0-9a-f]{32,64}\b/g, 'H')
        .replace(/2026-0000\d\d/g, 'N'),
    )
    .map((text) => text.replace(/"expiresAt":\d+/, ''))
    .map((text) => JSON.stringify(Object.entries(JSON.parse(text.replace(',,', ',')) as object).sort()))
    .sort()
    .join('\n');

function difference(a: string, b: string): string {
  const others = new Set(b.split('\n'));
  const mine = new Set(a.split('\n'));
  const extra = [...mine].filter((line) => !others.has(line));
  const missing = [...others].filter((line) => !mine.has(line));
  return `${extra[0] ?? 'nothing'} instead of ${missing[0] ?? 'nothing'}`;
}
