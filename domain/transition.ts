import type { Case } from './case/case.ts';
import type { Change } from './change.ts';
import type { Attributes, Condition } from './condition.ts';
import type { Provider } from './effect.ts';
import type { CaseId, OfficerId, PartyId } from './ids.ts';
import type { Officer } from './officer/officer.ts';
import type { Finding } from './operations/finding.ts';
import type { Ref } from './refs.ts';

/**
 * What one command changes: the aggregate's own item, its audit event, the messages that tell others, and the other
 * items with their premises. `store/writes.ts` turns it into one transaction.
 */
export type Transition = {
  kind: 'transition';
  aggregate: AggregateChange;
  /** Its place in the indexes is written anew, whatever stands there. */
  reindexes?: true;
  event: EventFacts;
  /** The name of the business act, as consumers hear it: `CaseApproved`. */
  announces: string;
  /** Ids and enum values only; never values of persons. */
  payload: Attributes;
  requests: WorkRequest[];
  changes: Change[];
  /** Ids of what was created, by role: part of the recorded result. */
  created: Record<string, string>;
  /** A workflow carries the command out, named with this prefix: its key is answered with the run until it ends. */
  run?: { prefix: string };
};

export type AggregateChange =
  | { of: 'case'; ref: Ref<Case>; before: Case | undefined; after: Case; when: Condition[] }
  | { of: 'officer'; ref: Ref<Officer>; before: Officer | undefined; after: Officer; when: Condition[] }
  | { of: 'finding'; ref: Ref<Finding>; before: Finding | undefined; after: Finding; when: Condition[] };

/** The part of an audit event that the decision knows; the chain adds sequence, hashes and identity. */
export type EventFacts = {
  type: string;
  /** Parties whose personal data the details hold: redaction finds them here. */
  about: PartyId[];
  from?: string;
  to?: string;
  /** Names of changed fields, never their values. */
  changed: string[];
  /** Reason, summary, values: redactable, hashed with a salt. */
  details: Attributes;
};

/** Something longer or external is asked for: the only way a command can. Told by the outbox, done by a workflow. */
export type WorkRequest =
  | { type: 'notice' | 'registration'; payload: EffectRound }
  | { type: 'notification'; payload: Pick<EffectRound, 'caseId' | 'effectId' | 'round'> }
  /** Look again at an effect whose row was moved without its task; on behalf of whoever asked for the effect. */
  | { type: 'wake'; payload: EffectRound & { provider: Provider }; requestedBy: OfficerId }
  /** The bytes of a document or notice go for good; `afterMs`: not before so many milliseconds have passed. */
  | { type: 'destroyContent'; payload: { caseId: CaseId; ownerId: string }; afterMs?: number }
  /** What an operator asks of Step Functions, for the run that they saw. */
  | { type: 'redrive' | 'stop'; payload: { execution: string; machine: string; redriveCount: number } };

type EffectRound = { caseId: string; actionId?: string; noticeId?: string; effectId: string; round: number };
