import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Case } from '../../domain/case/case.ts';
import type { CaseId, OfficerId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { chainFaults } from '../../store/audit.ts';
import { commandIdOf } from '../../store/identity.ts';
import { keysOf } from '../../store/keys.ts';
import { listEvents, listLoads } from '../../store/lists.ts';
import { readItems } from '../../store/read.ts';
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
beforeAll(async () => {
  world = await startWorld();
  await done(world, sue, registerOfficer('ana'));
});
afterAll(() => world.stop());

const fifty = <T>(work: (i: number) => Promise<T>) => Promise.all(Array.from({ length: 50 }, (_, i) => work(i)));

const storedCase = async (id: string) => {
  const [found] = await readItems(world.store, demo.id, [ref.case(id as CaseId)]);
  return found as Case;
};

const story = async (id: string) => {
  const page = await listEvents(world.store, demo.id, { of: 'case', caseId: id as CaseId }, 1000, true);
  return page.items.map(({ item }) => item);
};

/** What is kept of a key: nothing that a replay does may touch it. */
const recordOf = async (key: string) => {
  const [record] = await world.store.table.batchGet([keysOf(demo.id).command(commandIdOf(demo.id, ana.id, key))]);
  return record;
};

describe('execute', () => {
  it('opens a case with its number, reference, guard and first event, in three round trips', async () => {
    world.calls.reset();
    const opened = await done(world, ana, openCase({ externalReference: { sourceSystem: 'CRM', value: 'r-1' } }));
    expect(world.calls.count).toBe(3);
    const stored = await storedCase(opened.aggregateId);
    expect(stored.number).toMatch(/^\d{4}-\d{6}$/);
    expect(stored).toMatchObject({ status: 'OPEN', version: 1, auditSeq: 1, lastOrderedSeq: 1 });
    expect(opened.current).toEqual(stored);
    const [guard] = await readItems(world.store, demo.id, [ref.investigatorGuard(opened.aggregateId as CaseId)]);
    expect(guard).toEqual({ activeCount: 0 });
  });

  it('needs two round trips for a change, one for its replay and two for a refusal', async () => {
    const { aggregateId } = await done(world, ana, openCase({ leadOfficerId: 'ana' }));
    const key = newKey();
    world.calls.reset();
    const first = await done(world, ana, addParty(aggregateId, { expectedVersion: 1 }), { idempotencyKey: key });
    expect(world.calls.count).toBe(2);
    const recorded = await recordOf(key);
    expect(recorded!['requestHash']).toMatch(/^[0-9a-f]{64}$/);
    world.calls.reset();
    const again = await done(world, ana, addParty(aggregateId, { expectedVersion: 1 }), { idempotencyKey: key });
    expect(world.calls.count).toBe(1);
    expect(again).toMatchObject({ replayed: true, appliedVersion: first.appliedVersion, created: first.created });
    expect(await recordOf(key)).toEqual(recorded);
    world.calls.reset();
    const stale = await run(world, ana, addParty(aggregateId, { expectedVersion: 1 }));
    expect(world.calls.count).toBe(2);
    expect(stale).toMatchObject({
      kind: 'refused',
      code: 'VERSION_CONFLICT',
      details: { expected: 1, actual: 2, changedFields: ['parties'] },
    });
  });

  it('refuses a key that was used for another request, and lets another actor use it', async () => {
    const key = newKey();
    await done(world, ana, openCase({ title: 'One' }), { idempotencyKey: key });
    expect(await run(world, ana, openCase({ title: 'Two' }), { idempotencyKey: key })).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await run(world, sue, openCase({ title: 'Two' }), { idempotencyKey: key })).toMatchObject({ kind: 'done' });
  });

  it('opens one case for fifty parallel requests with one reference, and tells the others who holds it', async () => {
    const externalReference = { sourceSystem: 'REG', value: 'REG-2026-0001' };
    const answers = await fifty(() => run(world, ana, openCase({ externalReference })));
    const winners = answers.filter((answer) => answer.kind === 'done');
    expect(winners).toHaveLength(1);
    for (const answer of answers)
      if (answer.kind === 'refused')
        expect(answer).toMatchObject({ code: 'UNIQUE_VIOLATION', details: { holder: winners[0]!.aggregateId } });
  });

  it('answers fifty parallel repeats of one key with one transition', async () => {
    const { aggregateId } = await done(world, ana, openCase({ leadOfficerId: 'ana' }));
    const idempotencyKey = newKey();
    const answers = await fifty(() =>
      done(world, ana, addParty(aggregateId, { expectedVersion: 1 }), { idempotencyKey }),
    );
    const results = answers.map(({ aggregateType, aggregateId, appliedVersion, created }) =>
      JSON.stringify({ aggregateType, aggregateId, appliedVersion, created }),
    );
    expect(new Set(results).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect((await story(aggregateId)).map((event) => event.type)).toEqual(['openCase', 'addParty']);
  });

  it('lets two of fifty parallel cases go to an officer with room for two, and the load rows agree', async () => {
    await done(world, sue, registerOfficer('rob', { maxLoad: 2 }));
    const answers = await fifty(() => run(world, sue, openCase({ leadOfficerId: 'rob' })));
    const won = answers.flatMap((answer) => (answer.kind === 'done' ? [answer.aggregateId] : []));
    expect(won).toHaveLength(2);
    for (const answer of answers)
      if (answer.kind === 'refused')
        expect(answer).toMatchObject({ code: 'LIMIT_REACHED', details: { limit: 2, count: 2 } });
    const loads = await listLoads(world.store, demo.id, 'rob' as OfficerId, 100);
    expect(loads.items.map(({ item }) => item.caseId).sort()).toEqual(won.sort());
  });

  it('keeps an audit chain that verifies, and does not with one byte changed', async () => {
    const { aggregateId } = await done(world, ana, openCase({ leadOfficerId: 'ana' }));
    await done(world, ana, addParty(aggregateId, { expectedVersion: 1 }));
    const head = await storedCase(aggregateId);
    const events = await story(aggregateId);
    expect(chainFaults(events, head)).toEqual([]);
    const altered = events.map((event) => (event.seq === 1 ? { ...event, actor: 'anb' } : event));
    expect(chainFaults(altered, head)).toEqual([
      { seq: 1, code: 'ALTERED', fault: 'altered: the hash does not match' },
    ]);
  });
});
