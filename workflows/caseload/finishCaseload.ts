import { InvariantBreach } from '../../domain/answer.ts';
import type { CaseloadRun, RunItem } from '../../domain/officer/caseloadRun.ts';
import { preconditionFailed } from '../../domain/refusal.ts';
import { teams } from '../../domain/task/task.ts';
import type { CreateTask } from '../../domain/task/createTask.ts';
import { allItems } from '../../store/caseload.ts';
import { keysOf } from '../../store/keys.ts';
import { runEnded, type CommandRecord, type RunEnd } from '../../store/record.ts';
import { writeOne } from '../../store/single.ts';
import type { Store } from '../../store/store.ts';
import { eachApart } from '../eachApart.ts';
import type { Deps } from '../task.ts';
import type { CaseloadInput, CaseloadTask } from './input.ts';
import { asService } from './move.ts';
import { readRun } from './scanCaseload.ts';

/**
 * The end of a run: what stays with a leaver becomes work of the supervisors, whoever has nothing left is INACTIVE, and the
 * command's record says how it went; unless another round has replaced this one, which then says nothing.
 */
export async function finishCaseload({ input }: CaseloadTask, { store }: Deps) {
  if ((await recordOf(store, input))?.generation !== input.round) return { outcome: 'REPLACED' };
  if (input.scan?.next === 'CHANGED') {
    const refusal = preconditionFailed('PREVIEW_CHANGED', 'the officer has other work than the preview showed');
    return ended(store, input, { status: 'FAILED_FINAL', refusal });
  }
  const run = await readRun(store, input);
  const items = await allItems(store, input.tenant, input.commandId);
  const count = (...statuses: RunItem['status'][]) => items.filter(({ status }) => statuses.includes(status)).length;
  if (count('FAILED', 'PENDING') > 0)
    throw new InvariantBreach('not everything could be moved; the key resumes the run');

  if (run.leaves) await leave(store, input, run, items);
  const counts = { moved: count('MOVED', 'REMOVED'), gone: count('GONE'), refused: count('REFUSED') };
  return ended(store, input, { status: 'COMPLETED', items: counts });
}

/** An officer whose work was refused by everybody stays LEAVING, and supervisors have a task for each case of it. */
async function leave(store: Store, input: CaseloadInput, run: CaseloadRun, items: RunItem[]): Promise<void> {
  const refused = new Set(items.filter(({ status }) => status === 'REFUSED').map(({ caseId }) => caseId));
  await eachApart(refused, async (caseId) => {
    const asked = {
      ...{ type: 'createTask', caseId, taskType: 'SUPERVISOR', origin: run.commandId },
      ...{ title: 'Somebody who leaves still has work on this case', teamId: teams.supervisors, priority: 'HIGH' },
    } satisfies CreateTask;
    const no = await asService(store, input, asked, caseId);
    // A case that is closed by now, or full of tasks: the run's result says it, too.
    if (no && no.code !== 'NO_CHANGE') store.log({ commandId: input.commandId, caseId, noTask: no.code });
  });
  if (refused.size > 0) return;
  const { officerId } = run;
  const no = await asService(store, input, { type: 'completeDeactivation', officerId }, officerId);
  if (no && no.code !== 'ILLEGAL_TRANSITION') store.log({ commandId: input.commandId, staysLeaving: no.code });
}

/** By the round that it began with; COMPLETED already by this very round is done as well. */
async function ended(store: Store, input: CaseloadInput, end: RunEnd) {
  const { tenant, commandId, round } = input;
  const written = await writeOne(store, runEnded(tenant, commandId, round, end));
  if (written.kind === 'written') return { outcome: end.status };
  const record = await recordOf(store, input);
  return { outcome: record?.generation === round ? record.status : 'REPLACED' };
}

async function recordOf(store: Store, { tenant, commandId }: CaseloadInput): Promise<CommandRecord | undefined> {
  const [record] = await store.table.batchGet([keysOf(tenant).command(commandId)]);
  return record as unknown as CommandRecord | undefined;
}
