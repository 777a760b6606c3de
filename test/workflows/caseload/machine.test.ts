import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OfficerId } from '../../../domain/ids.ts';
import { ref } from '../../../domain/refs.ts';
import { caseloadOf } from '../../../store/caseload.ts';
import { keysOf } from '../../../store/keys.ts';
import { readItems } from '../../../store/read.ts';
import { finishCaseload } from '../../../workflows/caseload/finishCaseload.ts';
import { scanCaseload } from '../../../workflows/caseload/scanCaseload.ts';
import { demo, done, run, sue, openCase } from '../../store/world.ts';
import { startMachines, type MachineHost } from '../machineHost.ts';
import { startStage, type Stage } from '../stage.ts';
import {
  accepted,
  came,
  changesOfLead,
  hasTask,
  investigates,
  leadOf,
  leads,
  officerAt,
  reviews,
  send,
  somebody,
  standing,
  type Asked,
} from './office.ts';

let stage: Stage;
let host: MachineHost;
beforeAll(async () => {
  stage = await startStage();
  host = await startMachines(stage);
});
afterAll(async () => {
  await host.stop();
  await stage.stop();
});

const world = () => stage.world;
/** Accepts what the preview shows, and has it carried out. */
async function carriedOut(asked: Asked, later: [number, () => Promise<unknown>][] = []) {
  host.together();
  const answer = await send(world(), asked);
  if (answer.kind === 'refused') throw new Error(`refused: ${answer.code}`);
  return go(later);
}
async function go(later: [number, () => Promise<unknown>][] = []) {
  host.together();
  const executions = await host.carryOut('caseload', {}, { later });
  host.together();
  return executions.at(-1)!;
}
const moves = (from: OfficerId, ...to: OfficerId[]) => accepted(stage.store, 'moveCaseload', from, to);
const leaves = (from: OfficerId, ...to: OfficerId[]) => accepted(stage.store, 'deactivateOfficer', from, to);

