import type { LocalDate } from '../ids.ts';
import { plusWorkingDays, workingDaysBetween, type WorkingCalendar } from '../workingDays.ts';
import type { Case, StoppedClock } from './case.ts';

/** What is left of each deadline that has not passed, in working days, on the day the clock stops. */
export function stopped(current: Case, worked: WorkingCalendar, today: LocalDate): StoppedClock {
  const left = (due: LocalDate | undefined) =>
    due === undefined || due < today ? undefined : workingDaysBetween(worked, today, due);
  const dueAt = left(current.dueAt);
  const reviewDueAt = left(reviewDueAtOf(current));
  return {
    on: today,
    ...(dueAt !== undefined && { dueAt }),
    ...(reviewDueAt !== undefined && { reviewDueAt }),
  };
}

/** The deadlines if what was left of them runs from this day on. */
export function runningFrom(current: Case, left: StoppedClock, from: LocalDate, worked: WorkingCalendar): Case {
  const due = (days: number | undefined, otherwise: LocalDate | undefined) =>
    days === undefined ? otherwise : plusWorkingDays(worked, from, days);
  const moved = { ...current, dueAt: due(left.dueAt, current.dueAt) };
  return moved.status === 'UNDER_REVIEW'
    ? { ...moved, review: { ...moved.review, dueAt: due(left.reviewDueAt, moved.review.dueAt) } }
    : moved;
}

/** Names of the deadlines that are others than before. */
export const movedDeadlines = (before: Case, after: Case): string[] => [
  ...(before.dueAt === after.dueAt ? [] : ['dueAt']),
  ...(reviewDueAtOf(before) === reviewDueAtOf(after) ? [] : ['reviewDueAt']),
];

export const reviewDueAtOf = (current: Case): LocalDate | undefined =>
  current.status === 'UNDER_REVIEW' ? current.review.dueAt : undefined;
