import type { LocalDate } from '../ids.ts';
import { invalid, noChange, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings, todayIn, type Tenant } from '../tenant.ts';
import { calendarDate, firstOf, line, paragraph } from '../text.ts';
import { daysBetween, isWorkingDay, workingDayFrom } from '../workingDays.ts';
import type { Classification, Priority } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';
import { notSuspended } from './suspension.ts';

/** Only what is named changes; what is left out stays as it is, whoever changed it meanwhile. */
export type UpdateCase = OnCase<'updateCase'> & {
  title?: string;
  summary?: string;
  classification?: Classification;
  priority?: Priority;
  /** A working day, today or later; null for none. */
  dueAt?: LocalDate | null;
};

const fields = ['title', 'summary', 'classification', 'priority', 'dueAt'] as const;
const atMostDays = 10 * 366;

/** What the case is called, about, how secret, how urgent and when due. */
export const updateCase = defineCaseCommand({
  type: 'updateCase',
  invariant: [
    'Only the fields that the command names change.',
    'A due date is a working day; it is not part of what a review pins, everything else here is.',
  ],
  reads: (_command: UpdateCase) => ({ tenant: ref.tenant() }),
  decide: (current, { tenant }, command, given) => {
    const changed = fields.filter(
      (field) => command[field] !== undefined && (command[field] ?? undefined) !== current[field],
    );
    if (changed.length === 0) return noChange('every field that is named is so already');
    const { title, summary, dueAt } = command;
    const no =
      notSuspended(current) ??
      firstOf(
        title === undefined ? undefined : line(title, 'title'),
        summary === undefined ? undefined : paragraph(summary, 'summary'),
      );
    if (no) return no;
    if (!tenant) return noSettings();
    const badDate = dueAt && changed.includes('dueAt') ? badDueDate(dueAt, tenant, todayIn(tenant, given)) : undefined;
    if (badDate) return badDate;

    const named = Object.fromEntries(changed.map((field) => [field, command[field] ?? undefined]));
    const was = Object.fromEntries(changed.map((field) => [field, current[field] ?? null]));
    return caseTransition(current, { ...current, ...named }, command, given, {
      moves: changed.every((field) => field === 'dueAt') ? 'overlay' : 'facts',
      announces: 'CaseUpdated',
      changed: [...changed],
      details: { was, ...Object.fromEntries(changed.map((field) => [field, command[field]])) },
      payload: { changed: [...changed] },
    });
  },
});

function badDueDate(date: LocalDate, tenant: Tenant, today: LocalDate): Refused | undefined {
  const no = calendarDate(date, 'dueAt');
  if (no) return no;
  if (date < today) return invalid('NOT_IN_PAST', ['dueAt'], 'lies in the past');
  if (daysBetween(today, date) > atMostDays) return invalid('TOO_FAR', ['dueAt'], 'is more than ten years away');
  return isWorkingDay(tenant, date)
    ? undefined
    : invalid('WORKING_DAY', ['dueAt'], `is no working day; the next one is ${workingDayFrom(tenant, date)}`);
}
