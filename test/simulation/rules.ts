import type { OfficerId } from '../../domain/ids.ts';
import type { CommandRecord } from '../../store/record.ts';
import { attemptsOf, policy } from '../../store/attempts.ts';
import { keysOf } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';
import type { Plan } from '../../store/writes.ts';
import type { Item, Table } from '../../store/table-port.ts';
import { answered, answerLost } from '../store/faults.ts';
import { ask, newRequest } from './client.ts';
import { noFaults } from './faultPlan.ts';
import type { Request } from './history.ts';
import { shapes } from './shapes.ts';
import { simulation, type Between, type Simulation } from './simulatedGround.ts';

/** Single rules of commands.md §3-6, each played once: what it is for in its name, and whether it held. */
type Rule = { says: string; holds: (between: Between) => Promise<boolean> };

const addInvestigator = shapes.find(({ name }) => name === 'addInvestigator')!;
const addParty = shapes.find(({ name }) => name === 'addParty')!;
const key = 'a-key-of-sixteen-or-more';

export async function rulesBroken(between: Between = (table) => table): Promise<[says: string, fault: string][]> {
  const broken: [string, string][] = [];
  for (const { says, holds } of rules) {
    const held = await holds(between).catch((error: unknown) => (error as Error).message);
    if (held !== true) broken.push([says, held === false ? 'does not hold' : held]);
  }
  return broken;
}

