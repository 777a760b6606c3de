import { amendAction } from '../action/actionCommand.ts';
import { registrableTypes, type EnforcementAction, type Notice } from '../action/action.ts';
import { check, remove, update, type Change } from '../change.ts';
import { always, equals } from '../condition.ts';
import type { Given } from '../command.ts';
import { letGo } from '../officer/load.ts';
import { invalid, preconditionFailed, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings, todayIn, type Tenant } from '../tenant.ts';
import { reasonText } from '../text.ts';
import type { Case, ClosedCase, Outcome, Retention } from './case.ts';
import { caseTransition, defineCaseCommand, type CaseFor, type OnCase } from './caseCommand.ts';

export type CloseCase = OnCase<'closeCase'> & {
  /** How it ends; where a rejection has proposed one, that stands unless another is given. */
  outcome?: Outcome;
  reason: string;
};

type Closing = CaseFor<'closeCase'>;

/** The case ends: nothing is owed any more, nobody's load counts it, and its retention is known. */
export const closeCase = defineCaseCommand({
  type: 'closeCase',
  reads: ({ caseId }: CloseCase) => ({ tenant: ref.tenant(), enforcementGuard: ref.enforcementGuard(caseId) }),
  then: ({ case: current, enforcementGuard }, { caseId }) => ({
    ...(current?.leadOfficerId && {
      lead: ref.officer(current.leadOfficerId),
      load: ref.load(current.leadOfficerId, caseId),
    }),
    ...(current && 'activeActionId' in current && { action: ref.action(caseId, current.activeActionId) }),
    ...(enforcementGuard?.noticeId && { notice: ref.notice(caseId, enforcementGuard.noticeId) }),
  }),
  decide: (current, { tenant, action, notice }, command, given) => {
    const outcome = command.outcome ?? current.outcome;
    const no =
      reasonText(command.reason, 'reason') ??
      badOutcome(current, outcome) ??
      somethingOwed(current) ??
      (current.status === 'ENFORCEMENT' ? notEnforced(action, notice) : undefined) ??
      effectsOpen(current);
    if (no) return no;
    if (!tenant) return noSettings();

    const retention = retentionOf(outcome!, tenant, given);
    const { activeActionId, ...facts } = { activeActionId: undefined, ...current };
    const after: ClosedCase = {
      ...facts,
      status: 'CLOSED',
      outcome: outcome!,
      closedAt: given.at,
      closedBy: given.actor.id,
      retention,
    };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseClosed',
      changed: ['status', 'outcome', 'retention', ...(activeActionId ? ['activeActionId', 'action'] : [])],
      details: { outcome, reason: command.reason, ...retention },
      payload: { outcome, region: current.region, ...(activeActionId && { actionId: activeActionId }) },
      changes: [
        update(ref.openCases(current.region, given.counterShard), { add: { count: -1 } }, always),
        ...(current.leadOfficerId ? letGo(current.leadOfficerId, current.id) : []),
        ...(action ? concludes(action, notice) : []),
      ],
    });
  },
});

function badOutcome({ status }: Closing, outcome: Outcome | undefined): Refused | undefined {
  if (outcome === undefined) return preconditionFailed('OUTCOME', 'the case has no outcome yet');
  if (outcome === 'DUPLICATE') return invalid('OUTCOME', ['outcome'], 'a duplicate is closed as one, with its link');
  const enforced = status === 'ENFORCEMENT' || status === 'REGISTERED';
  return outcome === 'ENFORCED' && !enforced
    ? invalid('OUTCOME', ['outcome'], `a case that is ${status} was not enforced`)
    : undefined;
}

const somethingOwed = ({ openBlockingClose }: Case): Refused | undefined =>
  openBlockingClose > 0
    ? preconditionFailed('OPEN_TASKS', `${openBlockingClose} open tasks must be done before closing`)
    : undefined;

/** Enforcement ends with service where the registry does not enter the action; elsewhere it ends with registration. */
function notEnforced(action: EnforcementAction | undefined, notice: Notice | undefined): Refused | undefined {
  if (action && registrableTypes.includes(action.type))
    return preconditionFailed('NOT_REGISTERED', `a ${action.type} is registered before the case closes`);
  return action?.status === 'ISSUED' && notice?.status === 'SERVED'
    ? undefined
    : preconditionFailed('NOTICE_NOT_SERVED', 'the action is served before the case closes');
}

const effectsOpen = ({ openEffects }: Case): Refused | undefined =>
  openEffects > 0
    ? refused('EFFECT_IN_FLIGHT', `${openEffects} notices or submissions are not settled yet`)
    : undefined;

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

/** The action has done its work: it is final, and the guard is free. */
const concludes = (action: EnforcementAction, notice: Notice | undefined): Change[] => [
  amendAction(action, { ...action, status: 'CONCLUDED' }),
  remove(ref.enforcementGuard(action.caseId), equals('actionId', action.id)),
  ...(notice ? [check(ref.notice(action.caseId, notice.id), equals('status', notice.status))] : []),
];
