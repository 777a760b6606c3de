import { isOpenTask, type OpenTask, type Task } from '../../domain/task/task.ts';
import { placesOfTask } from '../../store/indexes.ts';
import type { Item } from '../../store/table-port.ts';
import type { History } from './history.ts';

/** A case's tasks, their keys and its counts say the same; each open one is somebody's or its team's; none outlives its case. */
export function taskFaults(_history: History, stored: readonly Item[]): string[] {
  const cases = stored.filter((item) => item.sk === 'META' && 'contentVersion' in item);
  return cases.flatMap((meta) => {
    const below = (prefix: string) => stored.filter(({ pk, sk }) => pk === meta.pk && sk.startsWith(prefix));
    const tasks = below('TASK#') as unknown as (Task & Item)[];
    const keys = below('OPEN_TASK#') as unknown as (OpenTask & Item)[];
    const open = tasks.filter(isOpenTask);
    const blocking = (what: string) => open.filter(({ blocks }) => blocks === what).length;
    const said = [meta['openTasks'], meta['openBlockingReview'], meta['openBlockingClose']].join();
    const counted = [open.length, blocking('REVIEW'), blocking('CLOSE')].join();
    const pairs = (of: readonly (readonly [string, string | undefined])[]) => of.map(String).sort().join(' ');
    const byKey = pairs(keys.map(({ taskId, assigneeId }) => [taskId, assigneeId]));
    const byTask = pairs(open.map(({ id, assigneeId }) => [id, assigneeId]));
    return [
      ...(said === counted ? [] : [`tasks: ${meta.pk} counts ${said} and has ${counted}`]),
      ...(byKey === byTask ? [] : [`tasks: the keys of ${meta.pk} say ${byKey}, its tasks ${byTask}`]),
      ...(meta['status'] === 'CLOSED' && open.length > 0 ? [`tasks: ${meta.pk} is closed with open ones`] : []),
      ...open
        .filter(({ status, assigneeId, teamId }) => !teamId || (status === 'UNASSIGNED') !== (assigneeId === undefined))
        .map(({ sk, status }) => `tasks: ${sk} is ${status} and nobody's`),
      ...tasks
        .filter((task) => !isOpenTask(task) && placesOfTask.some((place) => place in task))
        .map(({ sk }) => `tasks: ${sk} is done and still in a list`),
    ];
  });
}
