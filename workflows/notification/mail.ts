import { InvariantBreach } from '../../domain/answer.ts';
import { providerKeyOf, type LedgerRow } from '../../domain/effect.ts';
import type { NotificationTemplate } from '../../domain/notification.ts';
import type { Mail } from '../../domain/ports.ts';
import { ref } from '../../domain/refs.ts';
import type { Subject } from '../../store/lease.ts';
import { readItems } from '../../store/read.ts';
import { messageIdOf } from '../messageId.ts';
import type { Effect, Verdict } from '../once.ts';
import type { Deps, EffectInput } from '../task.ts';
import { recipientOf } from './recipient.ts';

/** A plain mail changes nothing of its case: it is worked on under its own lease, and no legal work waits for it. */
export const mailWork = ({ effectId, caseId }: EffectInput): Subject => ({
  name: effectId,
  about: { aggregateType: 'Case', aggregateId: caseId },
});

type StoredMail = Omit<Mail, 'attachments'>;
type MailAnswer = { providerMessageId: string };

/**
 * A plain mail as an effect. It says which case and what happened, and nothing that is in the case: whoever may read more
 * looks there. The address is the recipient's at the first attempt; every later one has the same bytes.
 */
export const mailOf = (
  { tenant, caseId, effectId }: EffectInput,
  row: LedgerRow,
  { store, mailer, office }: Deps,
): Effect<StoredMail, MailAnswer> => ({
  request: async () => {
    const [current] = await readItems(store, tenant, [ref.case(caseId)]);
    const officer = await recipientOf(store, tenant, row);
    if (!current || !officer || !row.template) throw new InvariantBreach('a notification without its records');
    return {
      messageId: messageIdOf(providerKeyOf(tenant, effectId), office.mailFrom),
      date: row.plannedAt,
      from: office.mailFrom,
      to: officer.email,
      subject: `${office.name}: case ${current.number}, ${subjects[row.template]}`,
      text: `Case ${current.number}: ${texts[row.template]}\n`,
    };
  },
  prepare: (mail) => Promise.resolve((_key, signal) => mailer.send({ ...mail, attachments: [] }, signal)),
  find: (key, signal) => mailer.find(messageIdOf(key, office.mailFrom), signal),
  settleMs: mailer.settleMs,
  triesForMs: 20 * hours, // within the machine's day
  verdict: ({ providerMessageId }): Verdict => ({ to: 'CONFIRMED', providerRequestId: providerMessageId }),
  whenCannotTell: 'RESENT_ONCE',
});

const hours = 3_600_000;

const subjects: Record<NotificationTemplate, string> = {
  LEAD_GIVEN: 'you lead it',
  LEAD_TAKEN: 'you no longer lead it',
  INVESTIGATOR_ADDED: 'you investigate it',
  REVIEWER_ASSIGNED: 'you review it',
  CASE_APPROVED: 'approved',
  CASE_REJECTED: 'rejected',
  CASE_RETURNED: 'returned for rework',
  NOTICE_UNDELIVERABLE: 'a notice did not arrive',
};

const texts: Record<NotificationTemplate, string> = {
  LEAD_GIVEN: 'you are its lead officer from now on.',
  LEAD_TAKEN: 'you are no longer its lead officer.',
  INVESTIGATOR_ADDED: 'you are one of its investigators from now on.',
  REVIEWER_ASSIGNED: 'you are assigned to review it.',
  CASE_APPROVED: 'its reviewer has approved it. You are its lead officer.',
  CASE_REJECTED: 'its reviewer has rejected it. You are its lead officer.',
  CASE_RETURNED: 'its reviewer has returned it to you, with what has to change.',
  NOTICE_UNDELIVERABLE: 'its notice could not be delivered by mail and must be served by other means.',
};
