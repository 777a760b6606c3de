import { check, remove, update, type Change } from '../change.ts';
import type { Given } from '../command.ts';
import { absent, all, always, contains, equals, exists, type Condition } from '../condition.ts';
import type { CaseId, LocalDate, OfficerId } from '../ids.ts';
import { assignable, canLead, letGo, stillAssignable, takeOn, type LimitOverride } from '../officer/load.ts';
import type { Officer } from '../officer/officer.ts';
import { preconditionFailed, type Refused } from '../refusal.ts';
import { many, ref, type Many } from '../refs.ts';
import { noSettings, todayIn } from '../tenant.ts';
import { firstOf, reasonText } from '../text.ts';
import type { InvestigatorGuard, OpenCase, ReopenGround } from './case.ts';
import { caseTransition, defineCaseCommand, type CaseFor, type OnCase } from './caseCommand.ts';
import { notExcluded, notItsReviewer } from './separation.ts';

export type ReopenCase = OnCase<'reopenCase'> & {
  ground: ReopenGround;
  reason: string;
  /** Who leads from now on; the last lead unless given. */
  leadOfficerId?: OfficerId;
  /** Given, it lifts the limit of the lead's load. */
  overrideLimitReason?: string;
};

type Ended = CaseFor<'reopenCase'>;

/** A case that was rejected or closed is taken up again; what was decided before stays in its reviews and its audit. */
export const reopenCase = defineCaseCommand({
  type: 'reopenCase',
  invariant: [
    'A live case counts once in its region and once for its lead, who is active, not absent and below the limit.',
    'Nobody investigates a live case who is no longer active, and nobody is lead and investigator of one case.',
    'Who decided the case does not lead it, and a live case has no date of disposal.',
  ],
  reads: ({ caseId, leadOfficerId }: ReopenCase) => ({
    tenant: ref.tenant(),
    ...(leadOfficerId && toLead(leadOfficerId, caseId)),
  }),
  then: ({ case: current, ...found }, { caseId, leadOfficerId }) => {
    const last = current?.leadOfficerId;
    const members: Many<'member', Officer> = many('member', membersOf(guardIn(found)), ref.officer);
    return {
      ...members,
      ...(last && !leadOfficerId && toLead(last, caseId)),
      ...(last &&
        leadOfficerId &&
        counts(current) && { former: ref.officer(last), formerLoad: ref.load(last, caseId) }),
    };
  },
  decide: (current, found, command, given) => {
    const { ground, reason, overrideLimitReason } = command;
    const leadId = command.leadOfficerId ?? current.leadOfficerId;
    if (current.redactedAt) return preconditionFailed('REDACTED', 'the content of the case is gone');
    if (!leadId) return preconditionFailed('LEAD_NEEDED', 'nobody led the case last; name who leads it from now on');
    const no =
      notItsReviewer(current, leadId) ??
      notExcluded(found.exclusionOfLead) ??
      firstOf(
        reasonText(reason, 'reason'),
        overrideLimitReason === undefined ? undefined : reasonText(overrideLimitReason, 'overrideLimitReason'),
      );
    if (no) return no;
    if (!found.tenant) return noSettings();
    const today = todayIn(found.tenant, given);
    const override = overrideLimitReason === undefined ? undefined : { reason: overrideLimitReason };
    const cannot = cannotLead(current, leadId, found.lead, today, override);
    if (cannot) return cannot;

    const leaving = membersOf(found.investigatorGuard).filter(
      (id) => id === leadId || memberIn(found, id)?.state !== 'ACTIVE',
    );
    const after = reopened(current, leadId);
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseReopened',
      changed: [
        'status',
        'outcome',
        'decision',
        'reopenCount',
        ...(current.status === 'CLOSED' ? ['retention'] : []),
        ...(leadId === current.leadOfficerId ? [] : ['leadOfficerId']),
        ...(leaving.length > 0 ? ['investigators'] : []),
      ],
      details: {
        ground,
        reason,
        leadOfficerId: leadId,
        was: { status: current.status, outcome: current.outcome ?? null },
        ...(override && { overrideLimitReason }),
        ...(leaving.length > 0 && { leftInvestigators: leaving }),
      },
      payload: { ground, leadOfficerId: leadId, region: current.region },
      changes: [
        ...leads(current, leadId, today, override, given),
        check(ref.exclusion(current.id, leadId), absent),
        ...(counts(current)
          ? []
          : [update(ref.openCases(current.region, given.counterShard), { add: { count: 1 } }, always)]),
        ...investigates(current.id, found.investigatorGuard, leaving, found),
      ],
    });
  },
});

const toLead = (officerId: OfficerId, caseId: CaseId) => ({
  lead: ref.officer(officerId),
  exclusionOfLead: ref.exclusion(caseId, officerId),
});

/** A rejected case was live all the time; a closed one counts again from now on. */
const counts = (current: { status: string }) => current.status !== 'CLOSED';

const guardIn = (found: object) => (found as { investigatorGuard?: InvestigatorGuard }).investigatorGuard;
const memberIn = (found: object, id: OfficerId) =>
  (found as Record<string, Officer | undefined>)[`member:${id as string}`];
const membersOf = (guard: InvestigatorGuard | undefined): OfficerId[] => [...(guard?.officerIds ?? [])].sort();

function reopened(current: Ended, leadOfficerId: OfficerId): OpenCase {
  const { decision: _, outcome: __, ...facts } = current;
  return {
    ...facts,
    status: 'OPEN',
    leadOfficerId,
    reopenCount: current.reopenCount + 1,
    ...{ closedAt: undefined, closedBy: undefined, retention: undefined, duplicateOfCaseId: undefined },
  };
}

/** Who leads and is counted already needs no room. */
const cannotLead = (
  current: Ended,
  leadId: OfficerId,
  lead: Officer | undefined,
  today: LocalDate,
  override: LimitOverride | undefined,
): Refused | undefined =>
  counts(current) && leadId === current.leadOfficerId
    ? assignable(lead, 'leadOfficerId', today)
    : canLead(lead, 'leadOfficerId', today, override);

function leads(
  current: Ended,
  leadId: OfficerId,
  today: LocalDate,
  override: LimitOverride | undefined,
  given: Given,
): Change[] {
  const { id, leadOfficerId: last } = current;
  if (counts(current) && last === leadId) return [check(ref.officer(leadId), stillAssignable(today))];
  return [...(counts(current) && last ? letGo(last, id) : []), ...takeOn(leadId, id, today, override, given)];
}

/** Memberships that rested with the case count again, but for those of people who left, and of the lead. */
function investigates(
  caseId: CaseId,
  guard: InvestigatorGuard | undefined,
  leaving: OfficerId[],
  found: object,
): Change[] {
  if (!guard) return [];
  const members = membersOf(guard);
  const asRead = all(equals('activeCount', guard.activeCount), ...members.map((id) => contains('officerIds', id)));
  const drop = { officerIds: new Set(leaving) };
  return [
    leaving.length > 0
      ? update(ref.investigatorGuard(caseId), { add: { activeCount: -leaving.length }, drop }, asRead)
      : check(ref.investigatorGuard(caseId), asRead),
    ...leaving.map((id) => remove(ref.investigator(caseId, id), exists)),
    ...members.map((id) => check(ref.officer(id), asItWas(memberIn(found, id)))),
  ];
}

const asItWas = (officer: Officer | undefined): Condition => (officer ? equals('state', officer.state) : absent);
