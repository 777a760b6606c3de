import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyCommand } from '../../domain/command.ts';
import { always } from '../../domain/condition.ts';
import type { CaseId, OfficerId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { isOpenTask, type OpenTask, type Task } from '../../domain/task/task.ts';
import { keysOf } from '../../store/keys.ts';
import { listChildren, listTasks } from '../../store/lists.ts';
import { readItems } from '../../store/read.ts';
import { addParty, ana, asActor, demo, done, openCase, registerOfficer, run, startWorld, sue } from './world.ts';
import type { World } from './world.ts';

let world: World;
let original: string;
beforeAll(async () => {
  world = await startWorld();
  for (const officer of ['ana', 'dan', 'eve']) await done(world, sue, registerOfficer(officer, { maxLoad: 999 }));
  original = (await done(world, sue, openCase())).aggregateId;
});
afterAll(() => world.stop());

const dan = asActor('dan', 'CASE_OFFICER');
const createTask = (caseId: string, more: object = {}): AnyCommand => ({
  ...{ type: 'createTask', caseId, taskType: 'GENERAL', title: 'Visit' },
  ...more,
});
const read = async (caseId: string) => (await readItems(world.store, demo.id, [ref.case(caseId as CaseId)]))[0]!;
async function children<T>(caseId: string, kind: 'task' | 'openTask'): Promise<T[]> {
  const { items } = await listChildren<T>(world.store, demo.id, caseId as CaseId, kind, 100);
  return items.map(({ item }) => item);
}

/** A case that can be closed: it is linked as a duplicate of one that is live. */
async function closable() {
  const { aggregateId: caseId } = await done(world, sue, openCase({ leadOfficerId: 'ana' }));
  await done(world, sue, { type: 'linkCases', caseId, otherCaseId: original, nature: 'DUPLICATE_OF' });
  const closing = { ...{ type: 'closeCaseAsDuplicate', caseId, expectedVersion: 1 }, duplicateOfCaseId: original };
  return { caseId, closing: { ...closing, reason: 'reported twice' } as AnyCommand };
}

/** Keys, counts and tasks say the same. */
async function agreed(caseId: string): Promise<number> {
  const [current, tasks, keys] = await Promise.all([
    read(caseId),
    children<Task>(caseId, 'task'),
    children<OpenTask>(caseId, 'openTask'),
  ]);
  const open = tasks.filter(isOpenTask);
  expect(keys.map(({ taskId }) => taskId).sort()).toEqual(open.map(({ id }) => id).sort());
  expect(current.openTasks).toBe(open.length);
  expect(current.openBlockingReview).toBe(open.filter(({ blocks }) => blocks === 'REVIEW').length);
  expect(current.openBlockingClose).toBe(open.filter(({ blocks }) => blocks === 'CLOSE').length);
  return open.length;
}

describe('creating a task against closing the case', () => {
  it(
    'fifty times leaves no closed case with an open task, and no task that nobody was told of',
    { timeout: 60_000 },
    async () => {
      const outcomes = new Set<string>();
      for (let i = 0; i < 50; i++) {
        const { caseId, closing } = await closable();
        const blocks = i % 2 ? { blocks: 'CLOSE' } : {};
        const [created, closed] = await Promise.all([
          run(world, ana, createTask(caseId, blocks)),
          i % 3 ? run(world, sue, closing) : world.store.sleep(i % 7).then(() => run(world, sue, closing)),
        ]);
        const { status } = await read(caseId);
        expect(status).toBe(closed.kind === 'done' ? 'CLOSED' : 'OPEN');
        const open = await agreed(caseId);
        if (status === 'CLOSED') expect(open).toBe(0);
        else expect(open).toBe(2); // the triage, and the task that closing waits for
        const tasks = await children<Task>(caseId, 'task');
        expect(tasks).toHaveLength(created.kind === 'done' ? 2 : 1);
        outcomes.add(`${created.kind} ${closed.kind}`);
      }
      expect([...outcomes].every((pair) => pair !== 'refused refused')).toBe(true);
    },
  );
});

describe('a case with forty open tasks', () => {
  it(
    'takes no more, and is closed in one transaction, after which no list holds any of them',
    { timeout: 60_000 },
    async () => {
      const { caseId, closing } = await closable();
      for (let i = 1; i < 40; i++)
        await done(world, ana, createTask(caseId, { origin: `o-${i}`, assigneeId: 'eve', teamId: 'MANY' }));
      expect(await run(world, ana, createTask(caseId))).toMatchObject({
        code: 'LIMIT_REACHED',
        details: { limit: 40 },
      });
      expect(await agreed(caseId)).toBe(40);

      world.calls.reset();
      await done(world, sue, closing);
      expect(world.calls.count).toBe(4); // record and read set; lead beside the tasks' keys; one transaction
      expect(await agreed(caseId)).toBe(0);
      for (const inbox of [
        { of: 'officer', value: 'eve' },
        { of: 'team', value: 'MANY' },
      ] as const) {
        const found = await listTasks(world.store, demo.id, { ...inbox, dueBefore: undefined }, 100);
        expect(found.items).toEqual([]);
      }
      expect((await children<Task>(caseId, 'task')).every(({ status }) => status === 'CANCELLED')).toBe(true);
    },
  );

  it('passes from one lead to another with all of them', { timeout: 60_000 }, async () => {
    const { caseId } = await closable();
    for (let i = 1; i < 40; i++) await done(world, ana, createTask(caseId, { origin: `o-${i}`, assigneeId: 'ana' }));
    const passing = { expectedVersion: 1, expectedLeadOfficerId: 'ana', leadOfficerId: 'dan', reason: 'leave' };
    await done(world, sue, { type: 'reassignLead', caseId, ...passing });
    expect(await agreed(caseId)).toBe(40);
    const found = await listTasks(world.store, demo.id, { of: 'officer', value: 'dan', dueBefore: undefined }, 100);
    expect(found.items.filter(({ item }) => item.caseId === caseId)).toHaveLength(40);
    const before = await listTasks(world.store, demo.id, { of: 'officer', value: 'ana', dueBefore: undefined }, 100);
    expect(before.items.filter(({ item }) => item.caseId === caseId)).toEqual([]);
  });
});

describe('one task', () => {
  it('is made once, of whatever fifty make at the same time', async () => {
    const { caseId } = await closable();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => run(world, ana, createTask(caseId, { origin: 'same' }))),
    );
    expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1);
    expect(answers.every((answer) => answer.kind === 'done' || answer.code === 'NO_CHANGE')).toBe(true);
    expect(await agreed(caseId)).toBe(2);
  });

  it('is done once, whoever says so at the same time', async () => {
    const { caseId } = await closable();
    const { created } = await done(world, ana, createTask(caseId, { assigneeId: 'dan' }));
    const complete: AnyCommand = { type: 'completeTask', caseId, taskId: created['task'], expectedVersion: 1 };
    const answers = await Promise.all([dan, ana, sue, dan, ana, sue].map((actor) => run(world, actor, complete)));
    expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1);
    expect(await agreed(caseId)).toBe(1);
  });

  it('of a review is one, however often the case is submitted', async () => {
    const { caseId } = await closable();
    await done(world, ana, addParty(caseId, { expectedVersion: 1 }));
    const recorded = await done(world, ana, {
      ...{ type: 'recordContravention', caseId, expectedVersion: 2, provision: 'Section 12', date: '2026-06-30' },
      partyIds: [],
    });
    const contraventionId = recorded.created['contravention']!;
    const finding = { contraventionId, expectedVersion: 3, finding: 'SUBSTANTIATED' };
    await done(world, ana, { type: 'setContraventionFinding', caseId, ...finding });
    const submit: AnyCommand = { type: 'submitForReview', caseId, expectedVersion: 4, recommendation: 'Enforce.' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => run(world, ana, submit)));
    expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1);
    const tasks = await children<Task>(caseId, 'task');
    expect(tasks.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
      'REVIEW UNASSIGNED',
      'TRIAGE COMPLETED',
    ]);
    expect(await agreed(caseId)).toBe(1);
  });

  it('is not for who is leaving: neither made, given nor taken', async () => {
    const { caseId } = await closable();
    const { created } = await done(world, ana, createTask(caseId));
    const key = keysOf(demo.id).of(ref.officer('eve' as OfficerId));
    for (const state of ['LEAVING', 'INACTIVE']) {
      await world.store.table.write({ kind: 'update', key, update: { set: { state } }, when: always });
      const on = { caseId, taskId: created['task'], expectedVersion: 1 };
      const eve = asActor('eve', 'CASE_OFFICER');
      for (const answer of [
        await run(world, ana, createTask(caseId, { assigneeId: 'eve' })),
        await run(world, ana, { type: 'assignTask', ...on, expectedAssigneeId: null, assigneeId: 'eve' }),
        await run(world, eve, { type: 'claimTask', ...on }),
      ])
        expect(answer).toMatchObject({ code: 'PRECONDITION_FAILED', details: { name: 'OFFICER_NOT_ACTIVE' } });
    }
    expect(await agreed(caseId)).toBe(2);
  });
});
