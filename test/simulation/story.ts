import type { Actor, AnyCommand } from '../../domain/command.ts';
import { ref } from '../../domain/refs.ts';
import { keysOf } from '../../store/keys.ts';
import { listEvents } from '../../store/lists.ts';
import { readItems } from '../../store/read.ts';
import { a1, ana, c1, cai, dan, rob, sue } from '../domain/builders.ts';
import { ask, newRequest, type Execute } from './client.ts';
import { noFaults, seededFaults, type FaultPlan } from './faultPlan.ts';
import type { Ground } from './ground.ts';
import { deaths, type Process } from './process.ts';
import { rivalsOf, shapes, type Shape } from './shapes.ts';

/** What happened while a story ran, for the figures. */
export type Tally = { faults: Record<string, number>; deaths: number; commands: number; requests: number };
export const newTally = (): Tally => ({ faults: {}, deaths: 0, commands: 0, requests: 0 });

/** One seed's story: a few people at one case, with duplicates, dying processes and a bad network between them. */
export async function tellStory(ground: Ground, tally: Tally, how?: Execute): Promise<void> {
  const { random } = ground;
  const base = random.pick(shapes);
  await ground.load(base.prepared(ground.tenant));
  const calm = random.chance(0.1);
  const plan = calm ? noFaults : seededFaults(random, random.pick([0.05, 0.15, 0.35]), tally.faults);
  const pool = [...rivalsOf(base), base, base, ...shapes.filter((shape) => shape.name === 'openCase')];
  const people = Array.from({ length: random.between(1, 4) }, (_, i) => person(ground, tally, plan, pool, i, how));
  await Promise.all([...people, reader(ground)]);
}

/** Somebody who wants a few things done, one after the other, and insists a little. */
async function person(ground: Ground, tally: Tally, plan: FaultPlan, pool: Shape[], i: number, how?: Execute) {
  const { random } = ground;
  await ground.sleep(random.between(0, 200));
  for (let wish = random.between(1, 3); wish > 0; wish--) {
    const { actor, command } = await wanted(ground, random.pick(pool));
    tally.commands++;
    // One key of all, now and then: people share nothing, but a client may reuse its own key by mistake.
    const key = `key-of-person-${random.chance(0.05) ? 'all' : `${i}-${wish}`}`;
    const deliveries = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () =>
      insist(ground, tally, plan, actor, command, key, how),
    );
    await Promise.all(deliveries);
  }
}

/** The same request again and again, each time by another process if need be, until it is answered. */
async function insist(
  ground: Ground,
  tally: Tally,
  plan: FaultPlan,
  actor: Actor,
  command: AnyCommand,
  key: string,
  how?: Execute,
): Promise<void> {
  const { random } = ground;
  for (let round = 0; round < 3; round++) {
    const process = processFor(ground, plan);
    const request = newRequest(ground, actor, command, key);
    if (random.chance(0.2)) request.envelope.timeoutMs = random.pick([0, 1_999, 3_000, 8_000]);
    tally.requests++;
    await ask(ground, process, request, how);
    if (process.dead) tally.deaths++;
    if (request.outcome === 'ok' || (request.outcome === 'fail' && request.answer)) return;
    await ground.sleep(random.between(0, 5_000));
  }
}

function processFor(ground: Ground, plan: FaultPlan): Process {
  const { random } = ground;
  const dies = random.chance(0.12);
  return ground.start(plan, {
    ...(dies && { death: { call: random.between(1, 4), phase: random.pick(deaths) } }),
    skewMs: random.chance(0.2) ? random.between(-600_000, 600_000) : 0,
  });
}

/** The shape's command, often on the version that somebody sees who looks now, and with some variety. */
async function wanted(ground: Ground, { actor, command }: Shape): Promise<{ actor: Actor; command: AnyCommand }> {
  const { random } = ground;
  const varied = { ...command };
  if (command.type === 'addInvestigator') varied['officerId'] = random.pick([dan, rob, sue, cai]).id;
  if (command.type === 'reassignLead') varied['leadOfficerId'] = random.pick([dan, ana, cai]).id;
  if (command.type === 'openCase') {
    varied['externalReference'] = { sourceSystem: 'CRM', value: random.pick(['r-1', 'r-2']) };
    varied['region'] = 'JKT';
    if (random.chance(0.5)) varied['leadOfficerId'] = dan.id;
  }
  if (typeof command['expectedVersion'] !== 'number' || random.chance(0.4)) return { actor, command: varied };
  const { store } = lookingOn(ground);
  const about = 'actionId' in command ? ref.action(c1, a1) : ref.case(c1);
  const [seen] = await readItems<{ version: number }>(store, ground.tenant, [about]).catch(() => []);
  return { actor, command: seen ? { ...varied, expectedVersion: seen.version } : varied };
}

/** Somebody who only reads the case's audit, again and again. */
async function reader(ground: Ground): Promise<void> {
  const { store } = lookingOn(ground);
  for (let i = 0; i < 3; i++) {
    await ground.sleep(ground.random.between(0, 4_000));
    const began = ground.history.tick();
    const seen = await listEvents(store, ground.tenant, { of: 'case', caseId: c1 }, 1_000, true).catch(() => undefined);
    if (!seen) continue; // a busy machine: the real engine did not answer in time
    const commandIds = seen.items.map(({ item }) => item.commandId);
    ground.history.readings.push({ partition: keysOf(ground.tenant).casePartition(c1), began, commandIds });
  }
}

const lookingOn = (ground: Ground) => ({
  store: ground.start(noFaults).storeFor(newRequest(ground, ana, { type: 'none' }, 'somebody-who-only-looks')),
});
