import {
  registrableTypes,
  type ActionStatus,
  type EnforcementAction,
  type Notice,
  type NoticeStatus,
} from './action/action.ts';
import { caseStatuses, type Case, type CaseStatus } from './case/case.ts';
import type { Actor, Role } from './command.ts';
import type { CaseDocument, DocumentStatus } from './document/document.ts';
import type { OfficerId } from './ids.ts';
import { illegalTransition, preconditionFailed, refused, type Refused } from './refusal.ts';

/** What the token's roles permit at the door; the policy below decides about the instance. */
export const permissions = {
  CASE_READ: ['CASE_OFFICER', 'INVESTIGATOR', 'REVIEWER', 'SUPERVISOR', 'LEGAL_OFFICER', 'RECORDS_MANAGER', 'AUDITOR'],
  CASE_WRITE: ['CASE_OFFICER', 'INVESTIGATOR', 'REVIEWER', 'SUPERVISOR'],
  CASE_DECIDE: ['REVIEWER', 'SUPERVISOR'],
  CASE_SUPERVISE: ['SUPERVISOR'],
  ENFORCE: ['CASE_OFFICER', 'INVESTIGATOR', 'SUPERVISOR'],
  AUDIT_READ: ['CASE_OFFICER', 'INVESTIGATOR', 'REVIEWER', 'SUPERVISOR', 'LEGAL_OFFICER', 'RECORDS_MANAGER', 'AUDITOR'],
  OFFICER_READ: [
    'CASE_OFFICER',
    'INVESTIGATOR',
    'REVIEWER',
    'SUPERVISOR',
    'LEGAL_OFFICER',
    'RECORDS_MANAGER',
    'AUDITOR',
  ],
  OFFICER_MANAGE: ['SUPERVISOR'],
  /** Preserves cases for matters elsewhere. */
  HOLD: ['LEGAL_OFFICER'],
  /** Sees to what happens to records when their time has passed. */
  DISPOSE: ['RECORDS_MANAGER'],
  /** Workflows and queues; no case content comes with it. */
  OPERATE: ['OPERATOR'],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof permissions;

export const permits = (permission: Permission, actor: Actor): boolean =>
  actor.roles.some((role) => (permissions[permission] as readonly Role[]).includes(role));

/** How the actor stands to one case. */
export type Relation = 'opener' | 'lead' | 'investigator' | 'reviewer' | 'submitter' | 'excluded';

export type Access = { actor: Actor; relations: ReadonlySet<Relation> };

/** Whether the actor may know that the case exists. Unseen equals absent. */
export function sees({ actor, relations }: Access, seen: Pick<Case, 'classification'>): boolean {
  if (actor.roles.includes('SERVICE')) return true;
  if (!permits('CASE_READ', actor)) return false;
  if (seen.classification !== 'RESTRICTED') return true;
  const named: Relation[] = ['opener', 'lead', 'investigator', 'reviewer', 'submitter'];
  return named.some((relation) => relations.has(relation)) || has(actor, 'SUPERVISOR', 'LEGAL_OFFICER', 'AUDITOR');
}

export function relationsOf(
  actorId: OfficerId,
  current: Case,
  investigators: ReadonlySet<OfficerId>,
  excluded: boolean,
): ReadonlySet<Relation> {
  const relations = new Set<Relation>();
  if (current.openedBy === actorId) relations.add('opener');
  if (current.leadOfficerId === actorId) relations.add('lead');
  if (investigators.has(actorId)) relations.add('investigator');
  if (current.status === 'UNDER_REVIEW' && current.review.reviewerId === actorId) relations.add('reviewer');
  if (current.status === 'UNDER_REVIEW' && current.review.submittedBy === actorId) relations.add('submitter');
  if (excluded) relations.add('excluded');
  return relations;
}

/** One row of the transition table: who may, from which status, and whose earlier part in the case forbids it. */
type Rule = {
  who: (access: Access, current: Case) => Refused | undefined;
  from: readonly CaseStatus[];
  separation?: (access: Access) => Refused | undefined;
};

const has = (actor: Actor, ...wanted: Role[]) => wanted.some((role) => actor.roles.includes(role));

const either =
  (relations: readonly Relation[], wantedRoles: readonly Role[]) =>
  ({ actor, relations: held }: Access): Refused | undefined =>
    relations.some((relation) => held.has(relation)) || has(actor, ...wantedRoles)
      ? undefined
      : refused('NOT_PERMITTED', `only ${[...relations, ...wantedRoles].join(', ')} may do this`);

const theReviewer = ({ relations }: Access, current: Case): Refused | undefined =>
  current.status !== 'UNDER_REVIEW' || relations.has('reviewer')
    ? undefined
    : refused('NOT_THE_REVIEWER', 'only the assigned reviewer decides');

const service = either([], ['SERVICE']);

/** The lead closes; what was approved and never enforced is closed by a supervisor. */
const closes = (access: Access, current: Case): Refused | undefined =>
  current.status === 'APPROVED' ? either([], ['SUPERVISOR'])(access) : either(['lead'], [])(access);

/** A supervisor assigns anybody; a reviewer takes the review, unless they had a part in what is reviewed. */
const reviewsOwnWork = ({ actor, relations }: Access): Refused | undefined =>
  has(actor, 'SUPERVISOR') || !(['lead', 'investigator', 'submitter'] as const).some((part) => relations.has(part))
    ? undefined
    : refused('SEPARATION_OF_DUTIES', 'who leads, investigates or submitted the case does not review it');

const everyStatusButClosed = [
  'OPEN',
  'UNDER_REVIEW',
  'APPROVED',
  'REJECTED',
  'ENFORCEMENT',
  'REGISTERED',
] as const satisfies readonly CaseStatus[];
/** Whoever sees the case: what is read of it is on record. */
const readers = either([], permissions.CASE_READ);
const team = either(['lead', 'investigator'], ['SUPERVISOR']);
const leadOrSupervisor = either(['lead'], ['SUPERVISOR']);
const supervisor = either([], ['SUPERVISOR']);
const legalOfficer = either([], ['LEGAL_OFFICER']);

/** The transition table of the domain, row by row: commands on an existing case. */
export const caseRules = {
  updateCase: { who: team, from: ['OPEN'] },
  addParty: { who: team, from: ['OPEN'] },
  updateParty: { who: team, from: ['OPEN', 'ENFORCEMENT'] },
  recordContravention: { who: team, from: ['OPEN'] },
  setContraventionFinding: { who: team, from: ['OPEN'] },
  reassignLead: { who: supervisor, from: everyStatusButClosed },
  addInvestigator: { who: leadOrSupervisor, from: ['OPEN', 'ENFORCEMENT'] },
  removeInvestigator: { who: leadOrSupervisor, from: ['OPEN', 'ENFORCEMENT'] },
  createTask: { who: either(['lead', 'investigator'], ['SUPERVISOR', 'SERVICE']), from: everyStatusButClosed },
  linkCases: { who: team, from: everyStatusButClosed },
  unlinkCases: { who: team, from: everyStatusButClosed },
  addNote: { who: either(['lead', 'investigator', 'reviewer'], ['SUPERVISOR']), from: everyStatusButClosed },
  requestDocumentUpload: { who: team, from: everyStatusButClosed },
  confirmDocument: { who: team, from: everyStatusButClosed },
  quarantineDocument: {
    who: either(['lead', 'investigator', 'reviewer'], ['SUPERVISOR', 'SERVICE']),
    from: caseStatuses,
  },
  releaseDocument: { who: supervisor, from: caseStatuses },
  issueDocumentDownload: { who: readers, from: caseStatuses },
  deleteDraftDocument: { who: team, from: caseStatuses },
  suspendCase: { who: supervisor, from: everyStatusButClosed },
  resumeCase: { who: supervisor, from: everyStatusButClosed },
  submitForReview: { who: either(['lead'], []), from: ['OPEN'] },
  assignReviewer: {
    who: either([], ['SUPERVISOR', 'REVIEWER']),
    from: ['UNDER_REVIEW'],
    separation: reviewsOwnWork,
  },
  approveCase: { who: theReviewer, from: ['UNDER_REVIEW'] },
  rejectCase: { who: theReviewer, from: ['UNDER_REVIEW'] },
  returnCaseForRework: { who: theReviewer, from: ['UNDER_REVIEW'] },
  withdrawReview: { who: either(['lead'], []), from: ['UNDER_REVIEW'] },
  startEnforcement: { who: leadOrSupervisor, from: ['APPROVED'] },
  issueEnforcementAction: { who: supervisor, from: ['ENFORCEMENT'] },
  serveNotice: { who: team, from: ['ENFORCEMENT', 'REGISTERED'] },
  submitToRegistry: { who: supervisor, from: ['ENFORCEMENT'] },
  withdrawEnforcementAction: { who: supervisor, from: ['ENFORCEMENT', 'REGISTERED'] },
  closeCase: { who: closes, from: ['REJECTED', 'REGISTERED', 'APPROVED', 'ENFORCEMENT'] },
  closeCaseAsDuplicate: { who: supervisor, from: ['OPEN'] },
  reopenCase: { who: supervisor, from: ['CLOSED', 'REJECTED'] },
  placeHold: { who: legalOfficer, from: caseStatuses },
  releaseHold: { who: legalOfficer, from: caseStatuses },
  recordNoticeRendered: { who: service, from: ['ENFORCEMENT'] },
  recordNoticeFailed: { who: service, from: ['ENFORCEMENT'] },
  recordNoticeServed: { who: service, from: ['ENFORCEMENT'] },
  /** A mail may come back after everything else has ended. */
  recordNoticeUndeliverable: { who: service, from: caseStatuses },
  recordRegistration: { who: service, from: ['ENFORCEMENT'] },
  recordRegistrationRefusal: { who: service, from: ['ENFORCEMENT'] },
  recordRegistrationUnknown: { who: service, from: ['ENFORCEMENT'] },
} satisfies Record<string, Rule>;
export type CaseCommandName = keyof typeof caseRules;
/** The statuses from which a command is allowed, for the compiler. */
export type StatusFor<Name extends CaseCommandName> = (typeof caseRules)[Name]['from'][number];

/** Permitted? Asked before the version; excluded comes first, since it beats every role. */
export function permittedOn(command: CaseCommandName, access: Access, current: Case): Refused | undefined {
  if (access.relations.has('excluded')) return refused('EXCLUDED', 'a declared conflict of interest excludes you');
  return caseRules[command].who(access, current);
}

/** Allowed from where the case stands? Asked after the version. */
export function allowedFrom(command: CaseCommandName, current: Case): Refused | undefined {
  const from: readonly CaseStatus[] = caseRules[command].from;
  return from.includes(current.status) ? undefined : illegalTransition(command, current.status, from);
}

/** Duties kept apart? Asked after the status. */
export function separatedFrom(command: CaseCommandName, access: Access): Refused | undefined {
  const rule: Rule = caseRules[command];
  return rule.separation?.(access);
}

/** The rows about one action and its notice: asked after those about the case. */
type ActionRule = (action: EnforcementAction, notice: Notice | undefined) => Refused | undefined;

/** What has been issued and not ended: its notice can be served. */
const inForce: readonly ActionStatus[] = ['ISSUED', 'REGISTRATION_PENDING', 'REGISTRATION_FAILED', 'REGISTERED'];
const unserved: readonly NoticeStatus[] = ['RENDERED', 'FAILED', 'UNDELIVERABLE'];

const actionRules = {
  issueEnforcementAction: ({ status }) => within('issueEnforcementAction', status, ['DRAFT']),
  serveNotice: ({ status }, notice) =>
    within('serveNotice', status, inForce) ??
    (notice ? within('serveNotice', notice.status, unserved) : preconditionFailed('NO_NOTICE', 'there is no notice')),
  submitToRegistry: ({ status, type }, notice) =>
    within('submitToRegistry', status, ['ISSUED', 'REGISTRATION_FAILED']) ??
    (registrableTypes.includes(type)
      ? undefined
      : preconditionFailed('NOT_REGISTRABLE', `the registry does not enter a ${type}`)) ??
    (notice?.status === 'SERVED'
      ? undefined
      : preconditionFailed('NOTICE_NOT_SERVED', 'an action is registered after its notice was served')),
  withdrawEnforcementAction: ({ status }) =>
    status === 'REGISTERED'
      ? preconditionFailed('REGISTERED_ACTION', 'what the registry has entered cannot be withdrawn')
      : within('withdrawEnforcementAction', status, ['DRAFT', 'ISSUED', 'REGISTRATION_FAILED']),
} satisfies Partial<Record<CaseCommandName, ActionRule>>;
export type ActionCommandName = keyof typeof actionRules;

const within = <Status extends string>(command: string, status: Status, from: readonly Status[]) =>
  from.includes(status) ? undefined : illegalTransition(command, status, from);

/** Allowed from where the action and its notice stand? Asked after everything about the case. */
export const allowedOn = (
  command: ActionCommandName,
  action: EnforcementAction,
  notice: Notice | undefined,
): Refused | undefined => actionRules[command](action, notice);

/** The rows about one document: asked after those about the case. */
const documentRules = {
  confirmDocument: ['PENDING'],
  quarantineDocument: ['AVAILABLE', 'SUPERSEDED'],
  releaseDocument: ['QUARANTINED'],
  issueDocumentDownload: ['AVAILABLE', 'SUPERSEDED'],
  deleteDraftDocument: ['PENDING'],
} as const satisfies Partial<Record<CaseCommandName, readonly DocumentStatus[]>>;
export type DocumentCommandName = keyof typeof documentRules;

/** Allowed from where the document stands, and with the holds on its case? */
export const allowedOnDocument = (
  command: DocumentCommandName,
  { status }: Pick<CaseDocument, 'status'>,
  { activeHolds }: Pick<Case, 'activeHolds'>,
): Refused | undefined =>
  within<DocumentStatus>(command, status, documentRules[command]) ??
  (command === 'deleteDraftDocument' && activeHolds > 0
    ? refused('HOLD_ACTIVE', 'nothing of the case is deleted while a hold is on it')
    : undefined);

export type Availability<Command extends string = string> = { command: Command; refusal: Refused | undefined };

const actionCommands = Object.keys(actionRules) as ActionCommandName[];
const documentCommands = Object.keys(documentRules) as DocumentCommandName[];
/** About one of its actions, documents or holds: offered there. */
const aboutAChild = (command: CaseCommandName) =>
  command in actionRules || command in documentRules || command === 'releaseHold';
const caseCommands = (Object.keys(caseRules) as CaseCommandName[]).filter(
  (command) => caseRules[command].who !== service && !aboutAChild(command),
);

/** Every command of people on the case itself, allowed or refused, by the same functions that guard the command. */
export const availableActions = (access: Access, current: Case): Availability<CaseCommandName>[] =>
  caseCommands.map((command) => ({ command, refusal: unavailable(command, access, current) }));

/** The same for one of its actions; `notice` is the action's, where it has one. */
export const availableActionsOn = (
  access: Access,
  current: Case,
  action: EnforcementAction,
  notice: Notice | undefined,
): Availability<ActionCommandName>[] =>
  actionCommands.map((command) => ({
    command,
    refusal: unavailable(command, access, current) ?? allowedOn(command, action, notice),
  }));

/** The same for one of its documents. */
export const availableActionsOnDocument = (
  access: Access,
  current: Case,
  document: CaseDocument,
): Availability<DocumentCommandName>[] =>
  documentCommands.map((command) => ({
    command,
    refusal: unavailable(command, access, current) ?? allowedOnDocument(command, document, current),
  }));

const unavailable = (command: CaseCommandName, access: Access, current: Case) =>
  permittedOn(command, access, current) ?? allowedFrom(command, current) ?? separatedFrom(command, access);
