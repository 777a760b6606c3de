import { execute } from '../../store/execute.ts';
import { ask, newRequest } from './client.ts';
import { faultsIn } from './checks.ts';
import { faultKinds, noFaults, type FaultKind, type FaultPlan } from './faultPlan.ts';
import { deaths, type Death } from './process.ts';
import { shapes, type Shape } from './shapes.ts';
import { simulation, type Between, type Simulation } from './simulatedGround.ts';
import type { Nature } from './simulatedTable.ts';

/** What else is sent with the key, when, and by whom. */
export const duplicates = [
  'none',
  'sequential',
  'two at once, one process',
  'two at once, two processes',
  'twenty at once',
  'after the record expired',
  'after the record expired and was deleted',
  'another payload',
  'another tenant',
] as const;
export type Duplicates = (typeof duplicates)[number];

/** One case of the full product. */
export type CrashCase = {
  shape: Shape;
  trouble: Death | { call: number; fault: FaultKind } | undefined;
  duplicates: Duplicates;
};

/** Every shape, dying or meeting every fault at every call of its clean run, beside every kind of duplicate. */
export async function* crashCases(of: readonly Shape[] = shapes): AsyncGenerator<CrashCase> {
  for (const shape of of) {
    const calls = await callsOf(shape);
    for (const duplicate of duplicates) {
      yield { shape, trouble: undefined, duplicates: duplicate };
      for (let call = 1; call <= calls; call++) {
        for (const phase of deaths) yield { shape, trouble: { call, phase }, duplicates: duplicate };
        for (const fault of faultKinds) yield { shape, trouble: { call, fault }, duplicates: duplicate };
      }
    }
  }
}

export const nameOf = ({ shape, trouble, duplicates }: CrashCase) =>
  [
    shape.name,
    !trouble
      ? 'clean'
      : 'phase' in trouble
        ? `dies ${trouble.phase} call ${trouble.call}`
        : `${trouble.fault} at call ${trouble.call}`,
    duplicates,
  ].join(' / ');

const calm: Partial<Nature> = { reasons: () => 'complete', oldImages: () => true, ttl: 'never', tornReads: false };

async function callsOf(shape: Shape): Promise<number> {
  const { ground, scheduler } = simulation(1, calm);
  await ground.load(shape.prepared(ground.tenant));
  const process = ground.start(noFaults);
  const request = newRequest(ground, shape.actor, shape.command, 'clean-run-key-0000');
  const ended = execute(process.storeFor(request), request.envelope, request.command);
  await scheduler.run();
  const answer = await ended;
  if (answer.kind !== 'done')
    throw new Error(`${shape.name} is not on its happy path: ${answer.code} ${answer.message}`);
  return process.calls;
}

/** Plays one case and answers what is wrong afterwards. */
export async function faultsOfCase(crash: CrashCase, seed = 1, between?: Between): Promise<string[]> {
  const { trouble, duplicates: kind } = crash;
  const ttl = kind === 'after the record expired and was deleted' ? 'early' : 'never';
  const world = simulation(seed, { ...calm, ttl }, between);
  const { ground, scheduler } = world;
  await ground.load(crash.shape.prepared(ground.tenant));
  const story = play(crash, world);
  await scheduler.run();
  await story;
  const faults = faultsIn(ground.history, await ground.dump());
  const definite = ground.history.requests.filter(({ outcome }) => outcome === 'ok' || outcome === 'fail');
  if ((kind !== 'none' || !trouble) && definite.length === 0) faults.push('nobody got an answer');
  if (!trouble) for (const { error } of ground.history.requests) if (error) faults.push(`${error.name} for no reason`);
  if (scheduler.waiting() > 0) faults.push('I10 somebody still waits');
  return faults;
}

async function play({ shape, trouble, duplicates: kind }: CrashCase, { ground }: Simulation): Promise<void> {
  const key = 'the-one-key-of-it-all';
  const plan: FaultPlan = trouble && 'fault' in trouble ? onceAt(trouble.call, trouble.fault) : noFaults;
  const death = trouble && 'phase' in trouble ? trouble : undefined;
  const process = ground.start(plan, { death });
  const send = (by = ground.start(noFaults), command = shape.command, tenant = ground.tenant) =>
    ask({ ...ground, tenant }, by, newRequest({ ...ground, tenant }, shape.actor, command, key));
  const first = send(process);
  switch (kind) {
    case 'none':
      return first;
    case 'sequential':
      await first;
      return send();
    case 'two at once, one process':
      return void (await Promise.all([first, send(process.dead ? undefined : process)]), await send());
    case 'two at once, two processes':
      return void (await Promise.all([first, send()]));
    case 'twenty at once':
      return void (await Promise.all([first, ...Array.from({ length: 19 }, () => send())]));
    case 'after the record expired':
    case 'after the record expired and was deleted':
      await first;
      await ground.sleep(30 * 24 * 3_600_000 + 60_000);
      return send();
    case 'another payload':
      await Promise.all([first, send(undefined, { ...shape.command, note: 'another' })]);
      return send();
    case 'another tenant':
      return void (await Promise.all([
        first,
        send(undefined, shape.command, `${ground.tenant}x` as typeof ground.tenant),
      ]));
  }
}

function onceAt(call: number, kind: FaultKind): FaultPlan {
  let n = 0;
  return () => (++n === call ? { kind, delay: 2_500 } : undefined);
}
