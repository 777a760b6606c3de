import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Attributes } from '../domain/condition.ts';
import type { Instant } from '../domain/ids.ts';

/** The part of an audit event that its hash covers, whole and for ever (commands.md §1 "Audit event"). */
export type AuditFacts = {
  seq: number;
  eventId: string;
  type: string;
  actor: string;
  onBehalfOf?: string;
  about: string[];
  at: Instant;
  commandId: string;
  correlationId: string;
  from?: string;
  to?: string;
  changed: string[];
  detailsDigest: string;
  /** Empty for the first event. */
  previousHash: string;
};

/** As stored: details and salt are the only attributes that redaction may take away. */
export type AuditEvent = AuditFacts & {
  hash: string;
  details?: Attributes;
  salt?: string;
  redactedAt?: Instant;
  redactedBy?: string;
};

/** Seals an event into its chain; `salt` is 16 random bytes in hex, drawn once per plan. */
export function sealed(facts: Omit<AuditFacts, 'detailsDigest'>, details: Attributes, salt: string): AuditEvent {
  const covered: AuditFacts = { ...facts, detailsDigest: digestOf(details, salt) };
  return { ...covered, hash: hashOf(covered), details, salt };
}

export type ChainFault = {
  seq: number;
  code: 'SEQUENCE' | 'LINK' | 'ALTERED' | 'DETAILS_MISSING' | 'DETAILS_ALTERED' | 'COUNT' | 'HEAD';
  fault: string;
};

/**
 * Whether a chain is whole: contiguous from 1, each link fits, nothing was altered, and the head is the one META names.
 * Details may be missing only where a redaction event names the sequence number.
 */
export function chainFaults(
  events: readonly AuditEvent[],
  head: { auditSeq: number; auditHead: string },
): ChainFault[] {
  const faults: ChainFault[] = [];
  const redacted = redactedSeqs(events);
  let previousHash = '';
  events.forEach((event, index) => {
    const seq = index + 1;
    const fault = (code: ChainFault['code'], text: string) => faults.push({ seq, code, fault: text });
    if (event.seq !== seq) fault('SEQUENCE', `expected event ${seq}, found ${event.seq}`);
    if (event.previousHash !== previousHash) fault('LINK', 'does not follow the event before it');
    if (hashOf(event) !== event.hash) fault('ALTERED', 'altered: the hash does not match');
    if (event.details === undefined || event.salt === undefined) {
      if (!redacted.has(event.seq)) fault('DETAILS_MISSING', 'details are missing without a redaction');
    } else if (digestOf(event.details, event.salt) !== event.detailsDigest)
      fault('DETAILS_ALTERED', 'details were altered');
    previousHash = event.hash;
  });
  if (events.length !== head.auditSeq)
    faults.push({ seq: head.auditSeq, code: 'COUNT', fault: `${events.length} events are stored` });
  if (previousHash !== head.auditHead)
    faults.push({ seq: head.auditSeq, code: 'HEAD', fault: 'the head is another event' });
  return faults;
}

function redactedSeqs(events: readonly AuditEvent[]): Set<number> {
  const named = events.flatMap((event) => (event.details?.['redactedSeqs'] as number[] | undefined) ?? []);
  return new Set(named);
}

function hashOf(event: AuditFacts): string {
  const { seq, eventId, type, actor, onBehalfOf, about, at, commandId, correlationId, from, to, changed } = event;
  const { detailsDigest, previousHash } = event;
  const covered = {
    seq,
    eventId,
    type,
    actor,
    about,
    at,
    commandId,
    correlationId,
    changed,
    detailsDigest,
    previousHash,
  };
  const optional = { ...(onBehalfOf && { onBehalfOf }), ...(from && { from }), ...(to && { to }) };
  return sha256(canonicalize({ ...covered, ...optional })!);
}

const digestOf = (details: Attributes, salt: string) =>
  createHash('sha256').update(Buffer.from(salt, 'hex')).update(canonicalize(details)!, 'utf8').digest('hex');

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
