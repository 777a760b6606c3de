import { describe, expect, it } from 'vitest';
import type { Actor } from '../../domain/command.ts';
import type { ActionId, EffectId, TaskId } from '../../domain/ids.ts';
import { ref, type Ref } from '../../domain/refs.ts';
import { theCase, type OpenTask, type Task } from '../../domain/task/task.ts';
import { planOf } from '../../store/writes.ts';
import { a1, ana, c1, cai, dan, givenTo, officer, open, rob, submission1, t1, task } from './builders.ts';
import { ask, but, itemIn, type Items, type Scene } from './ask.ts';
import { beginnings } from './otherScenes.ts';
import { openTask, scenes } from './scenes.ts';
import { broken, commit, transitionOf } from './stage.ts';

const key = (type: Task['type'], origin: string = theCase) => ref.openTask(c1, type, origin);
const stored = <Item>(items: Items, wanted: Ref<Item>) => itemIn(items, wanted) as Item | undefined;

/** What stands behind a key afterwards; nothing where no task of that kind is open. */
function openAfter(items: Items, at: Ref<OpenTask>): Task | undefined {
  const row = stored(items, at);
  return row && stored(items, ref.task(c1, row.taskId));
}
const done = (scene: Scene) => commit(transitionOf(scene), scene.items);
const counts = (items: Items) => itemIn(items, ref.case(c1));
const leaving = { items: [[ref.officer(ana.id), officer(ana.id, { state: 'LEAVING' })]] } as const;

describe('a new case', () => {
  it("is looked at by its lead, or by its region's team", () => {
    const { aggregate, changes } = transitionOf(beginnings.openCase);
    const triage = changes.find((change) => change.kind === 'create' && change.ref.of === 'task');
    expect(aggregate.after).toMatchObject({ openTasks: 1, openBlockingReview: 0, openBlockingClose: 0 });
    expect(triage).toMatchObject({ item: { type: 'TRIAGE', status: 'UNASSIGNED', teamId: 'WEST' } });
    const led = but(beginnings.openCase, {
      command: { leadOfficerId: ana.id },
      items: [[ref.officer(ana.id), officer(ana.id)]],
    });
    const whose = transitionOf(led).changes.find((change) => change.kind === 'create' && change.ref.of === 'openTask');
    expect(whose).toMatchObject({ item: { type: 'TRIAGE', assigneeId: ana.id } });
  });
});

describe('a submission', () => {
  const begun: Items = [
    ...openTask(task({ id: 't2' as TaskId, type: 'TRIAGE', origin: theCase })),
    ...openTask(task({ id: 't3' as TaskId, type: 'REWORK', origin: theCase, assigneeId: ana.id })),
    [ref.case(c1), open({ openTasks: 2 })],
  ];

  it('ends triage and rework, and begins one review, which nobody has yet', () => {
    const items = done(but(scenes.submitForReview, { items: begun }));
    expect(openAfter(items, key('TRIAGE'))).toBeUndefined();
    expect(openAfter(items, key('REWORK'))).toBeUndefined();
    expect(openAfter(items, key('REVIEW'))).toMatchObject({ status: 'UNASSIGNED', teamId: 'REVIEWERS' });
    expect(stored(items, ref.task(c1, 't3' as TaskId))).toMatchObject({ status: 'COMPLETED', endedBy: ana.id });
    expect(counts(items)).toMatchObject({ openTasks: 1 });
  });

  it('waits for what blocks it', () => {
    const blocked = but(scenes.submitForReview, { case: { openTasks: 1, openBlockingReview: 1 } });
    expect(ask(blocked).answer).toMatchObject({ code: 'PRECONDITION_FAILED', details: { name: 'OPEN_TASKS' } });
  });
});

