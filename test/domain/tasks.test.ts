import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifications, type Case } from '../../domain/case/case.ts';
import { roles, type Actor } from '../../domain/command.ts';
import type { OfficerId } from '../../domain/ids.ts';
import { availableActions, relationsOf } from '../../domain/policy.ts';
import { ref } from '../../domain/refs.ts';
import { openTaskStatuses, taskStatuses, taskTypes, theCase, type Task } from '../../domain/task/task.ts';
import { availableActionsOnTask, seesTask, taskAccess, taskCommands } from '../../domain/task/taskPolicy.ts';
import {
  ana,
  ben,
  c1,
  cai,
  closed,
  dan,
  now,
  officer,
  open,
  rob,
  sue,
  t1,
  task,
  tenant,
  today,
  underReview,
  workflow,
  yesterday,
} from './builders.ts';
import { ask, but, itemIn, type Scene } from './ask.ts';
import { opa } from './operationScenes.ts';
import { openTask, scenes, standing } from './scenes.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';
import { taskScenes, withTask } from './taskScenes.ts';

const key = ref.openTask(c1, 'GENERAL', 'visit');
const one = ref.task(c1, t1);
const dans = (change: object) => ({ items: [[ref.officer(dan.id), officer(dan.id, change)]] }) as const;
const restricted = { case: { classification: 'RESTRICTED' } } as const;
const excluded = { items: [[ref.exclusion(c1, dan.id), { officerId: dan.id }]] } as const;

