import { checkDelivery } from './notice/checkDelivery.ts';
import { recordNoticeServed } from './notice/recordNoticeServed.ts';
import { recordNoticeUndeliverable } from './notice/recordNoticeUndeliverable.ts';
import { renderNotice } from './notice/renderNotice.ts';
import { sendEmail } from './notice/sendEmail.ts';
import { settleDelivery } from './notice/settleDelivery.ts';
import { checkNotification } from './notification/checkNotification.ts';
import { sendNotification } from './notification/sendNotification.ts';
import { settleNotification } from './notification/settleNotification.ts';
import * as reconciliation from './reconciliation/tasks.ts';
import { askRegistry } from './registration/askRegistry.ts';
import { prepareSubmission } from './registration/prepareSubmission.ts';
import { recordRegistration } from './registration/recordRegistration.ts';
import { recordRegistrationRefusal } from './registration/recordRegistrationRefusal.ts';
import { recordRegistrationUnknown } from './registration/recordRegistrationUnknown.ts';
import { submitToRegistry } from './registration/submitToRegistry.ts';
import { Busy, InvariantBreach, OutcomeUnknown } from '../domain/answer.ts';
import { outcomeOf } from '../store/outcome.ts';
import type { Deps, Task } from './task.ts';

const all = {
  renderNotice,
  checkDelivery,
  sendEmail,
  settleDelivery,
  recordNoticeServed,
  recordNoticeUndeliverable,
  checkNotification,
  sendNotification,
  settleNotification,
  prepareSubmission,
  submitToRegistry,
  askRegistry,
  recordRegistration,
  recordRegistrationRefusal,
  recordRegistrationUnknown,
  ...reconciliation,
} satisfies Record<string, (task: Task<never>, deps: Deps) => Promise<unknown>>;

export type TaskName = keyof typeof all;

/** Every task of every machine, by the name its definition uses. */
export const tasks = Object.fromEntries(
  (Object.entries(all) as [string, (task: Task, deps: Deps) => Promise<unknown>][]).map(([name, task]) => [
    name,
    (input: Task, deps: Deps) => task(input, deps).catch(asBusy),
  ]),
) as Record<TaskName, (task: Task, deps: Deps) => Promise<unknown>>;

/** Errors that are ours, or a mistake in our code: the machine must see them as they are. */
const meant = [Busy, OutcomeUnknown, InvariantBreach, TypeError, RangeError, ReferenceError, SyntaxError];

/** A database, a disk or a bucket that does not answer is not the end of a case's workflow: later again. */
function asBusy(error: unknown): never {
  if (meant.some((kind) => error instanceof kind) || outcomeOf(error, 0).kind === 'broken') throw error;
  throw new Busy('a part that the task needs did not answer', 'UNAVAILABLE');
}
