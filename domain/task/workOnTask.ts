import { update, type Change, type Update } from '../change.ts';
import type { LocalDate } from '../ids.ts';
import { invalid } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings, todayIn } from '../tenant.ts';
import { calendarDate, firstOf, reasonText } from '../text.ts';
import type { Task, TaskStatus } from './task.ts';
import { defineTaskCommand, type OnTask } from './taskCommand.ts';
import { stillOpen, type Part } from './work.ts';

export type StartTask = OnTask<'startTask'>;
export type HoldTask = OnTask<'holdTask'> & { until: LocalDate; reason: string };

/** Whoever has the task begins it, or goes on with it. */
export const startTask = defineTaskCommand({
  type: 'startTask',
  invariant: ['Only who has a task begins it.'],
  reads: (_command: StartTask) => ({}),
  decide: (task) => ({
    announces: 'TaskStarted',
    part: becomes(task, 'IN_PROGRESS', { remove: ['holdUntil', 'reason'] }),
  }),
});

/** The task waits for something until a day; it stays with whoever has it. */
export const holdTask = defineTaskCommand({
  type: 'holdTask',
  invariant: ['A task that waits says why and until when, and stays with somebody.'],
  reads: (_command: HoldTask) => ({ tenant: ref.tenant() }),
  decide: (task, { tenant }, { until, reason }, given) => {
    if (!tenant) return noSettings();
    const no = firstOf(calendarDate(until, 'until'), reasonText(reason, 'reason'));
    if (no) return no;
    if (until < todayIn(tenant, given)) return invalid('NOT_IN_PAST', ['until'], 'lies in the past');
    return {
      announces: 'TaskHeld',
      part: becomes(task, 'ON_HOLD', { set: { holdUntil: until, reason } }),
      details: { until, reason },
    };
  },
});

function becomes({ caseId, id, type, assigneeId }: Task, status: TaskStatus, { set, remove }: Update): Part {
  const moved: Change = update(
    ref.task(caseId, id),
    { set: { ...set, status }, ...(remove && { remove }), add: { version: 1 } },
    stillOpen,
  );
  return { changes: [moved], by: 0, became: { taskId: id, type, status, ...(assigneeId && { assigneeId }) } };
}
