import type {
  ActionId,
  CaseId,
  CommandId,
  ContraventionId,
  Instant,
  LocalDate,
  NoticeId,
  OfficerId,
  PartyId,
  ReviewId,
} from '../ids.ts';

export const caseStatuses = [
  'OPEN',
  'UNDER_REVIEW',
  'APPROVED',
  'REJECTED',
  'ENFORCEMENT',
  'REGISTERED',
  'CLOSED',
] as const;
export type CaseStatus = (typeof caseStatuses)[number];

export const caseTypes = ['COMPLAINT', 'INSPECTION', 'REFERRAL', 'OWN_INITIATIVE'] as const;
export type CaseType = (typeof caseTypes)[number];
export const classifications = ['STANDARD', 'SENSITIVE', 'RESTRICTED'] as const;
export type Classification = (typeof classifications)[number];
export const priorities = ['LOW', 'NORMAL', 'HIGH', 'URGENT'] as const;
export type Priority = (typeof priorities)[number];
export const outcomes = ['NO_BREACH', 'NO_FURTHER_ACTION', 'RESOLVED_INFORMALLY', 'ENFORCED', 'DUPLICATE'] as const;
export type Outcome = (typeof outcomes)[number];

/** How two cases belong together; DUPLICATE_OF has a direction, the others have none. */
export const linkNatures = ['RELATED', 'DUPLICATE_OF', 'SAME_SUBJECT'] as const;
export type LinkNature = (typeof linkNatures)[number];
export const linkDirections = ['TO', 'FROM'] as const;
export type LinkDirection = (typeof linkDirections)[number];

/** Why a case that was decided or closed is taken up again. */
export const reopenGrounds = ['NEW_EVIDENCE', 'APPEAL_UPHELD', 'COURT_ORDER', 'ENDED_IN_ERROR'] as const;
export type ReopenGround = (typeof reopenGrounds)[number];

/** Who created an item with a derived id: met again without a command record (it expired), it still tells a replay. */
export type CreatedBy = { commandId: CommandId; requestHash: string; result?: CommandResult };

/** What has versions and an audit chain of its own. */
export type AggregateType = 'Case' | 'Officer' | 'Finding';

/** What every successful answer to one key carries, whatever happened on the way. */
export type CommandResult = {
  aggregateType: AggregateType;
  aggregateId: string;
  appliedVersion: number;
  /** Ids of what was created, by role. */
  created: Record<string, string>;
};

/** What every event of an aggregate moves on (commands.md §1 "Versions and sequence"). */
export type Versioned = {
  /** What clients echo as expectedVersion. */
  version: number;
  /** Sequence number and hash of the newest audit event. */
  auditSeq: number;
  auditHead: string;
};

/** Bounds and gates that the case's own item owns: every event writes META, so each is decided without a race. */
export type CaseCounts = {
  subjects: number;
  contraventions: number;
  undetermined: number;
  openTasks: number;
  openBlockingReview: number;
  openBlockingClose: number;
  pendingDocuments: number;
  activeHolds: number;
  /** Notices and submissions planned and not yet final and recorded. */
  openEffects: number;
};

export type CaseFacts = Versioned &
  CaseCounts & {
    id: CaseId;
    number: string;
    caseType: CaseType;
    title: string;
    summary: string;
    classification: Classification;
    priority: Priority;
    /** Immutable: the open-case counters are by region. */
    region: string;
    externalReference?: { sourceSystem: string; value: string };
    leadOfficerId?: OfficerId;
    outcome?: Outcome;
    dueAt?: LocalDate;
    suspendedUntil?: LocalDate;
    /** Since when the deadlines rest, and how many working days were left of each that had not passed. */
    stoppedClock?: StoppedClock;
    openedAt: Instant;
    openedBy: OfficerId;
    updatedAt: Instant;
    returnCount: number;
    reopenCount: number;
    redactedAt?: Instant;
    retention?: Retention;
    /** What a review pins: raised by facts, parties, contraventions and findings. */
    contentVersion: number;
    /** The case version at which each field last changed: names what moved since a stale version. */
    touched: Record<string, number>;
    /** Sequence number of the last ordered event message. */
    lastOrderedSeq: number;
    /** The highest fence that has written here as SERVICE. */
    fence?: number;
    createdBy: CreatedBy;
  };

/** What resuming gives back. A deadline that had passed is not in it: a suspension does not cure lateness. */
export type StoppedClock = { on: LocalDate; dueAt?: number; reviewDueAt?: number };

