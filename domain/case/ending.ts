import { update, type Change } from '../change.ts';
import type { Given } from '../command.ts';
import { always } from '../condition.ts';
import { letGo } from '../officer/load.ts';
import { preconditionFailed, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { openTasksOf } from '../task/arising.ts';
import type { OpenTask } from '../task/task.ts';
import { endsOpen, work, type Work } from '../task/work.ts';
import { todayIn, type Tenant } from '../tenant.ts';
import type { Case, ClosedCase, Outcome, Retention } from './case.ts';

/** What is owed before a case may end, however it ends. */
export const stillOwed = ({ openBlockingClose, openEffects }: Case): Refused | undefined => {
  if (openBlockingClose > 0)
    return preconditionFailed('OPEN_TASKS', `${openBlockingClose} open tasks must be done before closing`);
  return openEffects > 0
    ? refused('EFFECT_IN_FLIGHT', `${openEffects} notices or submissions are not settled yet`)
    : undefined;
};

/** Whom the case counts for until it ends: keys that stand only in the case. */
const leadOf = (current: Case | undefined) => ({
  ...(current?.leadOfficerId && {
    lead: ref.officer(current.leadOfficerId),
    load: ref.load(current.leadOfficerId, current.id),
  }),
});

/** Whom the case counts for, and what is left to do on it, for which nobody will be asked any more. */
export const leftIn = (current: Case | undefined) => ({ ...leadOf(current), ...openTasksOf(current) });
export const endsWith = (current: Case, left: OpenTask[] | undefined, given: Given): Work =>
  work(
    current,
    (left ?? []).map((task) => endsOpen(current.id, task, 'CANCELLED', given)),
  );

/** What every closed case says; the last lead, the memberships and the deadlines stay as they were. */
export const closing = (outcome: Outcome, tenant: Tenant, given: Given) =>
  ({
    status: 'CLOSED',
    outcome,
    closedAt: given.at,
    closedBy: given.actor.id,
    retention: retentionOf(outcome, tenant, given),
    suspendedUntil: undefined,
    stoppedClock: undefined,
  }) satisfies Partial<ClosedCase>;

/** Nobody's load and no region counts it any more. */
export const countsNoMore = (current: Case, given: Given): Change[] => [
  update(ref.openCases(current.region, given.counterShard), { add: { count: -1 } }, always),
  ...(current.leadOfficerId ? letGo(current.leadOfficerId, current.id) : []),
];

/** From today, the legal date of closing; PERMANENT stays a value. */
function retentionOf(outcome: Outcome, tenant: Tenant, given: Given): Retention {
  const trigger = todayIn(tenant, given);
  const years = tenant.retention[outcome];
  return {
    schedule: outcome,
    trigger,
    disposeAfter: years === 'PERMANENT' ? 'PERMANENT' : given.calendar.plusYears(trigger, years),
  };
}