export const rules: readonly Rule[] = [
  {
    says: 'an ambiguous answer is met with the same bytes under the same token',
    holds: async (between) => {
      const tokens: string[] = [];
      let first = true;
      const losing: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: async (writes, token) => {
          tokens.push(token);
          if (first) throw ((first = false), answerLost());
          await between(table, request).transactWrite(writes, token);
        },
      });
      const { request } = await play(losing);
      return request.outcome === 'ok' && tokens.length === 2 && tokens[0] === tokens[1];
    },
  },
  {
    says: 'a transaction in progress is asked for past five seconds',
    holds: async (between) => {
      let until = 0;
      const busy: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: (writes, token) => {
          until ||= world!.ground.now() + 5_100;
          if (world!.ground.now() < until) throw answered('TransactionInProgressException', 400);
          return between(table, request).transactWrite(writes, token);
        },
      });
      let world: Simulation | undefined;
      const { request } = await play(busy, { timeoutMs: 7_600, begun: (begun) => (world = begun) });
      return request.outcome === 'ok';
    },
  },
  {
    says: 'a repeat that reads while its first send commits is not refused',
    holds: async (between) => {
      // The batch read is torn: no record yet, but the state that the record's own transaction made.
      const finding = shapes.find(({ name }) => name === 'setContraventionFinding')!; // creates nothing that names it
      let first = true;
      const torn: Between = (table, request) => ({
        ...between(table, request),
        batchGet: async (keys) => {
          if (!first) return table.batchGet(keys);
          first = false;
          const [record] = await table.batchGet(keys.slice(0, 1));
          await ask(
            world!.ground,
            world!.ground.start(noFaults),
            newRequest(world!.ground, finding.actor, finding.command, key),
          );
          return [record, ...(await table.batchGet(keys.slice(1)))];
        },
      });
      let world: Simulation | undefined;
      const { request } = await play(torn, { shape: finding, begun: (begun) => (world = begun) });
      return request.answer?.kind === 'done' && request.answer.replayed;
    },
  },
  {
    says: 'a run in progress is answered with its handle',
    holds: async (between) => {
      const { request } = await play(between, { record: { status: 'IN_PROGRESS', executionName: 'run-1', result } });
      return request.answer?.kind === 'done' && request.answer.run === 'run-1' && request.answer.replayed;
    },
  },
  {
    says: 'a final failure is answered with its refusal',
    holds: async (between) => {
      const refusal = { kind: 'refused', code: 'HOLD_ACTIVE', message: 'held', details: {} } as const;
      const { request } = await play(between, { record: { status: 'FAILED_FINAL', refusal } });
      return request.answer?.kind === 'refused' && request.answer.code === 'HOLD_ACTIVE';
    },
  },
  {
    says: 'a failure that may be retried is resumed, with its generation raised',
    holds: async (between) => {
      const { request, stored } = await play(between, { record: { status: 'FAILED_RETRYABLE', generation: 4 } });
      const record = stored.find(({ sk }) => sk === 'COMMAND');
      return request.outcome === 'ok' && record?.['generation'] === 5 && record['status'] === 'COMPLETED';
    },
  },
  {
    says: 'a run that ends while it is taken up again is not replaced',
    holds: async (between) => {
      // A redrive completes the round that was read as failed: its generation stays, its status does not.
      let world: Simulation | undefined;
      const ending: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: (writes, token) => {
          const record = { status: 'COMPLETED', generation: 4, requestHash: hash, expiresAt: 4e9, result } as const;
          world!.table.put(...recordOf(world!.ground, request, record));
          return between(table, request).transactWrite(writes, token);
        },
      });
      const hash = await hashOf(addParty);
      const begun = (begun: Simulation) => void (world = begun);
      const { request } = await play(ending, { record: { status: 'FAILED_RETRYABLE', generation: 4 }, begun });
      return request.answer?.kind === 'done' && request.answer.replayed;
    },
  },
  {
    says: 'the last attempt is made at the last moment that leaves time for a fence',
    holds: async () => {
      let at = 0;
      const sleep = (ms: number) => Promise.resolve(void (at += ms));
      const store = { now: () => at, monotonic: () => at, random: () => 0.999, sleep } as unknown as Store;
      const attempts = attemptsOf(store, policy.attempt + policy.reservedForFence + 500);
      for (let i = 0; i < 5; i++) await attempts.pause('IN_PROGRESS');
      return Math.round(at) === 500 && !attempts.mayTry();
    },
  },
  {
    says: 'a table that contradicts itself is an alarm after a second read, and neither a conflict nor a success',
    holds: async (between) => {
      const stray = { pk: keysOf('t1' as never).casePartition('c1' as never), sk: 'EVENT#0000000001', stray: true };
      const { request, stored } = await play(between, { items: [stray] });
      return request.error?.name === 'InvariantBreach' && stored.some((item) => item['stray'] === true);
    },
  },
  {
    says: 'a token known with other bytes is answered by the record',
    holds: async (between) => {
      const mismatched: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: async (writes, token) => {
          await between(table, request).transactWrite(writes, token);
          throw answered('IdempotentParameterMismatchException', 400);
        },
      });
      const { request } = await play(mismatched);
      return request.answer?.kind === 'done' && request.answer.replayed;
    },
  },
  {
    says: 'a token is not used again nine minutes after its first use',
    holds: () => {
      let at = 0;
      const store = { now: () => 0, monotonic: () => at } as unknown as Store;
      const attempts = attemptsOf(store, undefined);
      const plan = { token: 'one', generation: 0 } as Plan;
      const before = attempts.mayResend(plan);
      at = policy.tokenLife + 1;
      return Promise.resolve(before && !attempts.mayResend(plan));
    },
  },
  {
    says: 'a deadline of zero has been reached',
    holds: async (between) => {
      let calls = 0;
      const counting: Between = (table, request) => counted(between(table, request), () => calls++);
      const { request } = await play(counting, { timeoutMs: 0 });
      return request.error?.name === 'Busy' && calls === 0;
    },
  },
  {
    says: 'a request whose lost send may still land is not refused, and may be sent again',
    holds: async (between) => {
      // The first send is lost and lands late. Meanwhile the officer leaves, so the command is refused; then she is back.
      let world: Simulation | undefined;
      let first = true;
      const late: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: async (writes, token) => {
          if (!first) return between(table, request).transactWrite(writes, token);
          first = false;
          const lands = () => between(table, request).transactWrite(writes, token);
          void world!.ground
            .sleep(6_000)
            .then(lands)
            .catch(() => undefined);
          officerIs(world!, 'LEAVING');
          throw answerLost();
        },
      });
      const again = newRequestOnce();
      const { request, committed } = await play(late, {
        shape: addInvestigator,
        begun: (begun) => (world = begun),
        afterwards: async ({ ground }) => {
          officerIs(world!, 'ACTIVE');
          await ground.sleep(20_000);
          await ask(ground, ground.start(noFaults), again(ground));
        },
      });
      const reused = again.answer()?.kind === 'refused';
      return request.outcome === 'fail' && !committed && !reused;
    },
  },
  {
    says: 'what was done is told, even by a request whose time is up',
    holds: async (between) => {
      const losing: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: async (writes, token) => {
          await between(table, request).transactWrite(writes, token);
          throw answerLost();
        },
      });
      const { request } = await play(losing, { timeoutMs: policy.attempt + policy.reservedForFence + 200 });
      return request.answer?.kind === 'done';
    },
  },
  {
    says: 'a record that has expired and is still there counts as absent; records expire in whole seconds',
    holds: async (between) => {
      const record = { status: 'COMPLETED', requestHash: 'of another request', expiresAt: 1e9, result } as const;
      const { request, stored } = await play(between, { record });
      const expiresAt = stored.find(({ sk }) => sk === 'COMMAND')?.['expiresAt'] as number;
      return request.outcome === 'ok' && Number.isInteger(expiresAt) && expiresAt > 1e9 && expiresAt < 1e10;
    },
  },
];

