import type { OfficerId } from './ids.ts';

/** What an officer is told by mail, each about one case. */
export const notificationTemplates = [
  'LEAD_GIVEN',
  'LEAD_TAKEN',
  'INVESTIGATOR_ADDED',
  'REVIEWER_ASSIGNED',
  'CASE_APPROVED',
  'CASE_REJECTED',
  'CASE_RETURNED',
  'NOTICE_UNDELIVERABLE',
] as const;
export type NotificationTemplate = (typeof notificationTemplates)[number];

/** Somebody to be told; nobody where the case has no such officer. */
export type Notification = { template: NotificationTemplate; recipientId: OfficerId | undefined };
