import type { OfficerId } from '../../domain/ids.ts';
import { keysOf } from '../../store/keys.ts';
import type { CommandRecord } from '../../store/record.ts';
import type { Item, Table } from '../../store/table-port.ts';
import { ask, newRequest } from './client.ts';
import { noFaults } from './faultPlan.ts';
import type { Request } from './history.ts';
import { shapes } from './shapes.ts';
import { simulation, type Between, type Simulation } from './simulatedGround.ts';
import type { Nature } from './simulatedTable.ts';

/** Single rules of commands.md §3-6, each played once: what it is for in its name, and whether it held. */
export type Rule = { says: string; holds: (between: Between) => Promise<boolean> };

export const key = 'a-key-of-sixteen-or-more';
export const addInvestigator = shapes.find(({ name }) => name === 'addInvestigator')!;
export const addParty = shapes.find(({ name }) => name === 'addParty')!;
/** It creates nothing that names its command: only the record can tell. */
export const finding = shapes.find(({ name }) => name === 'setContraventionFinding')!;
export const calm: Partial<Nature> = {
  reasons: () => 'complete',
  oldImages: () => true,
  ttl: 'never',
  tornReads: false,
};

export const result = { aggregateType: 'Case', aggregateId: 'c1', appliedVersion: 6, created: {} } as const;

type Played = {
  timeoutMs?: number;
  record?: Partial<CommandRecord>;
  items?: Item[];
  shape?: typeof addParty;
  begun?: (world: Simulation) => void;
  /** What happens once it is answered. */
  afterwards?: (world: Simulation) => Promise<void>;
};

export async function play(
  between: Between,
  { timeoutMs, record, items = [], shape = addParty, begun, afterwards }: Played = {},
) {
  const world = simulation(1, calm, between);
  begun?.(world);
  const { ground, scheduler } = world;
  const request = newRequest(ground, shape.actor, shape.command, key);
  if (timeoutMs !== undefined) request.envelope.timeoutMs = timeoutMs;
  await ground.load([...shape.prepared(ground.tenant), ...items]);
  const requestHash = await hashOf(shape);
  if (record) world.table.put(...recordOf(ground, request, { generation: 1, requestHash, expiresAt: 4e9, ...record }));
  const story = ask(ground, ground.start(noFaults), request).then(() => afterwards?.(world));
  await Promise.all([story, scheduler.run()]);
  const committed = ground.history.commits.some(({ by }) => by === request);
  return { request, stored: await ground.dump(), committed };
}

export const recordOf = (ground: Simulation['ground'], { commandId }: Request, record: object): [Item, Item] => {
  const at = keysOf(ground.tenant).command(commandId);
  return [at, { ...record, ...at }];
};

/** The hash that the request will have: what a clean run stores. */
export async function hashOf(shape: typeof addParty): Promise<string> {
  const { ground, scheduler } = simulation(1);
  await ground.load(shape.prepared(ground.tenant));
  const request = newRequest(ground, shape.actor, shape.command, key);
  await Promise.all([ask(ground, ground.start(noFaults), request), scheduler.run()]);
  const record = (await ground.dump()).find(({ sk }) => sk === 'COMMAND');
  return record?.['requestHash'] as string;
}

/** The officer whom addInvestigator names, on the leave or back. */
export function officerIs({ ground, table }: Simulation, state: string): void {
  const key = keysOf(ground.tenant).of({ of: 'officer', officerId: addInvestigator.command['officerId'] as OfficerId });
  const officer = table.dump().find(({ pk, sk }) => pk === key.pk && sk === key.sk)!;
  table.put(key, { ...officer, state });
}

/** A repeat of the request for addInvestigator, and what it was told. */
export function newRequestOnce() {
  let request: Request | undefined;
  const make = (ground: Simulation['ground']) =>
    (request = newRequest(ground, addInvestigator.actor, addInvestigator.command, key));
  return Object.assign(make, { answer: () => request?.answer });
}

export const counted = (table: Table, count: () => void): Table => ({
  batchGet: (keys) => (count(), table.batchGet(keys)),
  transactWrite: (writes, token) => (count(), table.transactWrite(writes, token)),
  query: (asked) => (count(), table.query(asked)),
  write: (write) => (count(), table.write(write)),
});
