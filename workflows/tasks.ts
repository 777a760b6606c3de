import { checkDelivery } from './notice/checkDelivery.ts';
import { recordNoticeServed } from './notice/recordNoticeServed.ts';
import { recordNoticeUndeliverable } from './notice/recordNoticeUndeliverable.ts';
import { renderNotice } from './notice/renderNotice.ts';
import { sendEmail } from './notice/sendEmail.ts';
import { settleDelivery } from './notice/settleDelivery.ts';
import { askRegistry } from './registration/askRegistry.ts';
import { prepareSubmission } from './registration/prepareSubmission.ts';
import { recordRegistration } from './registration/recordRegistration.ts';
import { recordRegistrationRefusal } from './registration/recordRegistrationRefusal.ts';
import { recordRegistrationUnknown } from './registration/recordRegistrationUnknown.ts';
import { submitToRegistry } from './registration/submitToRegistry.ts';
import type { Deps, Task } from './task.ts';

/** Every task of every machine, by the name its definition uses. */
export const tasks = {
  renderNotice,
  checkDelivery,
  sendEmail,
  settleDelivery,
  recordNoticeServed,
  recordNoticeUndeliverable,
  prepareSubmission,
  submitToRegistry,
  askRegistry,
  recordRegistration,
  recordRegistrationRefusal,
  recordRegistrationUnknown,
} satisfies Record<string, (task: Task, deps: Deps) => Promise<unknown>>;

export type TaskName = keyof typeof tasks;