describe('a caseload', () => {
  it('passes to another: leads, review, membership and task, each once and on behalf of the supervisor', async () => {
    const [from, to] = [await somebody(world()), await somebody(world())];
    const led = await leads(world(), from, 3);
    const [joined, had, reviewed] = [
      await investigates(world(), from),
      await hasTask(world(), from),
      await reviews(world(), from),
    ];
    const asked = await moves(from, to);
    const { status } = await carriedOut(asked);
    expect(status).toBe('SUCCEEDED');
    const after = await standing(stage.store, asked);
    expect(came(after.items)).toEqual([
      ...led.map(() => 'LEAD MOVED'),
      'MEMBERSHIP MOVED',
      'REVIEW MOVED',
      'TASK MOVED',
    ]);
    expect(after).toMatchObject({ status: 'COMPLETED', generation: 1, counts: { moved: 6, gone: 0, refused: 0 } });
    for (const caseId of led)
      expect([await leadOf(stage.store, caseId), await changesOfLead(stage.store, caseId)]).toEqual([to, 1]);
    const [member, task, review] = await readItems<object>(stage.store, demo.id, [
      ref.investigator(joined, to),
      ref.task(had.caseId, had.taskId),
      ref.case(reviewed),
    ]);
    expect(member).toBeDefined();
    expect(task).toMatchObject({ assigneeId: to });
    expect(review).toMatchObject({ review: { reviewerId: to } });
    expect(await caseloadOf(stage.store, demo.id, from)).toEqual([]);
    expect(await officerAt(stage.store, from)).toMatchObject({ state: 'ACTIVE', activeLoad: 0 });
  });

  it('is divided among several, as the preview said', async () => {
    const from = await somebody(world());
    const to = [await somebody(world()), await somebody(world())];
    const led = await leads(world(), from, 12);
    const asked = await moves(from, ...to);
    await carriedOut(asked);
    const leadsNow = await Promise.all(led.map((caseId) => leadOf(stage.store, caseId)));
    const { items } = await standing(stage.store, asked);
    expect(leadsNow).toEqual(led.map((caseId) => items.find((item) => item.caseId === caseId)!.toOfficerId));
    expect(new Set(leadsNow)).toEqual(new Set(to));
  });

  it('answers the run to every repeat, and starts it once', async () => {
    const [from, to] = [await somebody(world()), await somebody(world())];
    await leads(world(), from, 1);
    const asked = await moves(from, to);
    host.together();
    const answers = await Promise.all([send(world(), asked), send(world(), asked), send(world(), asked)]);
    const runs = answers.map((answer) => answer.kind === 'done' && answer.run);
    expect([new Set(runs).size, runs[0]]).toEqual([1, expect.stringMatching(/^caseload-/)]);
    await go();
    expect(await send(world(), asked)).toMatchObject({ kind: 'done', replayed: true });
    expect((await standing(stage.store, asked)).status).toBe('COMPLETED');
  });

  it('is not touched where the officer has other work than was accepted', async () => {
    const [from, to] = [await somebody(world()), await somebody(world())];
    await leads(world(), from, 2);
    const asked = await moves(from, to);
    const [later] = await leads(world(), from, 1);
    await carriedOut(asked);
    expect(await standing(stage.store, asked)).toMatchObject({
      ...{
        status: 'FAILED_FINAL',
        items: [],
        refusal: { code: 'PRECONDITION_FAILED', details: { name: 'PREVIEW_CHANGED' } },
      },
    });
    expect(await leadOf(stage.store, later!)).toBe(from);
    expect(await send(world(), asked)).toMatchObject({ kind: 'refused', code: 'PRECONDITION_FAILED' });
  });

  it('says of what it could not move why, and moves the rest: the other one is at the limit', async () => {
    const [from, to] = [await somebody(world()), await somebody(world(), 2)];
    const led = await leads(world(), from, 4);
    const asked = await moves(from, to);
    await carriedOut(asked);
    const { items, counts, status } = await standing(stage.store, asked);
    expect([status, counts]).toEqual(['COMPLETED', { moved: 2, gone: 0, refused: 2 }]);
    const refused = items.filter((item) => item.status === 'REFUSED');
    expect(refused.map(({ refusal }) => refusal)).toEqual([{ code: 'LIMIT_REACHED' }, { code: 'LIMIT_REACHED' }]);
    for (const { caseId } of refused) expect(await leadOf(stage.store, caseId)).toBe(from);
    expect(await officerAt(stage.store, to)).toMatchObject({ activeLoad: 2 });
    expect(led).toHaveLength(4);
  });

  it('leaves alone what somebody else has by the time it is moved', async () => {
    const [from, to, rival] = [await somebody(world()), await somebody(world()), await somebody(world())];
    const [first] = await leads(world(), from, 2);
    const asked = await moves(from, to);
    host.together();
    await send(world(), asked);
    await scanCaseload({ input: asked.input, execution: 'execution', attempt: 0 }, host.deps);
    await done(world(), sue, {
      ...{ type: 'reassignLead', caseId: first, expectedVersion: 1, expectedLeadOfficerId: from },
      ...{ leadOfficerId: rival, reason: 'at once' },
    });
    await go();
    expect(came((await standing(stage.store, asked)).items)).toEqual(['LEAD GONE', 'LEAD MOVED']);
    expect([await leadOf(stage.store, first!), await changesOfLead(stage.store, first!)]).toEqual([rival, 1]);
  });
});