describe('createTask', () => {
  const scene = scenes.createTask;

  it('makes a task with its key, and counts it with what waits for it', () => {
    const blocking = but(scene, {
      command: { blocks: 'REVIEW', priority: 'URGENT', dueAt: today, note: 'ring twice' },
    });
    const taskId = transitionOf(blocking).created['task'] as never;
    expect(after(blocking, ref.task(c1, taskId))).toMatchObject({
      ...{ type: 'GENERAL', origin: 'visit', status: 'ASSIGNED', assigneeId: dan.id, teamId: 'WEST', version: 1 },
      ...{ priority: 'URGENT', dueAt: today, blocks: 'REVIEW', note: 'ring twice' },
    });
    expect(after(blocking, key)).toEqual({
      taskId,
      type: 'GENERAL',
      origin: 'visit',
      assigneeId: dan.id,
      blocks: 'REVIEW',
    });
    expect(after(blocking, ref.case(c1))).toMatchObject({ openTasks: 1, openBlockingReview: 1, openBlockingClose: 0 });
    expect(after(blocking, ref.case(c1))).toMatchObject({ version: 5, contentVersion: 4 });
  });

  it("is nobody's and the region's team's unless it is said whose, and a matter of its own", () => {
    const plain = but(scene, { command: { assigneeId: undefined, origin: undefined, blocks: 'CLOSE' } });
    const { created } = transitionOf(plain);
    expect(after(plain, ref.task(c1, created['task'] as never))).toMatchObject({
      ...{ status: 'UNASSIGNED', teamId: 'WEST', origin: created['task'], priority: 'NORMAL' },
    });
    expect(after(plain, ref.case(c1))).toMatchObject({ openTasks: 1, openBlockingReview: 0, openBlockingClose: 1 });
  });

  it('is a workflow’s, too, of any type, for the team of operations', () => {
    const operators = { taskType: 'OPERATOR', origin: 'notice-1', teamId: 'OPERATIONS', assigneeId: undefined };
    expect(transitionOf(but(scene, { actor: workflow, command: operators })).announces).toBe('TaskCreated');
  });

  it('cannot win against who closes the case, or makes the same task, in the same moment', () => {
    const next = transitionOf(scene);
    expect(broken(next, but(scene, { items: [[ref.case(c1), closed()]] }).items)).toEqual(['case']);
    expect(broken(next, but(scene, { items: openTask(task()) }).items)).toEqual(['openTask']);
  });

  refuses(scene, [
    ['NO_CHANGE', 'when one of its type and origin is open', { items: openTask(task()) }],
    ['NOT_PERMITTED', 'to who has no part in the case', { actor: dan }],
    ['ILLEGAL_TRANSITION', 'on a closed case', { items: [[ref.case(c1), closed()]] }],
    ['VALIDATION_FAILED(TASK_TYPE)', 'of a type that comes by itself', { command: { taskType: 'REVIEW' } }],
    ['VALIDATION_FAILED(ORIGIN)', 'from what names no origin', { command: { origin: 'a#b' } }],
    ['VALIDATION_FAILED(TEAM)', 'for no team', { command: { teamId: 'the west' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a title', { command: { title: ' ' } }],
    ['VALIDATION_FAILED(LOCAL_DATE)', 'due on no day', { command: { dueAt: '2026-02-30' } }],
    ['VALIDATION_FAILED(NOT_IN_PAST)', 'due before today', { command: { dueAt: yesterday } }],
    ['LIMIT_REACHED', 'when forty are open', { case: { openTasks: 40 } }],
    [
      'LIMIT_REACHED',
      'when the tenant allows fewer',
      { case: { openTasks: 2 }, items: [[ref.tenant(), { ...tenant, limits: { ...tenant.limits, openTasks: 2 } }]] },
    ],
    [
      'PRECONDITION_FAILED(PAST_REVIEW)',
      'when it would block a review that has begun',
      { command: { blocks: 'REVIEW' }, items: [[ref.case(c1), underReview()]] },
    ],
    ['REFERENCE_INVALID(assigneeId)', 'for nobody', { command: { assigneeId: 'nobody' } }],
    ['PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)', 'for who leaves', dans({ state: 'LEAVING' })],
    ['PRECONDITION_FAILED(OFFICER_ABSENT)', 'for who is absent', dans({ absentFrom: yesterday, absentTo: today })],
    ['EXCLUDED', 'for who declared a conflict of interest', excluded],
    ['PRECONDITION_FAILED(NOT_ON_CASE)', 'for who may not see a restricted case', restricted],
    ['PRECONDITION_FAILED(TENANT_SETTINGS)', 'without settings', { items: [[ref.tenant(), undefined]] }],
  ]);

  it('gives work on a restricted case to those named on it', () => {
    for (const { id } of [ana, cai])
      expect(transitionOf(but(scene, { ...restricted, command: { assigneeId: id } })).announces).toBe('TaskCreated');
  });
});

describe('claimTask', () => {
  const scene = taskScenes.claimTask;

  it('makes it somebody’s, in its key, too', () => {
    expect(after(scene, one)).toMatchObject({ status: 'ASSIGNED', assigneeId: dan.id, version: 2 });
    expect(after(scene, key)).toMatchObject({ taskId: t1, assigneeId: dan.id });
    expect(after(scene, ref.case(c1))).toMatchObject({ openTasks: 1 });
  });

  it('is for members of the team, until the moment it is written', () => {
    const registered = dans({ region: 'EAST', teams: ['WEST'] });
    expect(transitionOf(but(scene, registered)).announces).toBe('TaskClaimed');
    for (const change of [{ region: 'EAST' }, { state: 'LEAVING' }])
      expect(broken(transitionOf(scene), but(scene, dans(change)).items)).toContain('officer');
  });

  refuses(scene, [
    ['NOT_FOUND', 'where there is none', { items: [[one, undefined]] }],
    ['NOT_FOUND', 'on a case that is not for the caller to see', restricted],
    ['NOT_PERMITTED', 'to who is in another team', dans({ region: 'EAST' })],
    ['EXCLUDED', 'to who declared a conflict of interest', excluded],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 7 } }],
    [
      'ILLEGAL_TRANSITION',
      'when it is somebody’s',
      { items: openTask(task({ status: 'ASSIGNED', assigneeId: cai.id })) },
    ],
    ['PRECONDITION_FAILED(OFFICER_ABSENT)', 'by who is absent', dans({ absentFrom: yesterday, absentTo: today })],
    ['PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)', 'by who leaves', dans({ state: 'LEAVING' })],
    [
      'PRECONDITION_FAILED(FOLLOWS_REVIEW)',
      'of a review',
      { items: openTask(task({ type: 'REVIEW', origin: theCase })) },
    ],
  ]);
});

