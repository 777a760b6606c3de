import type { Task } from '../../domain/task/task.ts';
import { availableActionsOnTask } from '../../domain/task/taskPolicy.ts';
import { ref } from '../../domain/refs.ts';
import type { TaskFilter, TaskResolvers } from '../../graphql/types.ts';
import { listTasks, type TasksOf } from '../../store/lists.ts';
import { atTheDoor } from '../access.ts';
import { connection, type PageArgs } from '../connections.ts';
import type { Context } from '../context.ts';
import { badUserInput } from '../limits.ts';
import { caseIdOf, nodeId, officerIdOf } from '../nodeId.ts';

export const task: TaskResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('Task', caseId, id),
  assignee: async ({ assigneeId }, _args, { loaders }) => (assigneeId && (await loaders.officer(assigneeId))) || null,
  endedBy: async ({ endedBy }, _args, { loaders }) => (endedBy && (await loaders.officer(endedBy))) || null,
  case: async ({ caseId }, _args, { loaders }) => (await loaders.case(caseId)) ?? null,
  availableActions: async (found, _args, ctx, { schema }) => {
    const access = await ctx.loaders.taskAccess(found);
    return access ? atTheDoor(schema, ctx.actor, availableActionsOnTask(access, found)) : [];
  },
};

/** An inbox: the index finds and may lag; each task itself says whether it still belongs here. */
export const tasks = (ctx: Context, filter: TaskFilter, args: PageArgs) => {
  const of = inboxOf(ctx, filter);
  return connection(ctx, args, {
    scope: { connection: 'tasks', of: { ...filter, ...of }, sort: 'dueAt' },
    list: (limit, position) => listTasks(ctx.reads, ctx.tenant, of, limit, position),
    shown: async (names) => {
      const found = await Promise.all(names.map(({ caseId, taskId }) => ctx.loaders.task(ref.task(caseId, taskId))));
      return found.map((one) => (one && belongs(one, of, filter) ? one : undefined));
    },
  });
};

function inboxOf({ actor }: Context, { mine, assigneeId, teamId, dueBefore }: TaskFilter): TasksOf {
  const bound = { dueBefore: dueBefore ?? undefined };
  const given = [mine === true, typeof assigneeId === 'string', typeof teamId === 'string'];
  if (given.filter(Boolean).length !== 1) throw badUserInput('filter needs exactly one of mine, assigneeId and teamId');
  if (mine) return { of: 'officer', value: actor.id, ...bound };
  if (typeof assigneeId === 'string') return { of: 'officer', value: officerIdOf(assigneeId), ...bound };
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(teamId!)) throw badUserInput('filter.teamId is not a team');
  return { of: 'team', value: teamId!, ...bound };
}

const belongs = (found: Task, { of, value }: TasksOf, { status, type, dueBefore, caseId }: TaskFilter): boolean =>
  found.endedAt === undefined &&
  (of === 'officer' ? found.assigneeId === value : found.teamId === value) &&
  (!status || found.status === status) &&
  (!type || found.type === type) &&
  (!dueBefore || (found.dueAt !== undefined && found.dueAt < dueBefore)) &&
  (typeof caseId !== 'string' || found.caseId === caseIdOf(caseId));
