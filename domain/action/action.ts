import type { CreatedBy } from '../case/case.ts';
import type { ActionId, CaseId, ContraventionId, EffectId, Instant, LocalDate, NoticeId, PartyId } from '../ids.ts';

export const actionTypes = [
  'ADVICE',
  'WARNING',
  'COMPLIANCE_NOTICE',
  'PROHIBITION_NOTICE',
  'PENALTY_NOTICE',
  'LICENCE_ACTION',
  'PROSECUTION_REFERRAL',
] as const;
export type ActionType = (typeof actionTypes)[number];

/** The types that the public registry enters; the others end with service. */
export const registrableTypes: readonly ActionType[] = [
  'COMPLIANCE_NOTICE',
  'PROHIBITION_NOTICE',
  'PENALTY_NOTICE',
  'LICENCE_ACTION',
];

export const actionStatuses = [
  'DRAFT',
  'ISSUED',
  'REGISTRATION_PENDING',
  'REGISTRATION_FAILED',
  'REGISTERED',
  'CONCLUDED',
  'WITHDRAWN',
  'SUPERSEDED',
] as const;
export type ActionStatus = (typeof actionStatuses)[number];

/** Money in minor units (cents, sen); never a floating number. */
export type Penalty = { minorUnits: number; currency: string };

export type EnforcementAction = {
  id: ActionId;
  caseId: CaseId;
  type: ActionType;
  status: ActionStatus;
  partyId: PartyId;
  contraventionIds: ContraventionId[];
  penalty?: Penalty;
  issuedAt?: Instant;
  complyBy?: LocalDate;
  appealBy?: LocalDate;
  noticeId?: NoticeId;
  /** How often it has been submitted; the ordinal of the registration effect. */
  submissionNumber: number;
  /** The registration effect of the current submission. */
  submissionEffectId?: EffectId;
  registryNumber?: string;
  /** Why the registry refused, or an operator cancelled. */
  registrationRefusal?: string;
  withdrawnReason?: string;
  /** That the answer of the current submission is unknown has been recorded: once for a submission. */
  unknownSince?: Instant;
  version: number;
  /** The version of the action at which each field last changed: names what moved since a stale version. */
  touched: Record<string, number>;
  startedAt: Instant;
  createdBy: CreatedBy;
};

export const noticeStatuses = ['REQUESTED', 'RENDERED', 'SERVED', 'FAILED', 'UNDELIVERABLE', 'WITHDRAWN'] as const;
export type NoticeStatus = (typeof noticeStatuses)[number];

export const serviceMethods = ['EMAIL', 'POST', 'IN_PERSON', 'SUBSTITUTED'] as const;
export type ServiceMethod = (typeof serviceMethods)[number];

export type Notice = {
  id: NoticeId;
  caseId: CaseId;
  actionId: ActionId;
  template: string;
  templateVersion: number;
  language: string;
  status: NoticeStatus;
  /** Content hash and size of the rendered PDF. */
  sha256?: string;
  size?: number;
  /** The mail that serves it; where the party is served by post, its ledger row is CANCELLED from the start. */
  mailEffectId: EffectId;
  service?: { method: ServiceMethod; date: LocalDate; evidence: string };
  failure?: string;
  version: number;
  requestedAt: Instant;
  createdBy: CreatedBy;
};
