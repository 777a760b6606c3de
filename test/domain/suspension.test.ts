import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LocalDate } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { plusWorkingDays, workingDaysBetween } from '../../domain/workingDays.ts';
import { ana, c1, closed, open, sue, tenant, today, tomorrow, underReview, yesterday } from './builders.ts';
import { answerTo, but } from './ask.ts';
import { scenes } from './scenes.ts';
import { after, commit, refuses, transitionOf } from './stage.ts';

const on = (date: string) => date as LocalDate;
const later = (days: number) => plusWorkingDays(tenant, today, days);

describe('suspendCase', () => {
  const scene = scenes.suspendCase;
  const long = but(scene, { command: { until: later(20) } });

  it('moves the version and no content', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({
      suspendedUntil: tomorrow,
      stoppedClock: { on: today },
      version: 6,
      contentVersion: 4,
      touched: { suspendedUntil: 6 },
    });
  });

  it('takes no working day from a deadline', () => {
    const due = but(long, { case: { dueAt: later(3) } });
    expect(after(due, ref.case(c1))).toMatchObject({ dueAt: later(23), stoppedClock: { dueAt: 3 } });
    expect(transitionOf(due).event.changed).toEqual(['suspendedUntil', 'dueAt']);
  });

  it('lets the review wait, too', () => {
    const { review } = underReview();
    const reviewed = but(long, { items: [[ref.case(c1), underReview({ review: { ...review, dueAt: later(2) } })]] });
    expect(after(reviewed, ref.case(c1))).toMatchObject({ review: { dueAt: later(22), reviewerId: 'ben' } });
  });

  it('gives nothing to a deadline that has passed', () => {
    const late = but(long, { case: { dueAt: yesterday } });
    expect(after(late, ref.case(c1))).toMatchObject({ dueAt: yesterday, stoppedClock: { on: today } });
  });

  it('is until another day when it is asked for again, with as many days left', () => {
    const first = but(long, { case: { dueAt: later(3) } });
    const again = but(
      { ...long, items: commit(transitionOf(first), first.items) },
      { command: { until: later(10), expectedVersion: 6 } },
    );
    expect(after(again, ref.case(c1))).toMatchObject({ dueAt: later(13), stoppedClock: { on: today, dueAt: 3 } });
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once the case is closed', { items: [[ref.case(c1), closed()]] }],
    ['NO_CHANGE', 'until the same day', { case: { suspendedUntil: tomorrow } }],
    ['VALIDATION_FAILED(IN_FUTURE)', 'until today', { command: { until: today } }],
    ['VALIDATION_FAILED(LOCAL_DATE)', 'until a day that does not exist', { command: { until: '2026-02-30' } }],
    ['VALIDATION_FAILED(TOO_FAR)', 'for more than three years', { command: { until: '2029-12-31' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
    ['PRECONDITION_FAILED(TENANT_SETTINGS)', 'without settings', { items: [[ref.tenant(), undefined]] }],
  ]);
});

describe('resumeCase', () => {
  const scene = scenes.resumeCase;

  it('ends the suspension, and is possible once', () => {
    const stored = after(scene, ref.case(c1));
    expect(stored).toMatchObject({ version: 6, contentVersion: 4 });
    expect(stored).not.toHaveProperty('suspendedUntil');
    expect(answerTo(but(scene, { case: { suspendedUntil: undefined } }))).toBe('PRECONDITION_FAILED(NOT_SUSPENDED)');
  });

  it('gives a deadline back the working days it had, from today', () => {
    const waiting = { dueAt: later(23), suspendedUntil: later(20), stoppedClock: { on: yesterday, dueAt: 3 } };
    const stored = after(but(scene, { case: waiting }), ref.case(c1));
    expect(stored).toMatchObject({ dueAt: later(3) });
    expect(stored).not.toHaveProperty('stoppedClock');
  });

  it('counts from the day the suspension was to end where that has passed: forgetting to resume is no extension', () => {
    const forgotten = { suspendedUntil: on('2026-06-01'), stoppedClock: { on: on('2026-05-01'), dueAt: 3 } };
    expect(after(but(scene, { case: forgotten }), ref.case(c1))).toMatchObject({ dueAt: '2026-06-04' });
  });

  it('leaves a decided review alone', () => {
    const decided = { stoppedClock: { on: yesterday, reviewDueAt: 3 } };
    expect(after(but(scene, { case: decided }), ref.case(c1))).toMatchObject({ status: 'OPEN' });
  });

  it('undoes a suspension of one day exactly, whatever the calendar', () => {
    const holidays = fc.array(fc.integer({ min: 1, max: 60 }).map(later), { maxLength: 10 });
    const weekdays = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 });
    fc.assert(
      fc.property(
        holidays,
        weekdays,
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 90 }),
        (h, w, due, rest) => {
          const worked = { ...tenant, holidays: h, workingDays: w };
          const dueAt = plusWorkingDays(worked, today, due);
          const until = new Date(Date.parse(today) + rest * 86_400_000).toISOString().slice(0, 10);
          const suspend = but(scenes.suspendCase, {
            command: { until },
            items: [
              [ref.tenant(), worked],
              [ref.case(c1), open({ dueAt })],
            ],
          });
          const items = commit(transitionOf(suspend), suspend.items);
          const waiting = after(suspend, ref.case(c1))!;
          expect(workingDaysBetween(worked, on(until), waiting.dueAt!)).toBe(due);
          const resume = { ...scenes.resumeCase, items, command: { ...scene.command, expectedVersion: 6 } };
          expect(after(resume, ref.case(c1))).toMatchObject({ dueAt });
        },
      ),
      { numRuns: 200 },
    );
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once the case is closed', { items: [[ref.case(c1), closed()]] }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: ' ' } }],
  ]);
});

describe('a review', () => {
  const scene = scenes.submitForReview;
  const dueOf = (change: object) => after(but(scene, change), ref.case(c1));

  it('is due ten working days after its submission, or as many as the tenant says', () => {
    expect(dueOf({})).toMatchObject({ review: { dueAt: later(10) } });
    const quick = { items: [[ref.tenant(), { ...tenant, reviewWorkingDays: 3 }]] };
    expect(dueOf(quick)).toMatchObject({ review: { dueAt: later(3) } });
  });

  it('of a suspended case is due after the suspension, and comes forward when that ends early', () => {
    const suspended = but(scene, { case: { suspendedUntil: later(20), stoppedClock: { on: today } } });
    expect(after(suspended, ref.case(c1))).toMatchObject({ review: { dueAt: later(30) } });
    const items = commit(transitionOf(suspended), suspended.items);
    const resume = {
      ...scenes.resumeCase,
      items,
      actor: sue,
      command: { ...scenes.resumeCase.command, expectedVersion: 6 },
    };
    expect(after(resume, ref.case(c1))).toMatchObject({ review: { dueAt: later(10) } });
  });

  it('that ended leaves no deadline behind', () => {
    expect(after(scenes.withdrawReview, ref.case(c1))).not.toHaveProperty('review');
  });
});
