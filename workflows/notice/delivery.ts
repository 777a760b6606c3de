import { Busy, InvariantBreach } from '../../domain/answer.ts';
import { providerKeyOf, type LedgerRow } from '../../domain/effect.ts';
import type { Mail } from '../../domain/ports.ts';
import type { Effect, Verdict } from '../once.ts';
import type { Deps, ActionInput } from '../task.ts';
import { messageIdOf } from '../messageId.ts';
import { contentOwner, readNotice } from './content.ts';

/** The mail as it is stored: its attachment by content hash, so that a resend has the same bytes. */
type StoredMail = Omit<Mail, 'attachments'> & { attachment: { filename: string; sha256: string } };
type MailAnswer = { providerMessageId: string };

/** The mail that serves a notice, as an effect. SMTP cannot say whether it arrived: a legal notice is then parked. */
export const deliveryOf = (
  input: ActionInput,
  { store, mailer, documents, office }: Deps,
): Effect<StoredMail, MailAnswer> => ({
  request: async () => {
    const { notice, action, party, case: current } = await readNotice(store, input);
    if (!party.email || !notice.sha256) throw new InvariantBreach('a notice without an address or a document');
    return {
      messageId: messageIdOf(providerKeyOf(input.tenant, input.effectId), office.mailFrom),
      date: action.issuedAt!,
      from: office.mailFrom,
      to: party.email,
      subject: `${office.name}: notice in case ${current.number}`,
      text: `Please find attached the notice of ${office.name} in case ${current.number}.\n`,
      attachment: { filename: `notice-${current.number}.pdf`, sha256: notice.sha256 },
    };
  },
  prepare: async ({ attachment, ...mail }) => {
    const content = await documents.read({ ...contentOwner(input), sha256: attachment.sha256 }).catch(() => {
      throw new Busy('the rendered notice cannot be read', 'UNAVAILABLE');
    });
    if (!content) throw new InvariantBreach('the rendered notice is gone');
    const attachments = [{ filename: attachment.filename, mediaType: 'application/pdf', content }];
    return (_key, signal) => mailer.send({ ...mail, attachments }, signal);
  },
  find: (key, signal) => mailer.find(messageIdOf(key, office.mailFrom), signal),
  settleMs: mailer.settleMs,
  triesForMs: 20 * hours, // within the machine's day
  verdict: ({ providerMessageId }): Verdict => ({ to: 'CONFIRMED', providerRequestId: providerMessageId }),
  whenCannotTell: 'PARKED',
});

const hours = 3_600_000;

/** What the machine branches on. */
export const deliveryStatus = ({ status }: LedgerRow) => ({ status });
