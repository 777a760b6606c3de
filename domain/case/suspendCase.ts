import type { LocalDate } from '../ids.ts';
import { invalid, noChange, preconditionFailed, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings, todayIn } from '../tenant.ts';
import { calendarDate, firstOf, reasonText } from '../text.ts';
import { daysBetween } from '../workingDays.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';
import { movedDeadlines, runningFrom, stopped } from './deadlines.ts';

export type SuspendCase = OnCase<'suspendCase'> & {
  /** The deadlines go on from this day at the latest; the case rests until it is resumed. */
  until: LocalDate;
  reason: string;
};
export type ResumeCase = OnCase<'resumeCase'> & { reason: string };

const atMostDays = 3 * 366;

/** The case rests: its facts stay as they are and its deadlines wait. Suspended again, it is until another day. */
export const suspendCase = defineCaseCommand({
  type: 'suspendCase',
  invariant: [
    'A suspension takes no working day from a deadline and gives none to one that has passed.',
    'The facts of a suspended case rest.',
  ],
  reads: (_command: SuspendCase) => ({ tenant: ref.tenant() }),
  decide: (current, { tenant }, command, given) => {
    const { until, reason } = command;
    if (current.suspendedUntil === until) return noChange(`the case is suspended until ${until} already`);
    if (!tenant) return noSettings();
    const today = todayIn(tenant, given);
    const no = firstOf(calendarDate(until, 'until'), badUntil(until, today), reasonText(reason, 'reason'));
    if (no) return no;

    // A suspension that is over has given back what it held; until then the clock stands where it was stopped.
    const { suspendedUntil, stoppedClock } = current;
    const stands = stoppedClock && suspendedUntil !== undefined && suspendedUntil >= today;
    const clock = stands ? stoppedClock : stopped(current, tenant, today);
    const after = { ...runningFrom(current, clock, until, tenant), suspendedUntil: until, stoppedClock: clock };
    const moved = movedDeadlines(current, after);
    return caseTransition(current, after, command, given, {
      moves: 'overlay',
      announces: 'CaseSuspended',
      changed: ['suspendedUntil', ...moved],
      details: { until, reason, workingDaysLeft: clock, ...(after.dueAt && { dueAt: after.dueAt }) },
      payload: { until },
    });
  },
});

/** The case goes on. Its deadlines run from today, or from the day the suspension was to end where that has passed. */
export const resumeCase = defineCaseCommand({
  type: 'resumeCase',
  invariant: ['A deadline has as many working days left as when the clock was stopped.'],
  reads: (_command: ResumeCase) => ({ tenant: ref.tenant() }),
  decide: (current, { tenant }, command, given) => {
    const { suspendedUntil, stoppedClock, ...facts } = current;
    if (suspendedUntil === undefined) return preconditionFailed('NOT_SUSPENDED', 'the case is not suspended');
    const no = reasonText(command.reason, 'reason');
    if (no) return no;
    if (!tenant) return noSettings();

    const today = todayIn(tenant, given);
    const from = today < suspendedUntil ? today : suspendedUntil;
    const after = stoppedClock ? runningFrom(facts, stoppedClock, from, tenant) : facts;
    return caseTransition(current, after, command, given, {
      moves: 'overlay',
      announces: 'CaseResumed',
      changed: ['suspendedUntil', ...movedDeadlines(current, after)],
      details: { reason: command.reason, runsFrom: from, ...(after.dueAt && { dueAt: after.dueAt }) },
    });
  },
});

function badUntil(until: LocalDate, today: LocalDate): Refused | undefined {
  if (until <= today) return invalid('IN_FUTURE', ['until'], 'must lie in the future');
  return daysBetween(today, until) > atMostDays
    ? invalid('TOO_FAR', ['until'], 'is more than three years away')
    : undefined;
}
