import type { Instant, LocalDate } from './ids.ts';

/** Legal dates; Intl stays outside the domain. */
export type Calendar = {
  dateIn: (zone: string, at: Instant) => LocalDate;
  plusDays: (date: LocalDate, days: number) => LocalDate;
  plusYears: (date: LocalDate, years: number) => LocalDate;
};
