import type { TaskId } from '../../domain/ids.ts';
import type { AssignTask, ClaimTask } from '../../domain/task/assignTask.ts';
import type { CreateTask } from '../../domain/task/createTask.ts';
import type { CancelTask, CompleteTask } from '../../domain/task/endTask.ts';
import type { HoldTask, StartTask } from '../../domain/task/workOnTask.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { caseIdOf, childIdOf, officerIdOf, officerIdOrNull } from '../nodeId.ts';
import { present, taskPayload } from '../payload.ts';

type Named = 'createTask' | 'claimTask' | 'assignTask' | 'startTask' | 'holdTask' | 'completeTask' | 'cancelTask';

/** Which task, and the version of it that the caller decided on; its id says which case it belongs to. */
const on = ({ taskId, expectedVersion }: { taskId: string; expectedVersion: number }) => {
  const { caseId, id } = childIdOf('Task', taskId);
  return { caseId, taskId: id, expectedVersion };
};

export const taskMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  createTask: (_root, { input }, ctx) => {
    const { type, title, assigneeId, origin, teamId, priority, dueAt, blocks, note } = input;
    const command = {
      type: 'createTask',
      caseId: caseIdOf(input.caseId),
      taskType: type,
      title,
      ...present({ origin, teamId, priority, dueAt, blocks, note }),
      ...(typeof assigneeId === 'string' && { assigneeId: officerIdOf(assigneeId) }),
    } satisfies CreateTask;
    return taskPayload(ctx, input, command, ({ created }) => created['task'] as TaskId);
  },

  claimTask: (_root, { input }, ctx) =>
    taskPayload(ctx, input, { type: 'claimTask', ...on(input) } satisfies ClaimTask),

  assignTask: (_root, { input }, ctx) => {
    const { expectedAssigneeId, assigneeId } = input;
    return taskPayload(ctx, input, {
      type: 'assignTask',
      ...on(input),
      expectedAssigneeId: officerIdOrNull(expectedAssigneeId),
      assigneeId: officerIdOrNull(assigneeId),
    } satisfies AssignTask);
  },

  startTask: (_root, { input }, ctx) =>
    taskPayload(ctx, input, { type: 'startTask', ...on(input) } satisfies StartTask),

  holdTask: (_root, { input }, ctx) => {
    const { until, reason } = input;
    return taskPayload(ctx, input, { type: 'holdTask', ...on(input), until, reason } satisfies HoldTask);
  },

  completeTask: (_root, { input }, ctx) => {
    const { note } = input;
    return taskPayload(ctx, input, {
      type: 'completeTask',
      ...on(input),
      ...present({ note }),
    } satisfies CompleteTask);
  },

  cancelTask: (_root, { input }, ctx) =>
    taskPayload(ctx, input, { type: 'cancelTask', ...on(input), reason: input.reason } satisfies CancelTask),
};
