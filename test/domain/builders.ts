import type { EnforcementAction, Notice } from '../../domain/action/action.ts';
import type {
  ApprovedCase,
  CaseLink,
  CaseInEnforcement,
  CaseUnderReview,
  ClosedCase,
  Contravention,
  CreatedBy,
  Decision,
  OpenCase,
  Party,
  RegisteredCase,
  RejectedCase,
  Review,
} from '../../domain/case/case.ts';
import type { Actor, AnyCommand, Given, Role } from '../../domain/command.ts';
import type { Note } from '../../domain/case/note.ts';
import type { CaseDocument } from '../../domain/document/document.ts';
import type { LedgerRow } from '../../domain/effect.ts';
import type {
  ActionId,
  CaseId,
  CommandId,
  ContraventionId,
  DocumentId,
  EffectId,
  HoldId,
  Instant,
  LocalDate,
  NoteId,
  NoticeId,
  OfficerId,
  PartyId,
  ReviewId,
  TaskId,
  TenantId,
} from '../../domain/ids.ts';
import type { Hold } from '../../domain/hold/hold.ts';
import type { Officer } from '../../domain/officer/officer.ts';
import { theCase, type Task } from '../../domain/task/task.ts';
import type { Tenant } from '../../domain/tenant.ts';
import { calendar } from '../../store/calendar.ts';

/** 00:30 on the next day in Jakarta: a date taken in UTC by mistake is seen at once. */
export const now = '2026-07-06T17:30:00.000Z' as Instant;
export const today = '2026-07-07' as LocalDate;
export const yesterday = '2026-07-06' as LocalDate;
export const tomorrow = '2026-07-08' as LocalDate;
const earlier = '2026-07-01T03:00:00.000Z' as Instant;

export const c1 = 'c1' as CaseId;
/** Another case, for what is between two. */
export const c2 = 'c2' as CaseId;
export const p1 = 'p1' as PartyId;
export const k1 = 'k1' as ContraventionId;
export const t1 = 't1' as TaskId;
export const r1 = 'r1' as ReviewId;
export const d1 = 'd1' as DocumentId;
export const a1 = 'a1' as ActionId;
export const n1 = 'n1' as NoticeId;
export const h1 = 'h1' as HoldId;

const person = (id: string, ...roles: Role[]): Actor => ({ id: id as OfficerId, roles });
/** Leads the case, and submitted it. */
export const ana = person('ana', 'CASE_OFFICER');
/** Reviews it. */
export const ben = person('ben', 'REVIEWER');
/** Investigates it. */
export const cai = person('cai', 'INVESTIGATOR');
/** Has no part in it. */
export const dan = person('dan', 'CASE_OFFICER');
export const rob = person('rob', 'REVIEWER');
export const sue = person('sue', 'SUPERVISOR');
/** Places a hold, and releases one that another placed. */
export const leo = person('leo', 'LEGAL_OFFICER');
export const lea = person('lea', 'LEGAL_OFFICER');
export const workflow = person('workflow', 'SERVICE');

const createdBy: CreatedBy = { commandId: 'earlier' as CommandId, requestHash: 'earlier' };

export const tenant: Tenant = {
  id: 'demo' as TenantId,
  name: 'Demonstration regulator',
  zone: 'Asia/Jakarta',
  workingDays: [1, 2, 3, 4, 5],
  holidays: [],
  limits: { investigators: 3, openTasks: 40, defaultMaxLoad: 40 },
  penaltyAuthority: { minorUnits: 50_000_000, currency: 'IDR' },
  retention: { NO_BREACH: 2, NO_FURTHER_ACTION: 5, RESOLVED_INFORMALLY: 5, ENFORCED: 'PERMANENT', DUPLICATE: 2 },
};

export const givenTo = (actor: Actor, command: AnyCommand, key = '0'): Given => ({
  tenant: tenant.id,
  actor,
  commandId: `${command.type} by ${actor.id}, ${key}` as CommandId,
  requestHash: 'hash',
  correlationId: 'correlation',
  at: now,
  id: <Kind extends string>(role: string) => `${role}-${command.type}-${key}` as Kind,
  effectId,
  counterShard: 7,
  calendar,
});

const effectId = (aggregate: string, type: string, ...ordinal: (number | string)[]) =>
  [aggregate, type, ...ordinal].join('/') as EffectId;
export const mail1 = effectId(n1, 'NOTICE_MAIL', 0);
export const submission1 = effectId(a1, 'REGISTRATION', 1);

