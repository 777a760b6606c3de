import type { TenantId } from '../../domain/ids.ts';
import type { Deps, Task } from '../task.ts';
import * as pass from './pass.ts';
import { settle } from './settle.ts';

/** What a night's pass is started with; a shard where it looks at one. */
export type PassInput = { tenant: TenantId; date: string; correlationId: string; shard?: string };
type PassTask = Task<PassInput>;

/** Milliseconds a task works before it lets the next one go on; it ends well before its own time is up. */
const budgetMs = 25_000;

const passOf = ({ input: { tenant, date } }: PassTask, { store, scan }: Deps): pass.Pass => ({
  ...{ store, scan, tenant, date },
});

export const lookAtShard = (task: PassTask, deps: Deps) =>
  pass.lookAtShard(passOf(task, deps), task.input.shard!, budgetMs);

export const compareRegions = async (task: PassTask, deps: Deps) => {
  await pass.compareRegions(passOf(task, deps), 'FIRST');
  return { done: true };
};

export const lookAgain = (task: PassTask, deps: Deps) => pass.lookAgain(passOf(task, deps), budgetMs);

/** The report is one line of the log: figures are read out of it (infra/), and people read the findings. */
export const endFindings = async (task: PassTask, deps: Deps) => {
  const { tenant, date } = task.input;
  const { done, open, repaired, ...report } = await settle(passOf(task, deps), budgetMs);
  if (!done) return { done };
  const counts = { open: open.length, repaired: repaired.length };
  deps.store.log({ reconciliation: 'done', tenant, date, ...report, ...counts });
  if (open.length > 0) deps.store.log({ alarm: 'findings are open', tenant, ...counts });
  return { done };
};
