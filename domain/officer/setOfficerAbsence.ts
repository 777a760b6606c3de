import { check } from '../change.ts';
import { equals } from '../condition.ts';
import type { LocalDate, OfficerId } from '../ids.ts';
import { invalid, noChange, preconditionFailed, referenceInvalid, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings, todayIn } from '../tenant.ts';
import { calendarDate, firstOf } from '../text.ts';
import type { Officer } from './officer.ts';
import { defineOfficerCommand, officerTransition, type OnOfficer } from './officerCommand.ts';

export type Absence = { from: LocalDate; to: LocalDate; delegateId?: OfficerId };
export type SetOfficerAbsence = OnOfficer<'setOfficerAbsence'> & {
  /** Both days included; null: not absent, or back already. */
  absence: Absence | null;
};

/** When nothing is assigned to an officer, and who stands in meanwhile. What they lead stays theirs. */
export const setOfficerAbsence = defineOfficerCommand({
  type: 'setOfficerAbsence',
  invariant: [
    'On a day of absence nothing is assigned to the officer, whichever of the two was asked for first.',
    'Who stands in is another officer, active when named.',
  ],
  reads: ({ absence }: SetOfficerAbsence) => ({
    tenant: ref.tenant(),
    ...(absence?.delegateId && { delegate: ref.officer(absence.delegateId) }),
  }),
  decide: (current, { tenant, delegate }, command, given) => {
    const { absence } = command;
    if (same(absence, current)) return noChange('the officer is absent on exactly these days already');
    if (!tenant) return noSettings();
    const no = absence && (badDays(absence, todayIn(tenant, given)) ?? badDelegate(absence, current, delegate));
    if (no) return no;

    const { absentFrom, absentTo, delegateId, ...facts } = current;
    const after: Officer = absence
      ? { ...facts, absentFrom: absence.from, absentTo: absence.to, delegateId: absence.delegateId }
      : facts;
    return officerTransition(current, after, command, {
      announces: 'OfficerAbsenceSet',
      changed: ['absence'],
      details: { was: absentFrom ? { from: absentFrom, to: absentTo, delegateId: delegateId ?? null } : null, absence },
      changes: absence?.delegateId ? [check(ref.officer(absence.delegateId), equals('state', 'ACTIVE'))] : [],
    });
  },
});

const same = (absence: Absence | null, { absentFrom, absentTo, delegateId }: Officer) =>
  absence?.from === absentFrom && absence?.to === absentTo && absence?.delegateId === delegateId;

function badDays({ from, to }: Absence, today: LocalDate): Refused | undefined {
  const no = firstOf(calendarDate(from, 'absence', 'from'), calendarDate(to, 'absence', 'to'));
  if (no) return no;
  if (to < from) return invalid('ENDS_BEFORE_IT_BEGINS', ['absence', 'to'], 'ends before it begins');
  return to < today ? invalid('NOT_IN_PAST', ['absence', 'to'], 'lies in the past') : undefined;
}

function badDelegate({ delegateId }: Absence, { id }: Officer, delegate: Officer | undefined): Refused | undefined {
  if (delegateId === undefined) return undefined;
  if (delegateId === id) return invalid('NOT_ITSELF', ['absence', 'delegateId'], 'nobody stands in for themselves');
  if (!delegate) return referenceInvalid('delegateId', 'no such officer');
  return delegate.state === 'ACTIVE'
    ? undefined
    : preconditionFailed('OFFICER_NOT_ACTIVE', `the officer who would stand in is ${delegate.state}`);
}