const result = { aggregateType: 'Case', aggregateId: 'c1', appliedVersion: 6, created: {} } as const;

type Played = {
  timeoutMs?: number;
  record?: Partial<CommandRecord>;
  items?: Item[];
  shape?: typeof addParty;
  begun?: (world: Simulation) => void;
  /** What happens once it is answered. */
  afterwards?: (world: Simulation) => Promise<void>;
};

async function play(
  between: Between,
  { timeoutMs, record, items = [], shape = addParty, begun, afterwards }: Played = {},
) {
  const world = simulation(
    1,
    { reasons: () => 'complete', oldImages: () => true, ttl: 'never', tornReads: false },
    between,
  );
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

const recordOf = (ground: Simulation['ground'], { commandId }: Request, record: object): [Item, Item] => {
  const at = keysOf(ground.tenant).command(commandId);
  return [at as Item, { ...record, ...at } as Item];
};

/** The hash that the request will have: what a clean run stores. */
async function hashOf(shape: typeof addParty): Promise<string> {
  const { ground, scheduler } = simulation(1);
  await ground.load(shape.prepared(ground.tenant));
  const request = newRequest(ground, shape.actor, shape.command, key);
  await Promise.all([ask(ground, ground.start(noFaults), request), scheduler.run()]);
  const record = (await ground.dump()).find(({ sk }) => sk === 'COMMAND');
  return record?.['requestHash'] as string;
}

/** The officer whom addInvestigator names, on the leave or back. */
function officerIs({ ground, table }: Simulation, state: string): void {
  const key = keysOf(ground.tenant).of({ of: 'officer', officerId: addInvestigator.command['officerId'] as OfficerId });
  const officer = table.dump().find(({ pk, sk }) => pk === key.pk && sk === key.sk)!;
  table.put(key, { ...officer, state });
}

/** A repeat of the request for addInvestigator, and what it was told. */
function newRequestOnce() {
  let request: Request | undefined;
  const make = (ground: Simulation['ground']) =>
    (request = newRequest(ground, addInvestigator.actor, addInvestigator.command, key));
  return Object.assign(make, { answer: () => request?.answer });
}

const counted = (table: Table, count: () => void): Table => ({
  batchGet: (keys) => (count(), table.batchGet(keys)),
  transactWrite: (writes, token) => (count(), table.transactWrite(writes, token)),
  query: (asked) => (count(), table.query(asked)),
  write: (write) => (count(), table.write(write)),
});