export type CurrentReview = {
  id: ReviewId;
  submittedBy: OfficerId;
  reviewerId?: OfficerId;
  /** The content version that is under review. */
  contentVersion: number;
  /** By when it is to be decided; it moves where the case is suspended. */
  dueAt?: LocalDate;
};

export type Decision = { reviewId: ReviewId; decidedBy: OfficerId; decidedAt: Instant; reason: string };

/** Permanent is a value, not a missing date. */
export type Retention = { schedule: string; trigger: LocalDate; disposeAfter: LocalDate | 'PERMANENT' };

export type OpenCase = CaseFacts & { status: 'OPEN' };
export type CaseUnderReview = CaseFacts & { status: 'UNDER_REVIEW'; review: CurrentReview };
export type ApprovedCase = CaseFacts & { status: 'APPROVED'; decision: Decision };
export type RejectedCase = CaseFacts & { status: 'REJECTED'; decision: Decision };
export type CaseInEnforcement = CaseFacts & { status: 'ENFORCEMENT'; decision: Decision; activeActionId: ActionId };
export type RegisteredCase = CaseFacts & { status: 'REGISTERED'; decision: Decision; activeActionId: ActionId };
export type ClosedCase = CaseFacts & {
  status: 'CLOSED';
  decision?: Decision;
  outcome: Outcome;
  closedAt: Instant;
  closedBy: OfficerId;
  retention: Retention;
  /** Outcome DUPLICATE: of which case. */
  duplicateOfCaseId?: CaseId;
};

export type Case =
  OpenCase | CaseUnderReview | ApprovedCase | RejectedCase | CaseInEnforcement | RegisteredCase | ClosedCase;

export const partyRoles = ['SUBJECT', 'COMPLAINANT', 'WITNESS', 'REPRESENTATIVE'] as const;
export type PartyRole = (typeof partyRoles)[number];
export const partyKinds = ['PERSON', 'ORGANISATION'] as const;
export type PartyKind = (typeof partyKinds)[number];
export const serviceChannels = ['EMAIL', 'POST'] as const;
export type ServiceChannel = (typeof serviceChannels)[number];

export type Party = {
  id: PartyId;
  caseId: CaseId;
  role: PartyRole;
  kind: PartyKind;
  name: string;
  identifiers: { scheme: string; value: string }[];
  addressLines: string[];
  email?: string;
  serviceChannel: ServiceChannel;
  safetyFlag: boolean;
  version: number;
  addedAt: Instant;
  createdBy: CreatedBy;
};

export const findings = ['UNDETERMINED', 'SUBSTANTIATED', 'NOT_SUBSTANTIATED'] as const;
export type Finding = (typeof findings)[number];

export type Contravention = {
  id: ContraventionId;
  caseId: CaseId;
  provision: string;
  date: LocalDate;
  partyIds: PartyId[];
  finding: Finding;
  version: number;
  recordedAt: Instant;
  createdBy: CreatedBy;
};

export const reviewDecisions = ['APPROVED', 'REJECTED', 'RETURNED', 'WITHDRAWN'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

export type Review = {
  id: ReviewId;
  caseId: CaseId;
  submittedBy: OfficerId;
  submittedAt: Instant;
  recommendation: string;
  contentVersion: number;
  reviewerId?: OfficerId;
  decision?: ReviewDecision;
  reason?: string;
  requiredChanges?: string[];
  decidedAt?: Instant;
  version: number;
  createdBy: CreatedBy;
};

/** Who investigates, readable with the case; the bound of three lives on it. */
export type InvestigatorGuard = { activeCount: number; officerIds?: Set<OfficerId> };
export type Investigator = { officerId: OfficerId; caseId: CaseId; addedAt: Instant; addedBy: OfficerId };
/**
 * That two cases belong together. It stands below both, so that each shows it and neither can be linked twice; its event
 * is in the audit of the case that was linked (direction TO).
 */
export type CaseLink = {
  caseId: CaseId;
  otherCaseId: CaseId;
  nature: LinkNature;
  direction: LinkDirection;
  linkedAt: Instant;
  linkedBy: OfficerId;
  createdBy: CreatedBy;
};
/** Existence is the whole statement: this officer has declared a conflict of interest. */
export type Exclusion = { officerId: OfficerId; reason: string };
/** The one active enforcement action of a case. */
export type ActiveEnforcementGuard = { actionId: ActionId; noticeId?: NoticeId };