describe('assignTask', () => {
  const scene = taskScenes.assignTask;
  const started = {
    items: openTask(task({ assigneeId: cai.id, status: 'ON_HOLD', holdUntil: today, reason: 'shut' })),
  };
  const fromCai = { ...started, command: { expectedAssigneeId: cai.id } };

  it('passes it on, begun or not, or back to its team', () => {
    expect(after(but(scene, fromCai), one)).toEqual(task({ assigneeId: dan.id, status: 'ASSIGNED', version: 2 }));
    const back = but(scene, { ...started, command: { ...fromCai.command, assigneeId: null } });
    expect(after(back, one)).toEqual(task({ version: 2 }));
    expect(after(back, key)).toEqual({ taskId: t1, type: 'GENERAL', origin: 'visit' });
  });

  refuses(scene, [
    ['PRECONDITION_FAILED(ASSIGNEE_CHANGED)', 'when it is with another', { command: { expectedAssigneeId: ben.id } }],
    ['NO_CHANGE', 'when it is so already', { command: { assigneeId: null } }],
    ['NOT_PERMITTED', 'to a colleague', { actor: dan }],
    ['REFERENCE_INVALID(assigneeId)', 'to nobody', { command: { assigneeId: 'nobody' } }],
    ['PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)', 'to who leaves', dans({ state: 'LEAVING' })],
    ['PRECONDITION_FAILED(NOT_ON_CASE)', 'to who may not see a restricted case', restricted],
    ['EXCLUDED', 'to who declared a conflict of interest', excluded],
  ]);
});

describe('startTask', () => {
  const scene = taskScenes.startTask;

  it('begins it, and goes on with it', () => {
    const held = task({ assigneeId: dan.id, status: 'ON_HOLD', holdUntil: today, reason: 'shut' });
    const going = task({ assigneeId: dan.id, status: 'IN_PROGRESS', version: 2 });
    expect(after(scene, one)).toEqual(going);
    expect(after(but(scene, { items: openTask(held) }), one)).toEqual(going);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to anybody but who has it', { actor: sue }],
    ['ILLEGAL_TRANSITION', 'twice', { items: openTask(task({ assigneeId: dan.id, status: 'IN_PROGRESS' })) }],
  ]);
});

