import { InvariantBreach } from '../../domain/answer.ts';
import type { CaseloadRun, RunItem } from '../../domain/officer/caseloadRun.ts';
import { ref } from '../../domain/refs.ts';
import { instantOf } from '../../store/calendar.ts';
import {
  addItem,
  allItems,
  caseloadOf,
  caseloadShards,
  digestOf,
  planned,
  setItem,
  shardOfItem,
} from '../../store/caseload.ts';
import { readItems } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import { eachOfSeveral } from '../eachApart.ts';
import type { Deps } from '../task.ts';
import type { CaseloadInput, CaseloadTask, Scan } from './input.ts';

/** Whoever was being given something when the officer began to leave has done so, or was refused. */
export const settledAfterMs = 60_000;
/** For a leaver: how many looks in a row must find nothing. */
const quietLooks = 2;

/**
 * Looks at what the officer has, and puts down what is to be moved: the first time, only if it is what the supervisor has
 * accepted. Repeated, it puts down the same. For a leaver it looks until nothing turns up any more.
 */
export async function scanCaseload({ input }: CaseloadTask, { store }: Deps) {
  const run = await readRun(store, input);
  const { tenant, commandId } = input;
  const plan = planned(await caseloadOf(store, tenant, run.officerId), run.toOfficerIds);
  const known = new Map((await allItems(store, tenant, commandId)).map((item) => [placeOf(item), item]));
  const number = (input.scan?.number ?? 0) + 1;
  const answer = (next: Scan['next'], quiet: number) => ({
    ...{ next, number, quiet, leaves: run.leaves },
    shards: Array.from({ length: caseloadShards }, (_, shard) => shard),
  });
  const begun = known.size > 0 || input.round > 1 || number > 1;
  if (!begun && digestOf(run.officerId, plan) !== run.previewDigest) return answer('CHANGED', 0);

  const now = instantOf(store.now());
  await eachOfSeveral(plan, 8, async (item) => {
    const row = known.get(placeOf(item));
    const fresh = { ...item, shard: shardOfItem(item), status: 'PENDING', round: input.round, updatedAt: now } as const;
    if (!row) await addItem(store, tenant, commandId, fresh);
    // What an earlier round could not move is tried again; what this one could not stands.
    else if (isStuck(row) && row.round < input.round) await setItem(store, tenant, commandId, fresh);
  });
  const waiting = (await allItems(store, tenant, commandId)).some(({ status }) => status === 'PENDING');
  if (waiting) return answer('MOVE', 0);
  if (!run.leaves) return answer('FINISH', 0);
  const settled = store.now() - Date.parse(run.startedAt) >= settledAfterMs;
  const quiet = settled ? (input.scan?.quiet ?? 0) + 1 : 0;
  return answer(quiet >= quietLooks ? 'FINISH' : 'WAIT', quiet);
}

const isStuck = ({ status }: RunItem) => status === 'REFUSED' || status === 'FAILED';
const placeOf = ({ kind, caseId, taskId }: Pick<RunItem, 'kind' | 'caseId' | 'taskId'>) =>
  `${kind} ${caseId} ${taskId ?? ''}`;

export async function readRun(store: Store, { tenant, commandId }: CaseloadInput): Promise<CaseloadRun> {
  const [run] = await readItems(store, tenant, [ref.caseload(commandId)]);
  if (!run) throw new InvariantBreach('a run that nobody asked for');
  return run;
}