describe('a review', () => {
  it('is the task of its reviewer, whoever had it before, also where it had none', () => {
    for (const before of [scenes.assignReviewer, but(scenes.assignReviewer, { items: [[key('REVIEW'), undefined]] })]) {
      const items = done(before);
      expect(openAfter(items, key('REVIEW'))).toMatchObject({ status: 'ASSIGNED', assigneeId: rob.id });
      expect(stored(items, key('REVIEW'))).toMatchObject({ assigneeId: rob.id });
    }
  });

  const ends = { approveCase: 'COMPLETED', rejectCase: 'COMPLETED', withdrawReview: 'CANCELLED' } as const;
  for (const [command, status] of Object.entries(ends))
    it(`is ${status} as a task by ${command}`, () => {
      const items = done(scenes[command as keyof typeof ends]);
      expect(openAfter(items, key('REVIEW'))).toBeUndefined();
      expect(stored(items, ref.task(c1, t1))).toMatchObject({ status, version: 2 });
      expect(counts(items)).toMatchObject({ openTasks: 0 });
    });

  it('that returns the case gives the lead the rework, or the team where the lead is leaving', () => {
    const items = done(scenes.returnCaseForRework);
    expect(openAfter(items, key('REVIEW'))).toBeUndefined();
    expect(openAfter(items, key('REWORK'))).toMatchObject({ status: 'ASSIGNED', assigneeId: ana.id, teamId: 'WEST' });
    expect(counts(items)).toMatchObject({ openTasks: 1 });
    const goes = done(but(scenes.returnCaseForRework, leaving));
    expect(openAfter(goes, key('REWORK'))).toMatchObject({ status: 'UNASSIGNED', teamId: 'WEST' });
    expect(broken(transitionOf(scenes.returnCaseForRework), but(scenes.returnCaseForRework, leaving).items)).toEqual([
      'officer',
    ]);
  });

  it('without a task, from before there were any, ends all the same, unless one appears', () => {
    const without = but(scenes.approveCase, { items: [[key('REVIEW'), undefined]], case: { openTasks: 0 } });
    const next = transitionOf(without);
    expect(broken(next, without.items)).toEqual([]);
    expect(broken(next, but(scenes.approveCase, { case: { openTasks: 0 } }).items)).toEqual(['openTask']);
  });
});

describe('what goes wrong outside', () => {
  const others = (command: 'recordNoticeFailed' | 'recordNoticeUndeliverable', type: Task['type'], actor: Actor) =>
    [scenes[command], type, actor] as const;
  for (const [scene, type, whose] of [
    others('recordNoticeFailed', 'SERVICE', ana),
    others('recordNoticeUndeliverable', 'SERVICE', ana),
    [scenes.recordRegistrationRefusal, 'REGISTRATION', ana] as const,
  ])
    it(`is a task of the lead after ${scene.command.type}: one, however often it happens`, () => {
      const items = done(scene);
      expect(openAfter(items, key(type, a1))).toMatchObject({ status: 'ASSIGNED', assigneeId: whose.id });
      const again = done(but(scene, { items: openTask(task({ type, origin: a1 })) }));
      expect(openAfter(again, key(type, a1))).toMatchObject({ id: t1 });
      expect(openAfter(done(but(scene, leaving)), key(type, a1))).toMatchObject({ status: 'UNASSIGNED' });
    });

  it('and cannot be told is an operator’s task until the answer comes', () => {
    const unknown = done(scenes.recordRegistrationUnknown);
    const at = key('OPERATOR', submission1);
    expect(openAfter(unknown, at)).toMatchObject({ status: 'UNASSIGNED', teamId: 'OPERATIONS', priority: 'HIGH' });
    for (const scene of [scenes.recordRegistration, scenes.recordRegistrationRefusal]) {
      const asked = but(scene, { items: openTask(operators(submission1)) });
      expect(openAfter(done(asked), at), scene.command.type).toBeUndefined();
    }
  });

  it('is done as a task when the officer has settled it', () => {
    const settled = [
      [scenes.serveNotice, 'SERVICE', 'COMPLETED'],
      [scenes.submitToRegistry, 'REGISTRATION', 'COMPLETED'],
      [scenes.withdrawEnforcementAction, 'SERVICE', 'CANCELLED'],
      [scenes.withdrawEnforcementAction, 'REGISTRATION', 'CANCELLED'],
    ] as const;
    for (const [scene, type, status] of settled) {
      const items = done(but(scene, { items: openTask(task({ type, origin: a1, assigneeId: ana.id })) }));
      expect(openAfter(items, key(type, a1)), scene.command.type).toBeUndefined();
      expect(stored(items, ref.task(c1, t1)), scene.command.type).toMatchObject({ status });
    }
  });
});