const facts = {
  id: c1,
  number: '2026-000001',
  caseType: 'COMPLAINT',
  title: 'Unmarked scales',
  summary: 'A trader weighs with unmarked scales.',
  classification: 'STANDARD',
  priority: 'NORMAL',
  region: 'WEST',
  leadOfficerId: ana.id,
  openedAt: earlier,
  openedBy: ana.id,
  updatedAt: earlier,
  version: 5,
  contentVersion: 4,
  auditSeq: 6,
  auditHead: 'head',
  lastOrderedSeq: 6,
  touched: { parties: 2, contraventions: 3, findings: 4 },
  subjects: 1,
  contraventions: 1,
  undetermined: 0,
  openTasks: 0,
  openBlockingReview: 0,
  openBlockingClose: 0,
  pendingDocuments: 0,
  activeHolds: 0,
  openEffects: 0,
  returnCount: 0,
  reopenCount: 0,
  createdBy,
} as const;
const decision: Decision = { reviewId: r1, decidedBy: ben.id, decidedAt: earlier, reason: 'well founded' };

export const open = (change: Partial<OpenCase> = {}): OpenCase => ({ ...facts, status: 'OPEN', ...change });
export const underReview = (change: Partial<CaseUnderReview> = {}): CaseUnderReview => ({
  ...facts,
  status: 'UNDER_REVIEW',
  review: { id: r1, submittedBy: ana.id, reviewerId: ben.id, contentVersion: 4 },
  ...change,
});
export const approved = (change: Partial<ApprovedCase> = {}): ApprovedCase => ({
  ...facts,
  status: 'APPROVED',
  decision,
  ...change,
});
export const rejected = (change: Partial<RejectedCase> = {}): RejectedCase => ({
  ...facts,
  status: 'REJECTED',
  decision,
  outcome: 'NO_BREACH',
  ...change,
});
export const inEnforcement = (change: Partial<CaseInEnforcement> = {}): CaseInEnforcement => ({
  ...facts,
  status: 'ENFORCEMENT',
  decision,
  activeActionId: a1,
  ...change,
});
export const registered = (change: Partial<RegisteredCase> = {}): RegisteredCase => ({
  ...facts,
  status: 'REGISTERED',
  decision,
  activeActionId: a1,
  ...change,
});
export const closed = (change: Partial<ClosedCase> = {}): ClosedCase => ({
  ...facts,
  status: 'CLOSED',
  outcome: 'NO_BREACH',
  closedAt: earlier,
  closedBy: ana.id,
  retention: { schedule: 'NO_BREACH', trigger: yesterday, disposeAfter: '2028-07-06' as LocalDate },
  ...change,
});

export const officer = (id: OfficerId, change: Partial<Officer> = {}): Officer => ({
  id,
  name: id,
  email: `${id}@example.org`,
  region: 'WEST',
  teams: [],
  state: 'ACTIVE',
  activeLoad: 3,
  maxLoad: 40,
  loadSeq: 3,
  version: 1,
  auditSeq: 1,
  auditHead: 'head',
  registeredAt: earlier,
  createdBy,
  ...change,
});
export const party = (change: Partial<Party> = {}): Party => ({
  id: p1,
  caseId: c1,
  role: 'SUBJECT',
  kind: 'PERSON',
  name: 'Ira',
  identifiers: [],
  addressLines: ['Jalan 1'],
  email: 'ira@example.org',
  serviceChannel: 'EMAIL',
  safetyFlag: false,
  version: 1,
  addedAt: earlier,
  createdBy,
  ...change,
});
export const contravention = (change: Partial<Contravention> = {}): Contravention => ({
  id: k1,
  caseId: c1,
  provision: 'Weights Act s. 4',
  date: yesterday,
  partyIds: [p1],
  finding: 'SUBSTANTIATED',
  version: 2,
  recordedAt: earlier,
  createdBy,
  ...change,
});
export const review = (change: Partial<Review> = {}): Review => ({
  id: r1,
  caseId: c1,
  submittedBy: ana.id,
  submittedAt: earlier,
  recommendation: 'enforce',
  contentVersion: 4,
  reviewerId: ben.id,
  version: 2,
  createdBy,
  ...change,
});
export const note = (change: Partial<Note> = {}): Note => ({
  id: 'm1' as NoteId,
  caseId: c1,
  seq: 4,
  text: 'Rang the trader.',
  writtenAt: earlier,
  writtenBy: ana.id,
  createdBy,
  ...change,
});
/** Open, of the region's team, and nobody's yet. */
export const task = (change: Partial<Task> = {}): Task => ({
  id: t1,
  caseId: c1,
  type: 'GENERAL',
  origin: 'visit',
  title: 'Visit the premises',
  status: 'UNASSIGNED',
  teamId: 'WEST',
  priority: 'NORMAL',
  version: 1,
  openedAt: earlier,
  createdBy,
  ...change,
});
/** What waits for a reviewer, or is with one. */
export const reviewTask = (assigneeId?: OfficerId): Task =>
  task({ ...ofReview, ...(assigneeId && { assigneeId, status: 'ASSIGNED' }) });
