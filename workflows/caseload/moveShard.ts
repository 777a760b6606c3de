import { Busy } from '../../domain/answer.ts';
import { instantOf } from '../../store/calendar.ts';
import { allItems, setItem } from '../../store/caseload.ts';
import type { Deps } from '../task.ts';
import type { CaseloadTask } from './input.ts';
import { moved } from './move.ts';
import { readRun } from './scanCaseload.ts';

/** Milliseconds a task works before it lets the next one go on; it ends well before its own time is up. */
const budgetMs = 25_000;

/**
 * Moves what waits in one part of the run, one after the other, as long as there is time. What goes wrong with one item is
 * put down with it and keeps nobody else; the run fails at its end.
 */
export async function moveShard({ input }: CaseloadTask, { store }: Deps) {
  const { tenant, commandId, round, shard } = input;
  const run = await readRun(store, input);
  const until = store.monotonic() + budgetMs;
  const waiting = (await allItems(store, tenant, commandId, shard)).filter(({ status }) => status === 'PENDING');
  for (const { refusal: _, ...item } of waiting) {
    if (store.monotonic() > until) return { done: false };
    const became = await moved(store, input, run, item).catch((error: unknown) => {
      if (error instanceof Busy) throw error; // later again; what is done by then replays
      store.log({
        alarm: 'item of a caseload failed',
        commandId,
        tenant,
        kind: item.kind,
        error: (error as Error).name,
      });
      return { status: 'FAILED' } as const;
    });
    await setItem(store, tenant, commandId, { ...item, round, updatedAt: instantOf(store.now()), ...became });
  }
  return { done: true };
}