describe('holdTask', () => {
  const scene = taskScenes.holdTask;

  it('says why and until when', () => {
    expect(after(scene, one)).toMatchObject({ status: 'ON_HOLD', holdUntil: '2026-07-08', assigneeId: dan.id });
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to anybody but who has it', { actor: sue }],
    ['VALIDATION_FAILED(NOT_IN_PAST)', 'until yesterday', { command: { until: yesterday } }],
    ['VALIDATION_FAILED(LOCAL_DATE)', 'until no day', { command: { until: '2026-02-30' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
  ]);
});

describe('completeTask', () => {
  const scene = taskScenes.completeTask;

  it('ends it, with its key and what waited for it', () => {
    const done = commit(transitionOf(scene), scene.items);
    expect(itemIn(done, one)).toMatchObject({
      status: 'COMPLETED',
      endedBy: dan.id,
      endedAt: now,
      note: 'nothing found',
    });
    expect(itemIn(done, key)).toBeUndefined();
    expect(itemIn(done, ref.case(c1))).toMatchObject({ openTasks: 0, openBlockingReview: 0 });
  });

  it('lets the same kind of work come again', () => {
    const done = commit(transitionOf(scene), scene.items);
    expect(transitionOf({ ...scenes.createTask, items: done }).announces).toBe('TaskCreated');
  });

  it('is open to workflows without a version', () => {
    const told = but(scene, { actor: workflow, command: { expectedVersion: undefined } });
    expect(transitionOf(told).announces).toBe('TaskCompleted');
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to a colleague', { actor: rob }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 7 } }],
    [
      'VALIDATION_FAILED(REQUIRED)',
      'by a person who does not say on what version',
      { command: { expectedVersion: undefined } },
    ],
    ['ILLEGAL_TRANSITION', 'twice', { items: [[one, task({ status: 'COMPLETED', assigneeId: dan.id })]] }],
    ['VALIDATION_FAILED(TOO_LONG)', 'with a long note', { command: { note: 'x'.repeat(5_000) } }],
  ]);
});

describe('cancelTask', () => {
  const scene = taskScenes.cancelTask;

  it('says why', () => {
    expect(after(scene, one)).toMatchObject({ status: 'CANCELLED', reason: 'visited by another agency' });
    expect(after(scene, key)).toBeUndefined();
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to who has it', { actor: dan }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
  ]);
});

describe('a task of operations', () => {
  const ofOperations = task({ type: 'OPERATOR', teamId: 'OPERATIONS' });
  const registered = [[ref.officer(opa.id), officer(opa.id, { region: 'HQ' })]] as const;
  const items = [...withTask(), ...openTask(ofOperations), ...registered];
  const acts = (type: string, rest: object = {}) =>
    ask({ actor: opa, command: { type, caseId: c1, taskId: t1, expectedVersion: 1, ...rest }, items }).answer;

  it('is for operators to take, give, end and withdraw, on a case they may not see', () => {
    for (const [type, rest] of [
      ['claimTask', {}],
      ['assignTask', { expectedAssigneeId: null, assigneeId: dan.id }],
      ['completeTask', {}],
      ['cancelTask', { reason: 'settled' }],
    ] as const)
      expect(acts(type, rest), type).toMatchObject({ kind: 'transition' });
  });

  it('is the only task they see', () => {
    const scene = { actor: opa, command: taskScenes.claimTask.command, items: [...withTask(), ...registered] };
    expect(ask(scene).answer).toMatchObject({ code: 'NOT_FOUND' });
  });
});

const eva = 'eva' as OfficerId;
const settings = fc.record({
  held: fc.subarray(['lead', 'investigator', 'excluded', 'assignee'] as const),
  team: fc.constantFrom('WEST', 'OPERATIONS', 'EAST'),
  roles: fc.subarray([...roles]),
  classification: fc.constantFrom(...classifications),
  status: fc.constantFrom(...taskStatuses),
  type: fc.constantFrom(...taskTypes),
});
type Setting = typeof settings extends fc.Arbitrary<infer S> ? S : never;

function settingOf({ held, team, roles, classification, status, type }: Setting) {
  const actor: Actor = { id: eva, roles };
  const current: Case = open({ openTasks: 1, classification, ...(held.includes('lead') && { leadOfficerId: eva }) });
  const who = held.includes('assignee') ? eva : status === 'UNASSIGNED' ? undefined : cai.id;
  const its: Task = task({ type, status, teamId: team, ...(who && { assigneeId: who }) });
  const investigators = new Set(held.includes('investigator') ? [cai.id, eva] : [cai.id]);
  const self = officer(eva);
  const items = [
    ...standing(current),
    ...openTask(its),
    [ref.investigatorGuard(c1), { activeCount: investigators.size, officerIds: investigators }] as const,
    [ref.officer(eva), self] as const,
    ...(held.includes('excluded') ? [[ref.exclusion(c1, eva), { officerId: eva }] as const] : []),
  ];
  const relations = relationsOf(eva, current, investigators, held.includes('excluded'));
  return { actor, current, its, items, access: taskAccess({ actor, relations }, its, self) };
}

describe('availableActionsOnTask', () => {
  it('says of every command on a task what the command answers, whoever asks and however it stands', () => {
    const policyCodes = ['NOT_FOUND', 'NOT_PERMITTED', 'ILLEGAL_TRANSITION'];
    fc.assert(
      fc.property(settings, fc.constantFrom(...taskCommands), (setting, type) => {
        const { actor, current, its, items, access } = settingOf(setting);
        const whose = { expectedAssigneeId: its.assigneeId ?? null };
        const scene: Scene = { actor, command: { ...taskScenes[type].command, ...whose }, items };
        const { answer } = ask(scene);
        const code = answer.kind === 'refused' ? answer.code : 'done';
        const { refusal } = availableActionsOnTask(access, its).find(({ command }) => command === type)!;
        if (!seesTask(access, current, its)) expect(code).toBe('NOT_FOUND');
        else if (refusal) expect(code).toBe(refusal.code);
        else expect(policyCodes).not.toContain(code);
      }),
      { numRuns: 5_000 },
    );
  });

  it('leaves the task of a review to who assigns the review, wherever it stands', () => {
    const relations = new Set<never>();
    const offered = availableActions({ actor: sue, relations }, underReview());
    expect(offered.find(({ command }) => command === 'assignReviewer')!.refusal).toBeUndefined();
  });

  it('leaves no open task without somebody who can act on it: a supervisor always can, but for a review', () => {
    for (const type of taskTypes)
      for (const status of openTaskStatuses) {
        const whose = { held: [], roles: ['SUPERVISOR'], team: 'EAST' } as Pick<Setting, 'held' | 'roles' | 'team'>;
        const { access, its } = settingOf({ ...whose, classification: 'RESTRICTED', status, type });
        const allowed = availableActionsOnTask(access, its).filter(({ refusal }) => !refusal);
        expect(allowed.map(({ command }) => command)).toEqual(
          type === 'REVIEW'
            ? []
            : [...(status === 'UNASSIGNED' ? ['claimTask'] : []), 'assignTask', 'completeTask', 'cancelTask'],
        );
      }
  });
});