describe('an officer who leaves', () => {
  it('is LEAVING at once, and INACTIVE when two looks after a minute have found nothing more', async () => {
    const [from, to] = [await somebody(world()), await somebody(world())];
    const led = await leads(world(), from, 2);
    await investigates(world(), from);
    const asked = await leaves(from, to);
    host.together();
    const begun = host.clock.now();
    await send(world(), asked);
    expect(await officerAt(stage.store, from)).toMatchObject({ state: 'LEAVING' });
    const { states } = await go();
    expect(states.filter((state) => state === 'ScanCaseload')).toHaveLength(3);
    expect(host.clock.now() - begun).toBeGreaterThanOrEqual(120_000);
    expect(await officerAt(stage.store, from)).toMatchObject({ state: 'INACTIVE', activeLoad: 0 });
    expect(await standing(stage.store, asked)).toMatchObject({ status: 'COMPLETED', counts: { moved: 3, refused: 0 } });
    for (const caseId of led) expect(await leadOf(stage.store, caseId)).toBe(to);
  });

  it('is given nothing new, and what was on its way is found by a later look', async () => {
    const [from, to] = [await somebody(world()), await somebody(world())];
    await leads(world(), from, 1);
    const asked = await leaves(from, to);
    // Begun before, landed after: as if its transaction had been on its way.
    const { aggregateId: late } = await done(world(), sue, openCase());
    const straggles = async () => {
      await set(from, { state: 'ACTIVE' });
      await done(world(), sue, {
        ...{ type: 'reassignLead', caseId: late, expectedVersion: 1, expectedLeadOfficerId: null },
        ...{ leadOfficerId: from, reason: 'was on its way' },
      });
      await set(from, { state: 'LEAVING' });
    };
    host.together();
    await send(world(), asked);
    const refused = await run(world(), sue, openCase({ leadOfficerId: from }));
    expect(refused).toMatchObject({ kind: 'refused', code: 'PRECONDITION_FAILED' });
    await go([[90_000, straggles]]);
    expect(await standing(stage.store, asked)).toMatchObject({ status: 'COMPLETED', counts: { moved: 2, refused: 0 } });
    expect([await leadOf(stage.store, late as never), (await officerAt(stage.store, from)).state]).toEqual([
      to,
      'INACTIVE',
    ]);
  });

  it('stays LEAVING with what nobody could take over, which is a task for supervisors', async () => {
    const [from, to] = [await somebody(world()), await somebody(world(), 1)];
    await leads(world(), from, 2);
    const asked = await leaves(from, to);
    await carriedOut(asked);
    const { items, counts } = await standing(stage.store, asked);
    expect(counts).toEqual({ moved: 1, gone: 0, refused: 1 });
    expect(await officerAt(stage.store, from)).toMatchObject({ state: 'LEAVING', activeLoad: 1 });
    const { caseId } = items.find(({ status }) => status === 'REFUSED')!;
    const [open] = await readItems(stage.store, demo.id, [ref.openTask(caseId, 'SUPERVISOR', asked.input.commandId)]);
    expect(open).toBeDefined();

    const other = await somebody(world());
    const again = await leaves(from, other);
    await carriedOut(again);
    expect(await officerAt(stage.store, from)).toMatchObject({ state: 'INACTIVE', activeLoad: 0 });
  });

  it('who has nothing is INACTIVE soon', async () => {
    const [from, to] = [await somebody(world()), await somebody(world())];
    await carriedOut(await leaves(from, to));
    expect(await officerAt(stage.store, from)).toMatchObject({ state: 'INACTIVE' });
  });
});

describe('a run that ended badly', () => {
  it('is resumed by its key, moves nothing twice, and the round that it replaced says nothing any more', async () => {
    const [from, to] = [await somebody(world()), await somebody(world())];
    const led = await leads(world(), from, 4);
    const asked = await moves(from, to);
    host.together();
    await send(world(), asked);
    await set(from, { activeLoad: 0 }); // contradicts its rows: no case can be taken from them
    const first = await go();
    await set(from, { activeLoad: 4 });
    expect(first.status).toBe('FAILED');
    expect(await standing(stage.store, asked)).toMatchObject({ status: 'FAILED_RETRYABLE', generation: 1 });

    expect(await send(world(), asked)).toMatchObject({ kind: 'done', replayed: false });
    expect(await standing(stage.store, asked)).toMatchObject({ status: 'IN_PROGRESS', generation: 2 });
    const late = await finishCaseload({ input: asked.input, execution: 'round 1', attempt: 0 }, host.deps);
    expect(late).toEqual({ outcome: 'REPLACED' });
    await go();
    expect(await standing(stage.store, asked)).toMatchObject({
      status: 'COMPLETED',
      generation: 2,
      counts: { moved: 4 },
    });
    for (const caseId of led)
      expect([await leadOf(stage.store, caseId), await changesOfLead(stage.store, caseId)]).toEqual([to, 1]);
  });
});

/** Behind everybody's back. */
const set = (officerId: OfficerId, attributes: Record<string, unknown>) =>
  stage.store.table.write({
    ...{ kind: 'update', key: keysOf(demo.id).of(ref.officer(officerId)) },
    ...{ update: { set: attributes }, when: { is: 'exists' } },
  });
