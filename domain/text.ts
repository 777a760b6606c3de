import { invalid, type Refused } from './refusal.ts';

/** Bounds of free text, in code points. */
export const textLimits = { line: 200, paragraph: 4_000, reason: 2_000, email: 254 } as const;

// Control and formatting characters have no place in a record; line breaks and tabs are text in paragraphs only.
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/u;

// Drawn as nothing: harmless inside some scripts, but no text by itself, and no part of what is compared.
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
const nothing = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A single line a person wrote: present, bounded, printable. */
export const line = (value: string, ...path: string[]): Refused | undefined =>
  bounded(value, textLimits.line, path) ?? printable(value, path);

/** A line that must be unique: two that look alike to a person are not told apart by what nobody sees. */
export const uniqueLine = (value: string, ...path: string[]): Refused | undefined =>
  line(value, ...path) ??
  (invisible.test(value) ? invalid('INVISIBLE_CHARACTERS', path, 'holds characters that nobody sees') : undefined);

/** Several lines a person wrote. */
export const paragraph = (value: string, ...path: string[]): Refused | undefined =>
  bounded(value, textLimits.paragraph, path) ?? printable(value.replace(/[\n\t]/g, ' '), path);

export const reasonText = (value: string, ...path: string[]): Refused | undefined =>
  bounded(value, textLimits.reason, path) ?? printable(value.replace(/[\n\t]/g, ' '), path);

export const emailAddress = (value: string, ...path: string[]): Refused | undefined =>
  bounded(value, textLimits.email, path) ??
  (/^[^\s@<>()[\]\\,;:"]+@[^\s@.]+(\.[^\s@.]+)+$/u.test(value) && !unprintable.test(value) && !invisible.test(value)
    ? undefined
    : invalid('EMAIL', path, 'is not an e-mail address'));

export const matching = (value: string, pattern: RegExp, rule: string, ...path: string[]): Refused | undefined =>
  pattern.test(value) ? undefined : invalid(rule, path, `does not match ${rule}`);

/** A legal date that exists: `2026-02-30` does not. */
export function calendarDate(value: string, ...path: string[]): Refused | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!parts) return invalid('LOCAL_DATE', path, 'is not a date of the form YYYY-MM-DD');
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
    ? undefined
    : invalid('LOCAL_DATE', path, 'is not a date of the calendar');
}

export const atMostItems = (list: readonly unknown[], limit: number, ...path: string[]): Refused | undefined =>
  list.length <= limit ? undefined : invalid('AT_MOST', path, `has more than ${limit} entries`);

/** A set in the form of a list: a name that stands twice is a mistake. */
export const distinct = (list: readonly string[], ...path: string[]): Refused | undefined =>
  new Set(list).size === list.length ? undefined : invalid('DISTINCT', path, 'names something twice');

/** What an outside party wrote, made fit for the record: it cannot be asked to write again, so it is not refused. */
export const cleaned = (value: string): string =>
  [...value.replace(new RegExp(unprintable, 'gu'), ' ').trim()].slice(0, textLimits.reason).join('');

/** The first refusal, if there is one. */
export const firstOf = (...refusals: (Refused | undefined)[]): Refused | undefined =>
  refusals.find((refusal) => refusal !== undefined);

function bounded(value: string, limit: number, path: string[]): Refused | undefined {
  if (nothing.test(value)) return invalid('REQUIRED', path, 'must not be empty');
  return [...value].length > limit ? invalid('TOO_LONG', path, `is longer than ${limit} characters`) : undefined;
}

const printable = (value: string, path: string[]): Refused | undefined =>
  unprintable.test(value) ? invalid('CONTROL_CHARACTERS', path, 'holds characters that cannot be printed') : undefined;

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
