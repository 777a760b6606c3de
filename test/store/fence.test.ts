import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Busy, OutcomeUnknown } from '../../domain/answer.ts';
import type { AnyCommand, Envelope } from '../../domain/command.ts';
import type { CaseId } from '../../domain/ids.ts';
import { connect } from '../../store/connect.ts';
import { dynamoTable } from '../../store/dynamo.ts';
import { listEvents } from '../../store/lists.ts';
import type { Store } from '../../store/store.ts';
import { answered, cancelled, faultsBefore, type Fault, type Faults } from './faults.ts';
import { onMovedClock } from './time.ts';
import {
  addParty,
  ana,
  demo,
  done,
  newKey,
  openCase,
  registerOfficer,
  run,
  startWorld,
  sue,
  type World,
} from './world.ts';

let world: World;
/** The same table through a client that meets faults. */
let faulty: World;
let faults: Faults;
let clock: ReturnType<typeof onMovedClock>['clock'];
let caseId: string;
beforeAll(async () => {
  world = await startWorld();
  await done(world, sue, registerOfficer('ana'));
});
beforeEach(async () => {
  caseId = (await done(world, ana, openCase({ leadOfficerId: 'ana' }))).aggregateId;
  const clients = connect(world.endpoint);
  faults = faultsBefore(clients.writer);
  const moved = onMovedClock({ ...world.store, table: dynamoTable(clients, world.tableName) }, Date.now());
  clock = moved.clock;
  faulty = { ...world, store: moved.store };
});
afterAll(() => world.stop());

const party = (more: object = {}) => addParty(caseId, { expectedVersion: 1, ...more });
const asked = (command: AnyCommand = party(), more: Partial<Envelope> = {}) => run(faulty, ana, command, more);
const story = async () => {
  const { items } = await listEvents(world.store, demo.id, { of: 'case', caseId: caseId as CaseId }, 100, true);
  return items.map(({ item }) => item.type);
};
/** Somebody else is faster: between our read and our write, once. */
function meanwhile(rival: () => Promise<unknown>, ...then: Fault[]) {
  let first = true;
  faults.next = async (command) => {
    if (command !== 'TransactWriteItemsCommand') return undefined;
    if (first) await rival();
    first = false;
    return then.shift();
  };
}
const conflict: Fault = { answer: cancelled({ Code: 'None' }, { Code: 'TransactionConflict' }, ...none(4)) };
function none(count: number) {
  return Array.from({ length: count }, () => ({ Code: 'None' }));
}
const inProgressUntil = (ms: number) => {
  const until = clock.now() + ms;
  faults.next = (command) => {
    if (clock.now() >= until) return undefined;
    const name =
      command === 'TransactWriteItemsCommand' ? 'TransactionInProgressException' : 'TransactionConflictException';
    return { answer: answered(name, 400) };
  };
};

