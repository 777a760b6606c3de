import { namedBy } from '../domain/effect.ts';
import { messageIdIn, messageIdTag } from '../gateways/sesMailer.ts';
import { keepSentMail, sentMail } from '../store/sentMails.ts';
import type { Store } from '../store/store.ts';
import { receiveBounce } from './bounce.ts';

/** What is left of an event of SES when it reaches us (infra/): no address, no subject, no header. */
export type MailEvent = {
  happened: 'SENT' | 'BOUNCED';
  providerMessageId: string;
  /** The tags that the mail was sent with; one of them is our Message-ID. */
  tags: Record<string, string[]>;
};

/** Takes in what SES tells of a mail, once or again and in any order; of mails that are none of ours nothing is kept. */
export async function receiveMailEvent(store: Store, { happened, providerMessageId, tags }: MailEvent): Promise<void> {
  const [tag] = tags[messageIdTag] ?? [];
  if (tag === undefined) return;
  const messageId = messageIdIn(tag);
  if (happened === 'BOUNCED') return void (await receiveBounce(store, messageId));
  const named = namedBy(keyIn(messageId));
  if (named) await keepSentMail(store, named.tenant, named.effectId, providerMessageId);
}

/** Whether, and as what, SES has told that it took a mail: what the mailer knows besides its answers. */
export async function toldOfMail(store: Store, messageId: string): Promise<string | undefined> {
  const named = namedBy(keyIn(messageId));
  return named && sentMail(store, named.tenant, named.effectId);
}

const keyIn = (messageId: string) => messageId.replace(/^<|@[^@]*$/g, '');
