import { amendAction } from '../action/actionCommand.ts';
import { registrableTypes, type EnforcementAction, type Notice } from '../action/action.ts';
import { check, remove, type Change } from '../change.ts';
import { equals } from '../condition.ts';
import { invalid, preconditionFailed, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings } from '../tenant.ts';
import { reasonText } from '../text.ts';
import type { ClosedCase, Outcome } from './case.ts';
import { caseTransition, defineCaseCommand, type CaseFor, type OnCase } from './caseCommand.ts';
import { closing, countsNoMore, leftIn, endsWith, stillOwed } from './ending.ts';

export type CloseCase = OnCase<'closeCase'> & {
  /** How it ends; where a rejection has proposed one, that stands unless another is given. */
  outcome?: Outcome;
  reason: string;
};

type Closing = CaseFor<'closeCase'>;

/** The case ends: nothing is owed any more, nobody's load counts it, and its retention is known. */
export const closeCase = defineCaseCommand({
  type: 'closeCase',
  invariant: [
    'Nothing is owed by a closed case: no blocking task, no open effect, no unserved or unregistered action.',
    'A closed case has no open task.',
    'A closed case counts for nobody and in no region, and its retention is known.',
  ],
  reads: ({ caseId }: CloseCase) => ({ tenant: ref.tenant(), enforcementGuard: ref.enforcementGuard(caseId) }),
  then: ({ case: current, enforcementGuard }, { caseId }) => ({
    ...leftIn(current),
    ...(current && 'activeActionId' in current && { action: ref.action(caseId, current.activeActionId) }),
    ...(enforcementGuard?.noticeId && { notice: ref.notice(caseId, enforcementGuard.noticeId) }),
  }),
  decide: (current, { tenant, action, notice, openTasks }, command, given) => {
    const outcome = command.outcome ?? (isEnforced(current) ? 'ENFORCED' : current.outcome);
    const no =
      reasonText(command.reason, 'reason') ??
      badOutcome(current, outcome) ??
      (current.status === 'ENFORCEMENT' ? notEnforced(action, notice) : undefined) ??
      stillOwed(current);
    if (no) return no;
    if (!tenant) return noSettings();

    const { activeActionId, ...facts } = { activeActionId: undefined, ...current };
    const tasks = endsWith(current, openTasks, given);
    const after: ClosedCase = { ...facts, ...tasks.counts, ...closing(outcome!, tenant, given) };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseClosed',
      changed: ['status', 'outcome', 'retention', ...(activeActionId ? ['activeActionId', 'action'] : [])],
      details: { outcome, reason: command.reason, ...after.retention, ...tasks.details },
      payload: { outcome, region: current.region, ...(activeActionId && { actionId: activeActionId }) },
      changes: [...tasks.changes, ...countsNoMore(current, given), ...(action ? concludes(action, notice) : [])],
    });
  },
});

const isEnforced = ({ status }: Closing) => status === 'ENFORCEMENT' || status === 'REGISTERED';

/** What the record says must not contradict what the registry says. */
function badOutcome(current: Closing, outcome: Outcome | undefined): Refused | undefined {
  if (outcome === undefined) return preconditionFailed('OUTCOME', 'the case has no outcome yet');
  if (outcome === 'DUPLICATE') return invalid('OUTCOME', ['outcome'], 'a duplicate is closed as one, with its link');
  const enforced = isEnforced(current);
  if ((outcome === 'ENFORCED') === enforced) return undefined;
  const was = enforced ? 'was enforced, and closes as ENFORCED' : 'was not enforced';
  return invalid('OUTCOME', ['outcome'], `a case that is ${current.status} ${was}`);
}

/** Enforcement ends with service where the registry does not enter the action; elsewhere it ends with registration. */
function notEnforced(action: EnforcementAction | undefined, notice: Notice | undefined): Refused | undefined {
  if (action && registrableTypes.includes(action.type))
    return preconditionFailed('NOT_REGISTERED', `a ${action.type} is registered before the case closes`);
  return action?.status === 'ISSUED' && notice?.status === 'SERVED'
    ? undefined
    : preconditionFailed('NOTICE_NOT_SERVED', 'the action is served before the case closes');
}

/** The action has done its work: it is final, and the guard is free. */
const concludes = (action: EnforcementAction, notice: Notice | undefined): Change[] => [
  amendAction(action, { ...action, status: 'CONCLUDED' }),
  remove(ref.enforcementGuard(action.caseId), equals('actionId', action.id)),
  ...(notice ? [check(ref.notice(action.caseId, notice.id), equals('status', notice.status))] : []),
];
