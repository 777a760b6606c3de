import type { Versioned } from '../case/case.ts';
import type { Instant, OfficerId } from '../ids.ts';
import type { Aggregate } from './execution.ts';

/** How a kind of fault ends. RECOMPUTED: what is right follows from the records, and a command sets it right. */
type Ending = 'RECOMPUTED' | 'BY_HAND' | 'BY_ITSELF';

/** Every kind of fault that reconciliation, or a party's word, can show (effects.md §4). */
export const findingKinds = {
  CASE_COUNT: 'RECOMPUTED',
  CASE_INDEX: 'RECOMPUTED',
  INVESTIGATOR_GUARD: 'RECOMPUTED',
  ENFORCEMENT_GUARD: 'RECOMPUTED',
  SENTINEL_ABSENT: 'RECOMPUTED',
  OFFICER_LOAD: 'RECOMPUTED',
  OFFICER_INDEX: 'RECOMPUTED',
  LOAD_ABSENT: 'RECOMPUTED',
  LOAD_ORPHAN: 'RECOMPUTED',
  COUNTER: 'RECOMPUTED',
  PROJECTION_ROW: 'RECOMPUTED',
  PROJECTION_SUM: 'RECOMPUTED',
  EFFECT_UNFINDABLE: 'RECOMPUTED',
  MESSAGE_UNFINDABLE: 'RECOMPUTED',
  AUDIT_CHAIN: 'BY_HAND',
  EVENT_UNTOLD: 'BY_HAND',
  ACTIVE_ACTION: 'BY_HAND',
  SENTINEL_OWNER: 'BY_HAND',
  VALUE_HELD_TWICE: 'BY_HAND',
  LEDGER_ABSENT: 'BY_HAND',
  LEDGER_STATE: 'BY_HAND',
  LEASE_FENCE: 'BY_HAND',
  CALLBACK_CONFLICT: 'BY_HAND',
  EFFECT_AFTER_CANCEL: 'BY_HAND',
  REGISTRY_NUMBER_CLAIMED: 'BY_HAND',
  REGISTRATION_UNKNOWN: 'BY_HAND',
  EFFECT_OVERDUE: 'BY_ITSELF',
  MESSAGE_OVERDUE: 'BY_ITSELF',
  LEASE_OVERDUE: 'BY_ITSELF',
} as const satisfies Record<string, Ending>;
export type FindingKind = keyof typeof findingKinds;

/** SUSPECTED: seen once; a second look tells whether it was only something on its way. */
export const findingStatuses = ['SUSPECTED', 'OPEN', 'REPAIRED', 'RESOLVED'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

/** Ids, numbers and enum values only: what is, and what should be. */
export type FindingValues = Record<string, string | number>;

/** What one look has seen. */
export type Sighting = {
  kind: FindingKind;
  /** The case or officer it is about; a finding about neither is about itself, and its audit stands below it. */
  about: Aggregate | undefined;
  /** Which thing of the aggregate: an id, or a name of ours. */
  item: string;
  values: FindingValues;
  /** Where the aggregate stood: a repair is right as long as it stands there. */
  basis: FindingValues;
};

/** One fault, however often it is seen: its id follows from its kind, its subject and its values. */
export type Finding = Versioned &
  Aggregate & {
    id: string;
    kind: FindingKind;
    status: FindingStatus;
    item: string;
    values: FindingValues;
    basis: FindingValues;
    firstSeenAt: Instant;
    lastSeenAt: Instant;
    /** How often, since it was last settled. */
    seen: number;
    /** 1 for the first time, one more whenever it comes back after it was settled. */
    occurrence: number;
    settledAt?: Instant;
    /** Nobody where it was gone by itself. */
    settledBy?: OfficerId;
  };

export const isRecomputed = ({ kind }: Pick<Finding, 'kind'>): boolean => findingKinds[kind] === 'RECOMPUTED';

/** How an open finding may be ended: by setting right what follows from the records, or because a person has seen to it. */
export const findingEndings = ['RECOMPUTE', 'SETTLED'] as const;
export type FindingEnding = (typeof findingEndings)[number];