const operators = (effectId: EffectId) => task({ type: 'OPERATOR', origin: effectId, teamId: 'OPERATIONS' });

describe('people who leave a case', () => {
  const three: Items = [
    ...openTask(task({ assigneeId: ana.id, status: 'ON_HOLD', reason: 'shut' })),
    ...openTask(task({ id: 't2' as TaskId, origin: 'two', assigneeId: cai.id, status: 'ASSIGNED' })),
    ...openTask(task({ id: 't3' as TaskId, origin: 'three' })),
    [ref.case(c1), open({ openTasks: 3 })],
  ];
  const whose = (items: Items) =>
    ['visit', 'two', 'three'].map((origin) => openAfter(items, key('GENERAL', origin))?.assigneeId);

  it('leave their tasks to the next lead, or to the team where nobody leads', () => {
    const items = done(but(scenes.reassignLead, { items: three }));
    expect(whose(items)).toEqual([dan.id, cai.id, undefined]);
    expect(stored(items, key('GENERAL', 'visit'))).toMatchObject({ assigneeId: dan.id });
    expect(stored(items, ref.task(c1, t1))).toEqual(task({ assigneeId: dan.id, status: 'ASSIGNED', version: 2 }));
    expect(counts(items)).toMatchObject({ openTasks: 3 });
    const nobody = done(but(scenes.reassignLead, { items: three, command: { leadOfficerId: null } }));
    expect(whose(nobody)).toEqual([undefined, cai.id, undefined]);
  });

  it('as investigators give theirs back to the team', () => {
    const items = done(but(scenes.removeInvestigator, { items: three }));
    expect(whose(items)).toEqual([ana.id, undefined, undefined]);
  });
});

describe('a case that ends', () => {
  it('leaves nothing to do', () => {
    for (const scene of [scenes.closeCase, busyDuplicate()]) {
      const items = done(scene);
      expect(openAfter(items, key('GENERAL', 'visit')), scene.command.type).toBeUndefined();
      expect(stored(items, ref.task(c1, t1))).toMatchObject({ status: 'CANCELLED' });
      expect(counts(items)).toMatchObject({ status: 'CLOSED', openTasks: 0, openBlockingReview: 0 });
    }
  });

  it('waits for what blocks it', () => {
    const blocked = but(scenes.closeCase, { case: { openBlockingClose: 1 } });
    expect(ask(blocked).answer).toMatchObject({ code: 'PRECONDITION_FAILED', details: { name: 'OPEN_TASKS' } });
  });

  it('ends as many tasks as a case can have in one transaction', () => {
    for (const scene of [scenes.closeCase, busyDuplicate(), scenes.reassignLead, scenes.removeInvestigator]) {
      const whose = scene === scenes.removeInvestigator ? cai.id : ana.id;
      const many = Array.from({ length: 42 }, (_, i) =>
        task({ id: `t${i}` as TaskId, origin: `o${i}` as ActionId, assigneeId: whose, status: 'ASSIGNED' }),
      );
      const items: Items = [[ref.openTask(c1, 'GENERAL', 'visit'), undefined], ...many.flatMap(openTask)];
      const full = but(scene, { items, case: { openTasks: 42 } });
      const { writes } = planOf(transitionOf(full), full.command, givenTo(full.actor, full.command), 0, 'salt');
      expect(writes.length).toBeLessThanOrEqual(100);
      expect(writes.filter(({ key: { sk } }) => sk.includes('TASK#'))).toHaveLength(84);
    }
  });
});

const busyDuplicate = () =>
  but(scenes.closeCaseAsDuplicate, {
    items: openTask(task({ assigneeId: dan.id, blocks: 'REVIEW' })),
    case: { openTasks: 1, openBlockingReview: 1 },
  });