describe('a command whose answer is lost', () => {
  for (const [what, next] of [
    ['after it was applied', ['lose']],
    ['before it was applied', ['drop']],
    ['again and again', ['drop', 'lose', 'lose', 'drop']],
    ['and the server has a fault', [{ answer: answered('InternalServerError', 500) }, 'lose']],
  ] as [string, Fault[]][])
    it(`is one transition and answers its own result: ${what}`, async () => {
      faults.next = next;
      expect(await asked()).toMatchObject({
        kind: 'done',
        appliedVersion: 2,
        created: { party: expect.any(String) as string },
      });
      expect(await story()).toEqual(['openCase', 'addParty']);
    });

  it('is met with the same bytes under the same token, never with a new plan', async () => {
    const tokens = new Set<unknown>();
    const next: Fault[] = ['lose', 'drop', 'pass'];
    faults.next = (_command, input) => (
      tokens.add((input as { ClientRequestToken: string }).ClientRequestToken),
      next.shift()
    );
    await asked();
    expect(tokens.size).toBe(1);
    expect(faults.sent).toHaveLength(3);
  });

  it('is not refused before its lost request can no longer be applied', async () => {
    let arrive = () => undefined as void;
    const late = new Promise<void>((now) => (arrive = now));
    meanwhile(() => done(world, ana, party({ name: 'PT Lain' })), { late });
    const idempotencyKey = newKey();
    expect(await asked(party(), { idempotencyKey })).toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(faults.sent.at(-1)).toBe('PutItemCommand');
    arrive();
    expect(await asked(party(), { idempotencyKey })).toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(await story()).toEqual(['openCase', 'addParty']);
    expect(await asked(party({ expectedVersion: 2 }), { idempotencyKey })).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('is refused all the same when the answer to that precaution is lost, too', async () => {
    const next: Fault[] = ['drop', 'pass', 'lose'];
    let rival: Promise<unknown> | undefined;
    faults.next = async () => (await (rival ??= done(world, ana, party({ name: 'PT Lain' }))), next.shift());
    expect(await asked()).toMatchObject({ code: 'VERSION_CONFLICT' });
  });

  it('is unknown, and never refused, where that precaution does not succeed in time', async () => {
    meanwhile(() => done(world, ana, party({ name: 'PT Lain' })), 'drop');
    const before = faults.next as (command: string, input: object) => Promise<Fault | undefined>;
    faults.next = async (command, input) => (command === 'PutItemCommand' ? 'drop' : before(command, input));
    await expect(asked()).rejects.toThrow(OutcomeUnknown);
  });

  it('is done once by a repeat with its key, whether its process died before or after the commit', async () => {
    for (const [fault, replayed] of [
      ['drop', false],
      ['lose', true],
    ] as const) {
      const idempotencyKey = newKey();
      const { aggregateId } = await done(world, ana, openCase({ leadOfficerId: 'ana' }));
      const command = addParty(aggregateId, { expectedVersion: 1 });
      const next: Fault[] = [fault];
      faults.next = () => next.shift() ?? 'drop'; // from then on nothing of this process arrives
      await expect(asked(command, { idempotencyKey, timeoutMs: 4_000 })).rejects.toThrow(OutcomeUnknown);
      faults.next = [];
      expect(await asked(command, { idempotencyKey })).toMatchObject({ kind: 'done', replayed });
    }
  });
});

describe('a command that the database holds up', () => {
  it('is sent again after conflicts, which the SDK never does, and is one transition', async () => {
    faults.next = [conflict, conflict, conflict];
    expect(await asked(party(), { timeoutMs: 5_000 })).toMatchObject({ kind: 'done', appliedVersion: 2 });
    expect(faults.sent).toHaveLength(4);
    expect(await story()).toEqual(['openCase', 'addParty']);
  });

  it('waits with full jitter, so that rivals do not meet again', async () => {
    const pauses = new Set<number>();
    for (let seed = 0; seed < 20; seed++) {
      const sleep: Store['sleep'] = (ms) => Promise.resolve(void pauses.add(Math.round(ms * 1_000)));
      const store = { ...faulty.store, sleep, random: () => (seed + 1) / 21 };
      faults.next = [conflict];
      await done({ ...faulty, store }, sue, registerOfficer(`officer-${seed}-${caseId}`));
    }
    expect(pauses.size).toBe(20);
  });

  it('waits for throttles, and reads and decides again for a failed premise', async () => {
    faults.next = [
      { answer: cancelled({ Code: 'ThrottlingError' }, ...none(5)) },
      { answer: cancelled({ Code: 'None' }, { Code: 'ConditionalCheckFailed' }, ...none(4)) },
    ];
    expect(await asked()).toMatchObject({ kind: 'done', appliedVersion: 2 });
    expect(faults.sent).toHaveLength(3);
  });

  it('is not done, and says so, when rivals win until its tries are used up', async () => {
    faults.next = () => conflict;
    await expect(asked()).rejects.toMatchObject({ name: 'Busy', reason: 'CONTENTION' });
    expect(faults.sent).toHaveLength(20);
  });

  it('waits past five seconds for a transaction in progress, and is unknown where its deadline does not', async () => {
    inProgressUntil(5_100);
    expect(await asked(party(), { timeoutMs: 8_000 })).toMatchObject({ kind: 'done', appliedVersion: 2 });
    inProgressUntil(60_000);
    await expect(asked(party({ expectedVersion: 2 }), { timeoutMs: 3_000 })).rejects.toThrow(OutcomeUnknown);
  });

  it('is not even begun with a deadline that has been reached', async () => {
    await expect(asked(party(), { timeoutMs: 0 })).rejects.toThrow(Busy);
    expect(faults.sent).toHaveLength(0);
  });
});

describe('a key', () => {
  const one = openCase({ title: 'One' });
  const two = openCase({ title: 'Two' });
  const reused = { code: 'IDEMPOTENCY_KEY_REUSED' };

  it('that was used for another request is refused on every path', async () => {
    const idempotencyKey = newKey();
    await done(world, ana, one, { idempotencyKey });
    expect(await asked(two, { idempotencyKey })).toMatchObject(reused);

    for (const then of [[], ['drop']] as Fault[][]) {
      const raced = newKey();
      meanwhile(() => done(world, ana, one, { idempotencyKey: raced }), ...then);
      expect(await asked(two, { idempotencyKey: raced })).toMatchObject(reused);
    }
  });

  it('of one tenant means nothing in another', async () => {
    const idempotencyKey = newKey();
    const first = await done(world, sue, registerOfficer('kim'), { idempotencyKey });
    const other = { idempotencyKey, tenant: 'other' as typeof demo.id };
    await world.store.table.write({
      kind: 'put',
      key: { pk: 'T#other#TENANT', sk: 'META' },
      item: { itemType: 'Tenant', ...demo, id: 'other' },
      when: { is: 'absent' },
    });
    expect(await done(world, sue, registerOfficer('kim'), other)).toMatchObject({ replayed: false });
    expect(await done(world, sue, registerOfficer('kim'), { idempotencyKey })).toMatchObject({
      ...first,
      replayed: true,
      current: expect.anything() as unknown,
    });
  });

  it('whose record has expired but is still there counts as unused; it expires in whole seconds', async () => {
    await done(world, sue, registerOfficer(`rob-${caseId}`));
    await done(world, sue, registerOfficer(`tim-${caseId}`));
    const add = (who: string) => ({ type: 'addInvestigator', caseId, officerId: `${who}-${caseId}` });
    const idempotencyKey = newKey();
    let stored: number | undefined;
    faults.next = (_command, input) => {
      const { TransactItems = [] } = input as { TransactItems?: { Put?: { Item: { expiresAt?: { N: string } } } }[] };
      stored ??= Number(TransactItems[0]?.Put?.Item.expiresAt?.N);
      return undefined;
    };
    expect(await asked(add('rob'), { idempotencyKey })).toMatchObject({ kind: 'done' });
    expect(stored).toSatisfy((seconds: number) => Number.isInteger(seconds) && seconds > 1e9 && seconds < 1e10);
    expect(await asked(add('tim'), { idempotencyKey })).toMatchObject(reused);
    clock.move(30 * 24 * 3_600_000 + 1_000);
    expect(await asked(add('tim'), { idempotencyKey })).toMatchObject({ kind: 'done', replayed: false });
  });
});
