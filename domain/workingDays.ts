import type { LocalDate } from './ids.ts';
import type { Tenant } from './tenant.ts';

/** Which days are worked: weekdays of the tenant, without its holidays. Dates only; no zone and no clock come in here. */
export type WorkingCalendar = Pick<Tenant, 'workingDays' | 'holidays'>;

const msPerDay = 86_400_000;

export function isWorkingDay({ workingDays, holidays }: WorkingCalendar, date: LocalDate): boolean {
  return (workingDays.length === 0 || workingDays.includes(weekdayOf(date))) && !holidays.includes(date);
}

/** The first working day on or after a date. */
export const workingDayFrom = (worked: WorkingCalendar, date: LocalDate): LocalDate =>
  isWorkingDay(worked, date) ? date : plusWorkingDays(worked, date, 1);

/**
 * The last day of a period of so many working days that begins the day after `date`; back in time where negative. A
 * period of no days ends on the date itself. A tenant that names no weekday works on all of them.
 */
export function plusWorkingDays(worked: WorkingCalendar, date: LocalDate, days: number): LocalDate {
  const step = days < 0 ? -1 : 1;
  let day = date;
  for (let left = Math.abs(days); left > 0;) {
    day = moved(day, step);
    if (isWorkingDay(worked, day)) left -= 1;
  }
  return day;
}

/** How many working days lie after `from`, up to and including `to`; negative where `to` lies before. */
export function workingDaysBetween(worked: WorkingCalendar, from: LocalDate, to: LocalDate): number {
  if (to < from) return -workingDaysBetween(worked, to, from);
  let count = 0;
  for (let day = from; day < to;) {
    day = moved(day, 1);
    if (isWorkingDay(worked, day)) count += 1;
  }
  return count;
}

/** How many days of the calendar lie between two dates. */
export const daysBetween = (from: LocalDate, to: LocalDate): number => dayNumber(to) - dayNumber(from);

const dayNumber = (date: LocalDate): number => {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return Date.UTC(year, month - 1, day) / msPerDay;
};

const moved = (date: LocalDate, days: number): LocalDate =>
  new Date((dayNumber(date) + days) * msPerDay).toISOString().slice(0, 10) as LocalDate;

/** 1 for Monday to 7 for Sunday; day 0 of the count, 1 January 1970, was a Thursday. */
const weekdayOf = (date: LocalDate): number => ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;
