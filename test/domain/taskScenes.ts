import type { Actor } from '../../domain/command.ts';
import type { Task } from '../../domain/task/task.ts';
import { ana, c1, dan, open, sue, t1, task, tomorrow } from './builders.ts';
import type { Items, Scene } from './ask.ts';
import { openTask, standing } from './scenes.ts';

/** The case has one open task, which everything about it waits for. */
export const withTask = (change: Partial<Task> = {}): Items =>
  standing(open({ openTasks: 1, openBlockingReview: change.blocks === 'REVIEW' ? 1 : 0 }), ...openTask(task(change)));

const dansOwn = { assigneeId: dan.id, status: 'ASSIGNED' } as const;
const scene = (actor: Actor, type: string, items: Items, rest: object = {}): Scene => ({
  actor,
  command: { type, caseId: c1, taskId: t1, expectedVersion: 1, ...rest },
  items,
});

/** One scene in which each command on a task is done; it begins as the region's, or with dan. */
export const taskScenes = {
  claimTask: scene(dan, 'claimTask', withTask()),
  assignTask: scene(ana, 'assignTask', withTask(), { expectedAssigneeId: null, assigneeId: dan.id }),
  startTask: scene(dan, 'startTask', withTask(dansOwn)),
  holdTask: scene(dan, 'holdTask', withTask(dansOwn), { until: tomorrow, reason: 'the premises are closed today' }),
  completeTask: scene(dan, 'completeTask', withTask({ ...dansOwn, blocks: 'REVIEW' }), { note: 'nothing found' }),
  cancelTask: scene(sue, 'cancelTask', withTask(dansOwn), { reason: 'visited by another agency' }),
} satisfies Record<string, Scene>;
