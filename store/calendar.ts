import type { Calendar } from '../domain/calendar.ts';
import type { Instant, LocalDate } from '../domain/ids.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Legal dates: the date of an instant in a tenant's zone, and dates moved by whole days or years. */
export const calendar: Calendar = {
  dateIn: (zone, at) => formatIn(zone).format(new Date(at)) as LocalDate,
  plusDays: (date, days) => {
    const moved = new Date(`${date}T00:00:00Z`);
    moved.setUTCDate(moved.getUTCDate() + days);
    return moved.toISOString().slice(0, 10) as LocalDate;
  },
  /** 29 February moves to 28 February where the year has none. */
  plusYears: (date, years) => {
    const [year, month, day] = date.split('-').map(Number) as [number, number, number];
    const moved = new Date(Date.UTC(year + years, month - 1, day));
    if (moved.getUTCMonth() !== month - 1) moved.setUTCDate(0);
    return moved.toISOString().slice(0, 10) as LocalDate;
  },
};

export const instantOf = (ms: number) => new Date(ms).toISOString() as Instant;

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, ...parts }); // en-CA writes YYYY-MM-DD
  formats.set(zone, format);
  return format;
}