const ofReview = { type: 'REVIEW', origin: theCase, title: 'Review the case', teamId: 'REVIEWERS' } as const;

/** Confirmed, and the newest of its chain. */
export const document = (change: Partial<CaseDocument> = {}): CaseDocument => ({
  id: d1,
  caseId: c1,
  name: 'scales.pdf',
  mediaType: 'application/pdf',
  size: 1_000,
  sha256: 'd'.repeat(64),
  category: 'EVIDENCE',
  classification: 'STANDARD',
  status: 'AVAILABLE',
  chainId: d1,
  versionNumber: 1,
  requestedAt: earlier,
  requestedBy: ana.id,
  version: 2,
  touched: { status: 2 },
  createdBy,
  ...change,
});
/** Announced; nothing has come yet. */
export const draftDocument = (change: Partial<CaseDocument> = {}): CaseDocument =>
  document({ status: 'PENDING', version: 1, touched: {}, ...change });

/** That the case is a duplicate of the other. */
export const link = (change: Partial<CaseLink> = {}): CaseLink => ({
  caseId: c1,
  otherCaseId: c2,
  nature: 'DUPLICATE_OF',
  direction: 'TO',
  linkedAt: earlier,
  linkedBy: ana.id,
  createdBy,
  ...change,
});
/** Placed by leo, and active. */
export const hold = (change: Partial<Hold> = {}): Hold => ({
  id: h1,
  caseId: c1,
  reason: 'the court has asked for the file',
  matterReference: '12/2026 PN Jkt',
  placedAt: earlier,
  placedBy: leo.id,
  version: 1,
  createdBy,
  ...change,
});
/** Issued, of a type that the registry enters. */
export const action = (change: Partial<EnforcementAction> = {}): EnforcementAction => ({
  id: a1,
  caseId: c1,
  type: 'COMPLIANCE_NOTICE',
  status: 'ISSUED',
  partyId: p1,
  contraventionIds: [k1],
  issuedAt: earlier,
  appealBy: '2026-07-29' as LocalDate,
  noticeId: n1,
  submissionNumber: 0,
  version: 2,
  touched: { status: 2, noticeId: 2 },
  startedAt: earlier,
  createdBy,
  ...change,
});
export const draft = (change: Partial<EnforcementAction> = {}): EnforcementAction => {
  const { issuedAt: _, appealBy: __, noticeId: ___, ...rest } = action();
  return { ...rest, status: 'DRAFT', version: 1, touched: {}, ...change };
};
/** Submitted once; its answer is awaited. */
export const pending = (change: Partial<EnforcementAction> = {}): EnforcementAction =>
  action({ status: 'REGISTRATION_PENDING', submissionNumber: 1, submissionEffectId: submission1, ...change });
export const entered = (change: Partial<EnforcementAction> = {}): EnforcementAction =>
  pending({ status: 'REGISTERED', registryNumber: 'R-1', ...change });
export const notice = (change: Partial<Notice> = {}): Notice => ({
  id: n1,
  caseId: c1,
  actionId: a1,
  template: 'COMPLIANCE_NOTICE',
  templateVersion: 1,
  language: 'en',
  status: 'RENDERED',
  sha256: 'a'.repeat(64),
  size: 1_000,
  mailEffectId: mail1,
  version: 2,
  requestedAt: earlier,
  createdBy,
  ...change,
});
export const requested = (): Notice => {
  const { sha256: _, size: __, ...rest } = notice();
  return { ...rest, status: 'REQUESTED', version: 1 };
};
export const served = (change: Partial<Notice> = {}): Notice =>
  notice({ status: 'SERVED', service: { method: 'EMAIL', date: yesterday, evidence: 'ses-1' }, version: 3, ...change });
export const mail = (status: LedgerRow['status'], change: Partial<LedgerRow> = {}): LedgerRow => ({
  effectId: mail1,
  kind: 'NOTICE_MAIL',
  provider: 'mailer',
  status,
  caseId: c1,
  actionId: a1,
  noticeId: n1,
  providerKey: mail1,
  round: 0,
  attempt: 0,
  correlationId: 'correlation',
  plannedBy: createdBy.commandId,
  requestedBy: sue.id,
  plannedAt: earlier,
  updatedAt: earlier,
  ...change,
});
export const submission = (status: LedgerRow['status'], change: Partial<LedgerRow> = {}): LedgerRow => {
  const { noticeId: _, ...row } = mail(status);
  return {
    ...row,
    effectId: submission1,
    providerKey: submission1,
    kind: 'REGISTRATION',
    provider: 'registry',
    ...change,
  };
};
