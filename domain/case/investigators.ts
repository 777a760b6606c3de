import { check, create, remove, update } from '../change.ts';
import { above, absent, below, exists } from '../condition.ts';
import type { CaseId, OfficerId } from '../ids.ts';
import { assignable, stillAssignable } from '../officer/load.ts';
import { preconditionFailed, refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { openTasksOf } from '../task/arising.ts';
import { passes, work } from '../task/work.ts';
import { hardLimits, noSettings, todayIn } from '../tenant.ts';
import { reasonText } from '../text.ts';
import type { Investigator } from './case.ts';
import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from './caseCommand.ts';
import { notExcluded, notItsReviewer } from './separation.ts';

export type AddInvestigator = OnAnyVersion<'addInvestigator'> & { officerId: OfficerId };
export type RemoveInvestigator = OnAnyVersion<'removeInvestigator'> & { officerId: OfficerId; reason: string };

/** An officer joins the investigation, while the guard has room: at most three, or fewer where the tenant says so. */
export const addInvestigator = defineCaseCommand({
  type: 'addInvestigator',
  invariant: [
    'At most three officers investigate a case, or fewer where the tenant says so.',
    'An officer investigates a case once, is active and not absent when joining, and is neither its lead, its reviewer nor excluded.',
  ],
  stale: anyVersion,
  reads: ({ caseId, officerId }: AddInvestigator) => ({
    tenant: ref.tenant(),
    investigator: ref.officer(officerId),
    membership: ref.investigator(caseId, officerId),
    exclusionOfOfficer: ref.exclusion(caseId, officerId),
  }),
  decide: (current, found, command, given) => {
    const { caseId, officerId } = command;
    if (found.membership) return refused('ALREADY_MEMBER', 'the officer investigates this case already');
    const apart = notItsReviewer(current, officerId) ?? notExcluded(found.exclusionOfOfficer);
    if (apart) return apart;
    if (current.leadOfficerId === officerId)
      return preconditionFailed('IS_LEAD', 'the lead officer investigates without being a member');
    if (!found.tenant) return noSettings();
    const today = todayIn(found.tenant, given);
    const no = assignable(found.investigator, 'officerId', today);
    if (no) return no;
    const limit = Math.min(hardLimits.investigators, found.tenant.limits.investigators);
    const count = found.investigatorGuard?.activeCount ?? 0;
    if (count >= limit)
      return refused('LIMIT_REACHED', `the case has ${count} of ${limit} investigators`, { limit, count });

    const membership: Investigator = { officerId, caseId, addedAt: given.at, addedBy: given.actor.id };
    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'InvestigatorAdded',
      changed: ['investigators'],
      details: { officerId },
      payload: { officerId },
      notifies: [{ template: 'INVESTIGATOR_ADDED', recipientId: officerId }],
      changes: [
        update(
          ref.investigatorGuard(caseId),
          { add: { activeCount: 1, officerIds: new Set([officerId]) } },
          below('activeCount', limit),
        ),
        create(ref.investigator(caseId, officerId), membership),
        check(ref.officer(officerId), stillAssignable(today)),
        check(ref.exclusion(caseId, officerId), absent),
      ],
    });
  },
});

/** An officer leaves the investigation; the place is free at once. */
export const removeInvestigator = defineCaseCommand({
  type: 'removeInvestigator',
  invariant: [
    'A membership and its place in the guard end together.',
    'What the officer had to do on the case goes back to its team.',
  ],
  stale: anyVersion,
  reads: ({ caseId, officerId }: RemoveInvestigator) => ({ membership: ref.investigator(caseId, officerId) }),
  then: ({ case: current }) => openTasksOf(current),
  decide: (current, { membership, openTasks = [] }, command, given) => {
    const { caseId, officerId, reason } = command;
    if (!membership) return preconditionFailed('NOT_A_MEMBER', 'the officer does not investigate this case');
    const bad = reasonText(reason, 'reason');
    if (bad) return bad;

    const theirs = openTasks.filter(({ assigneeId }) => assigneeId === officerId);
    const tasks = work(
      current,
      theirs.map((task) => passes(caseId, task, undefined)),
    );
    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'InvestigatorRemoved',
      changed: ['investigators'],
      details: { officerId, reason, ...tasks.details },
      payload: { officerId },
      changes: [...leaves(caseId, officerId), ...tasks.changes],
    });
  },
});

/** The membership ends and its place in the guard is free: in one transaction, so that they cannot disagree. */
export const leaves = (caseId: CaseId, officerId: OfficerId) => [
  update(
    ref.investigatorGuard(caseId),
    { add: { activeCount: -1 }, drop: { officerIds: new Set([officerId]) } },
    above('activeCount', 0),
  ),
  remove(ref.investigator(caseId, officerId), exists),
];
