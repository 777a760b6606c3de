import { SendEmailCommand, SESv2Client, type SESv2ClientConfig, SESv2ServiceException } from '@aws-sdk/client-sesv2';
import { NotAccepted, OutcomeUnknown } from '../domain/answer.ts';
import type { Mailer } from '../domain/ports.ts';
import { codeOf, neverConnected } from './httpExchange.ts';
import { mimeOf } from './mime.ts';

type Settings = {
  /** Region, endpoint, credentials. Repeating is never the client's: it would send twice what it cannot tell. */
  client: Omit<SESv2ClientConfig, 'maxAttempts' | 'retryStrategy' | 'retryMode'>;
  /** Publishes the send events, and respects the suppression list. */
  configurationSet: string;
  settleMs: number;
  /** SES's message id for a Message-ID of ours, where a send event has told it; undefined is no evidence. */
  told: (messageId: string, signal: AbortSignal) => Promise<string | undefined>;
};

/** The tag by which a send event names the mail: SES replaces the Message-ID header by one of its own. */
export const messageIdTag = 'docket-message-id';

/** Tags take letters, digits, dashes and underscores only. */
export const tagOf = (messageId: string) => Buffer.from(messageId).toString('base64url');
export const messageIdIn = (tag: string) => Buffer.from(tag, 'base64url').toString('utf8');

export function sesMailer({ client, configurationSet, settleMs, told }: Settings): Mailer {
  const ses = new SESv2Client({ ...client, maxAttempts: 1 });

  return {
    settleMs,

    async send(mail, signal) {
      const { bytes, from, to } = await mimeOf(mail);
      const command = new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: { Raw: { Data: bytes } },
        ConfigurationSetName: configurationSet,
        EmailTags: [{ Name: messageIdTag, Value: tagOf(mail.messageId) }],
      });
      const { MessageId } = await ses.send(command, { abortSignal: signal }).catch((error: unknown) => {
        throw meaningOf(error);
      });
      if (!MessageId) throw new OutcomeUnknown('SES answered without a message id');
      return { providerMessageId: MessageId };
    },

    /** SES cannot be asked by our Message-ID, so there is never proof that it did not send. */
    async find(messageId, signal) {
      const providerMessageId = await told(messageId, signal);
      return providerMessageId ? { kind: 'found', answer: { providerMessageId } } : { kind: 'cannotTell' };
    },
  };
}

/** The mail itself is at fault. Every other 4xx is about the account, its limits or its rights. */
const never = ['MessageRejected', 'BadRequestException'];

function meaningOf(error: unknown): NotAccepted | OutcomeUnknown {
  if (neverConnected(error)) return new NotAccepted(`no connection to SES: ${codeOf(error)}`, 'later');
  const { name } = error as Error;
  if (name === 'CredentialsProviderError') return new NotAccepted('no credentials for SES', 'later');
  const status = error instanceof SESv2ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  if (status < 400 || status > 499 || status === 408)
    return new OutcomeUnknown(`no whole answer from SES: ${codeOf(error)}`);
  return new NotAccepted(`SES answered ${name}`, never.includes(name) ? 'never' : 'later');
}
