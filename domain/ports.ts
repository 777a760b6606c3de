/** What Docket needs of the outside parties; `gateways/` fulfils it, `local/` plays the parties on one machine. */

/** How one learns the truth about an earlier send, by its key (effects.md §3.5 calls it evidence). */
export type Found<R> = { kind: 'found'; answer: R };
/** It certainly did not arrive. Evidence only when asked after the gateway's settle time; the ledger sees to that. */
export type NotFound = { kind: 'notFound' };
/** The party cannot tell. An answer, not a failure. */
export type CannotTell = { kind: 'cannotTell' };
export type Evidence<R> = Found<R> | NotFound | CannotTell;

/** What is filed with the registry: plain JSON, sent as the same bytes at every attempt. */
export type RegistrySubmission = {
  /** The enforcement action's own id: what the registry registers once. */
  actionId: string;
  caseNumber: string;
  actionType: string;
  submissionNumber: number;
  partyName: string;
  provisions: string[];
  /** LocalDate, `YYYY-MM-DD`. */
  issuedOn: string;
};

export type RegistryAnswer =
  | { status: 'ACCEPTED'; registryNumber: string; reference: string }
  | { status: 'REFUSED'; reason: string; reference: string }
  /** Accepted for processing (HTTP 202): the answer comes by the signed callback. */
  | { status: 'PENDING'; reference: string };

export interface Registry {
  /** Milliseconds after which a lost request has either arrived or will not. */
  readonly settleMs: number;
  /** Throws `NotAccepted` on definite non-acceptance; any other error is ambiguous. `signal` aborts the call. */
  submit(request: RegistrySubmission, key: string, signal: AbortSignal): Promise<RegistryAnswer>;
  find(key: string, signal: AbortSignal): Promise<Evidence<RegistryAnswer>>;
}

/** A mail whose MIME bytes depend on nothing but this value: boundary, Message-ID and date come from it. */
export type Mail = {
  /** `<local@domain>`, derived from the effect: every attempt carries the same. */
  messageId: string;
  /** Instant for the Date header. */
  date: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  attachments: { filename: string; mediaType: string; content: Uint8Array }[];
};

export interface Mailer {
  readonly settleMs: number;
  /** SMTP 250 or an SES message id is the mailer's whole word. Throws `NotAccepted` on a refusal (4xx later, 5xx never). */
  send(mail: Mail, signal: AbortSignal): Promise<{ providerMessageId: string }>;
  find(messageId: string, signal: AbortSignal): Promise<Evidence<{ providerMessageId: string }>>;
}

/**
 * Names stored bytes by whose they are and by their SHA-256 (hex). What two documents hold is stored for each of them, even
 * where it is the same: so taking one's away never takes another's.
 */
export type Content = ContentOwner & { sha256: string };
/** A document, or a notice, of a case. */
export type ContentOwner = { tenant: string; caseId: string; ownerId: string };

/** What is known of stored bytes without reading them out; `size` in bytes. */
export type StoredContent = { sha256: string; size: number; mediaType: string };

/** One request that stores exactly these bytes: `headers` must be sent as they are; the body is the bytes and nothing else. */
export type Transfer = { method: 'PUT'; url: string; headers: { name: string; value: string }[] };

/** Files under their owner and their hash: what is stored there never changes. Instants say until when links are good. */
export interface Documents {
  /** Stores the bytes under their own SHA-256, creating only if absent. */
  put(owner: ContentOwner, content: Uint8Array, mediaType: string): Promise<{ sha256: string; size: number }>;
  read(content: Content): Promise<Uint8Array | undefined>;
  /** A short-lived link to read it. */
  link(content: Content, file: { filename: string; mediaType: string; expiresAt: string }): Promise<string>;
  /** A short-lived permission to store it from outside: of this size and type and with this hash, or not at all. */
  upload(content: Content, file: { size: number; mediaType: string; expiresAt: string }): Promise<Transfer>;
  /** What is stored there, by the store's own measure; nothing where nothing is. */
  checksum(content: Content): Promise<StoredContent | undefined>;
  /** Takes all bytes of the owner away for good, with every earlier version. What is not there is destroyed already. */
  destroy(owner: ContentOwner): Promise<void>;
}

/** One event as consumers get it. */
export type PublishedEvent = {
  eventId: string;
  type: string;
  tenant: string;
  aggregateType: string;
  aggregateId: string;
  aggregateVersion: number;
  /** The audit sequence of the event: rises with every event of its aggregate. */
  seq: number;
  at: string;
  correlationId: string;
  payload: Record<string, unknown>;
};

export interface Events {
  /** One entry per event, in the same order: a call that succeeded may still hold failed entries. */
  publish(events: PublishedEvent[]): Promise<({ providerMessageId: string } | { failed: string })[]>;
}

/** One step of an execution, as the service that ran it keeps it: when, what, where; never what passed through. */
export type ExecutionEvent = {
  id: number;
  previousId: number;
  /** Instant. */
  at: string;
  type: string;
  /** The state that was entered or left. */
  state?: string;
};

/** What Step Functions knows of an execution: read only. */
export interface Executions {
  /** A page from the beginning, or from where the last one ended; nothing where the execution is not known (any more). */
  history(
    execution: { machine: string; name: string },
    page: { limit: number; after?: string },
  ): Promise<{ events: ExecutionEvent[]; next?: string } | undefined>;
}
