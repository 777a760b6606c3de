import { paragraph, reasonText } from '../text.ts';
import { keyOf } from './task.ts';
import { defineTaskCommand, type OnTask } from './taskCommand.ts';
import { endsOpen } from './work.ts';

export type CompleteTask = OnTask<'completeTask'> & {
  /** What came of it. */
  note?: string;
};
export type CancelTask = OnTask<'cancelTask'> & { reason: string };

/** The task is done; it leaves every list with this write. */
export const completeTask = defineTaskCommand({
  type: 'completeTask',
  invariant: ['A task is done once, and from then on stands in no inbox and blocks nothing.'],
  reads: (_command: CompleteTask) => ({}),
  decide: (task, _found, { note }, given) => {
    const bad = note === undefined ? undefined : paragraph(note, 'note');
    if (bad) return bad;
    return {
      announces: 'TaskCompleted',
      part: endsOpen(task.caseId, keyOf(task), 'COMPLETED', given, note === undefined ? {} : { note }),
      details: note === undefined ? {} : { note },
    };
  },
});

/** The task need not be done. */
export const cancelTask = defineTaskCommand({
  type: 'cancelTask',
  invariant: ['A task that will not be done says why, and stands in no inbox and blocks nothing.'],
  reads: (_command: CancelTask) => ({}),
  decide: (task, _found, { reason }, given) => {
    const bad = reasonText(reason, 'reason');
    if (bad) return bad;
    return {
      announces: 'TaskCancelled',
      part: endsOpen(task.caseId, keyOf(task), 'CANCELLED', given, { reason }),
      details: { reason },
    };
  },
});
