import { create, remove, update, type Change } from '../change.ts';
import { above, all, any, below, belowAttribute, equals, exists, missing, type Condition } from '../condition.ts';
import type { Given } from '../command.ts';
import type { CaseId, LocalDate, OfficerId } from '../ids.ts';
import { preconditionFailed, referenceInvalid, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import type { Officer } from './officer.ts';

/** Overriding the limit is a supervisor's act with a reason; it drops the bound and still counts. */
export type LimitOverride = { reason: string };

/** Whether new work may be given to the officer: active and not absent. */
export function assignable(officer: Officer | undefined, name: string, today: LocalDate): Refused | undefined {
  if (!officer) return referenceInvalid(name, 'no such officer');
  if (officer.state !== 'ACTIVE') return preconditionFailed('OFFICER_NOT_ACTIVE', `the officer is ${officer.state}`);
  if (isAbsent(officer, today)) return preconditionFailed('OFFICER_ABSENT', 'the officer is absent today');
  return undefined;
}

/** The same, and with room for one more case. */
export function canLead(
  officer: Officer | undefined,
  name: string,
  today: LocalDate,
  override: LimitOverride | undefined,
): Refused | undefined {
  const no = assignable(officer, name, today);
  if (no) return no;
  const { activeLoad, maxLoad } = officer!;
  if (override || activeLoad < maxLoad) return undefined;
  return refused(
    'LIMIT_REACHED',
    `the officer leads ${activeLoad} cases of at most ${maxLoad}; close or move one, or let a supervisor override`,
    { limit: maxLoad, count: activeLoad },
  );
}

/** The premise of `assignable`, for a transaction that validates the officer without writing it. */
export const stillAssignable = (today: LocalDate): Condition =>
  all(
    exists,
    equals('state', 'ACTIVE'),
    any(missing('absentFrom'), above('absentFrom', today), below('absentTo', today)),
  );

/** The case counts for the officer from now on; the bound is in the write itself. */
export function takeOn(
  officerId: OfficerId,
  caseId: CaseId,
  today: LocalDate,
  override: LimitOverride | undefined,
  given: Given,
): Change[] {
  const bound = override ? [] : [belowAttribute('activeLoad', 'maxLoad')];
  return [
    update(ref.officer(officerId), { add: { activeLoad: 1, loadSeq: 1 } }, all(stillAssignable(today), ...bound)),
    create(ref.load(officerId, caseId), { officerId, caseId, since: given.at }),
  ];
}

/** The case no longer counts for the officer. A count below the rows would be an invariant breach, so it cannot happen. */
export const letGo = (officerId: OfficerId, caseId: CaseId): Change[] => [
  update(ref.officer(officerId), { add: { activeLoad: -1, loadSeq: 1 } }, all(exists, above('activeLoad', 0))),
  remove(ref.load(officerId, caseId), exists),
];

const isAbsent = (officer: Officer, today: LocalDate) =>
  officer.absentFrom !== undefined &&
  officer.absentTo !== undefined &&
  officer.absentFrom <= today &&
  today <= officer.absentTo;
