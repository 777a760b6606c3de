import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LocalDate } from '../../domain/ids.ts';
import {
  daysBetween,
  isWorkingDay,
  plusWorkingDays,
  workingDayFrom,
  workingDaysBetween,
  type WorkingCalendar,
} from '../../domain/workingDays.ts';

const day = (offset: number) => new Date(Date.UTC(2026, 0, 1 + offset)).toISOString().slice(0, 10) as LocalDate;
const date = fc.integer({ min: -800, max: 800 }).map(day);
const calendar: fc.Arbitrary<WorkingCalendar> = fc.record({
  workingDays: fc.subarray([1, 2, 3, 4, 5, 6, 7]),
  holidays: fc.array(date, { maxLength: 20 }),
});
const days = fc.integer({ min: 0, max: 60 });
const week: WorkingCalendar = { workingDays: [1, 2, 3, 4, 5], holidays: ['2026-05-01' as LocalDate] };
const on = (text: string) => text as LocalDate;

describe('working days', () => {
  const table = [
    ['2026-04-30', 1, '2026-05-04', 'Thursday, then a holiday and a weekend'],
    ['2026-05-02', 1, '2026-05-04', 'Saturday'],
    ['2026-05-04', 5, '2026-05-11', 'a week'],
    ['2026-05-04', -1, '2026-04-30', 'back over the holiday'],
    ['2026-05-02', 0, '2026-05-02', 'no days at all'],
  ] as const;
  for (const [from, count, to, what] of table)
    it(`end ${count} of them after ${from} on ${to}: ${what}`, () =>
      expect(plusWorkingDays(week, on(from), count)).toBe(to));

  it('end on a working day, so many of them later', () => {
    fc.assert(
      fc.property(calendar, date, days, (worked, from, count) => {
        const to = plusWorkingDays(worked, from, count);
        expect(workingDaysBetween(worked, from, to)).toBe(count);
        if (count > 0) expect(isWorkingDay(worked, to)).toBe(true);
      }),
    );
  });

  it('count forwards what they count backwards', () => {
    fc.assert(
      fc.property(calendar, date, date, (worked, a, b) => {
        expect(workingDaysBetween(worked, a, b) + workingDaysBetween(worked, b, a)).toBe(0);
      }),
    );
  });

  it('add up, wherever the time is cut in two', () => {
    fc.assert(
      fc.property(calendar, date, days, days, (worked, from, a, b) => {
        const cut = plusWorkingDays(worked, plusWorkingDays(worked, from, a), b);
        expect(cut).toBe(plusWorkingDays(worked, from, a + b));
      }),
    );
  });

  it('are never more than the days of the calendar, and all of them where no weekday is named', () => {
    fc.assert(
      fc.property(calendar, date, days, (worked, from, length) => {
        const to = plusWorkingDays({ workingDays: [], holidays: [] }, from, length);
        expect(daysBetween(from, to)).toBe(length);
        expect(workingDaysBetween(worked, from, to)).toBeLessThanOrEqual(length);
      }),
    );
  });

  it('begin with the day itself where it is one', () => {
    fc.assert(
      fc.property(calendar, date, (worked, from) => {
        const first = workingDayFrom(worked, from);
        expect(isWorkingDay(worked, first)).toBe(true);
        expect(workingDaysBetween(worked, from, first)).toBe(isWorkingDay(worked, from) ? 0 : 1);
      }),
    );
  });
});
