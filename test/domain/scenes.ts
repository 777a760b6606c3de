import type { Case } from '../../domain/case/case.ts';
import type { Actor } from '../../domain/command.ts';
import type { OfficerId } from '../../domain/ids.ts';
import { keyOf, type Task } from '../../domain/task/task.ts';
import { ref } from '../../domain/refs.ts';
import {
  a1,
  action,
  ana,
  approved,
  ben,
  c1,
  c2,
  cai,
  closed,
  contravention,
  d1,
  document,
  dan,
  draft,
  entered,
  inEnforcement,
  h1,
  hold,
  k1,
  lea,
  leo,
  link,
  mail,
  mail1,
  n1,
  notice,
  officer,
  open,
  p1,
  party,
  pending,
  r1,
  registered,
  rejected,
  requested,
  review,
  reviewTask,
  rob,
  served,
  submission,
  submission1,
  sue,
  task,
  tenant,
  today,
  tomorrow,
  underReview,
  workflow,
} from './builders.ts';
import type { Items, Scene } from './ask.ts';

/** A case with its people: ana leads, ben reviews, cai investigates; dan, rob and sue have no part. */
export const standing = (current: Case, ...more: Items): Items => [
  [ref.tenant(), tenant],
  [ref.case(c1), current],
  [ref.investigatorGuard(c1), { activeCount: 1, officerIds: new Set([cai.id]) }],
  [ref.investigator(c1, cai.id), { officerId: cai.id, caseId: c1 }],
  ...[ana, ben, cai, dan, rob, sue].map(({ id }) => [ref.officer(id), officer(id)] as const),
  [ref.load(ana.id, c1), { officerId: ana.id, caseId: c1 }],
  [ref.party(c1, p1), party()],
  [ref.contravention(c1, k1), contravention()],
  [ref.review(c1, r1), review()],
  ...more,
];

/** A task as it is stored while it is open: with its key. */
export const openTask = (one: Task): Items => [
  [ref.task(one.caseId, one.id), one],
  [ref.openTask(one.caseId, one.type, one.origin), keyOf(one)],
];

const inReview = standing(underReview({ openTasks: 1 }), ...openTask(reviewTask(ben.id)));
/** Something is left to do, by somebody. */
const busy = (current: Case, assigneeId: OfficerId) =>
  standing({ ...current, openTasks: 1 }, ...openTask(task({ assigneeId, status: 'IN_PROGRESS' })));

const guard: Items = [[ref.enforcementGuard(c1), { actionId: a1, noticeId: n1 }]];
const ledger = (row: ReturnType<typeof mail>): Items => [[ref.effect(row.provider, row.effectId), row]];

/** In enforcement, the notice rendered and its mail planned. */
export const beforeService: Items = standing(
  inEnforcement({ openEffects: 1 }),
  ...guard,
  [ref.action(c1, a1), action()],
  [ref.notice(c1, n1), notice()],
  ...ledger(mail('PLANNED')),
);
export const afterService: Items = [
  ...beforeService,
  [ref.case(c1), inEnforcement()],
  [ref.notice(c1, n1), served()],
  ...ledger(mail('CONFIRMED')),
];
export const afterSubmission: Items = [
  ...afterService,
  [ref.case(c1), inEnforcement({ openEffects: 1 })],
  [ref.action(c1, a1), pending()],
  ...ledger(submission('SENT')),
];
const settled = (status: 'CONFIRMED' | 'FAILED_FINAL' | 'CANCELLED'): Items => [
  ...afterSubmission,
  ...ledger(submission(status)),
];
export const afterRegistration: Items = [
  ...settled('CONFIRMED'),
  [ref.case(c1), registered()],
  [ref.action(c1, a1), entered()],
];

const onCase = (actor: Actor, items: Items, type: string, rest: object = {}): Scene => ({
  actor,
  command: { type, caseId: c1, expectedVersion: 5, ...rest },
  items,
});
const onAction = (actor: Actor, items: Items, type: string, expectedVersion: number, rest: object = {}): Scene => ({
  actor,
  command: { type, caseId: c1, actionId: a1, expectedVersion, ...rest },
  items,
});
const recording = (items: Items, type: string, rest: object): Scene => ({
  actor: workflow,
  command: { type, caseId: c1, actionId: a1, ...rest },
  items,
});

/** One scene in which each command is done: what the tables of refusals and transitions start from. */
export const scenes = {
  updateCase: onCase(ana, standing(open()), 'updateCase', { title: 'Unmarked weights', priority: 'HIGH' }),
  addParty: onCase(ana, standing(open()), 'addParty', {
    role: 'WITNESS',
    kind: 'PERSON',
    name: 'Wim',
    identifiers: [],
    addressLines: ['Jalan 2'],
    serviceChannel: 'POST',
    safetyFlag: false,
  }),
  updateParty: onCase(ana, standing(open()), 'updateParty', { partyId: p1, addressLines: ['Jalan 3'] }),
  recordContravention: onCase(ana, standing(open()), 'recordContravention', {
    provision: 'Weights Act s. 5',
    date: today,
    partyIds: [p1],
  }),
  setContraventionFinding: onCase(ana, standing(open()), 'setContraventionFinding', {
    contraventionId: k1,
    finding: 'NOT_SUBSTANTIATED',
  }),
  reassignLead: onCase(sue, busy(open(), ana.id), 'reassignLead', {
    expectedLeadOfficerId: ana.id,
    leadOfficerId: dan.id,
    reason: 'leave',
  }),
  addInvestigator: {
    actor: ana,
    command: { type: 'addInvestigator', caseId: c1, officerId: dan.id },
    items: standing(open()),
  },
  removeInvestigator: {
    actor: ana,
    command: { type: 'removeInvestigator', caseId: c1, officerId: cai.id, reason: 'done' },
    items: busy(open(), cai.id),
  },
  linkCases: {
    actor: ana,
    command: { type: 'linkCases', caseId: c1, otherCaseId: c2, nature: 'DUPLICATE_OF' },
    items: standing(open(), [ref.case(c2), open({ id: c2 })]),
  },
  unlinkCases: {
    actor: ana,
    command: { type: 'unlinkCases', caseId: c1, otherCaseId: c2, nature: 'DUPLICATE_OF', reason: 'another trader' },
    items: standing(
      open(),
      [ref.case(c2), open({ id: c2 })],
      [ref.link(c1, 'DUPLICATE_OF', c2), link()],
      [ref.link(c2, 'DUPLICATE_OF', c1), link({ caseId: c2, otherCaseId: c1, direction: 'FROM' })],
    ),
  },
  addNote: {
    actor: ana,
    command: { type: 'addNote', caseId: c1, text: 'Rang the trader.' },
    items: standing(open()),
  },
  createTask: {
    actor: ana,
    command: {
      type: 'createTask',
      caseId: c1,
      taskType: 'GENERAL',
      origin: 'visit',
      title: 'Visit',
      assigneeId: dan.id,
    },
    items: standing(open()),
  },
  requestDocumentUpload: {
    actor: ana,
    command: {
      type: 'requestDocumentUpload',
      caseId: c1,
      name: 'scales.pdf',
      mediaType: 'application/pdf',
      size: 1_000,
      sha256: 'e'.repeat(64),
      category: 'EVIDENCE',
      classification: 'STANDARD',
      previousDocumentId: d1,
    },
    items: standing(open(), [ref.document(c1, d1), document()]),
  },
  suspendCase: onCase(sue, standing(open()), 'suspendCase', { until: tomorrow, reason: 'the court is asked' }),
  resumeCase: onCase(sue, standing(open({ suspendedUntil: tomorrow })), 'resumeCase', { reason: 'the court has said' }),
  submitForReview: onCase(ana, standing(open()), 'submitForReview', { recommendation: 'Enforce.' }),
  assignReviewer: onCase(sue, inReview, 'assignReviewer', { reviewerId: rob.id }),
  approveCase: onCase(ben, inReview, 'approveCase', { reason: 'well founded' }),
  rejectCase: onCase(ben, inReview, 'rejectCase', { reason: 'no ground', outcome: 'NO_BREACH' }),
  returnCaseForRework: onCase(ben, inReview, 'returnCaseForRework', {
    requiredChanges: ['name the scales'],
  }),
  withdrawReview: onCase(ana, inReview, 'withdrawReview', { reason: 'new evidence' }),
  startEnforcement: onCase(ana, standing(approved()), 'startEnforcement', {
    actionType: 'COMPLIANCE_NOTICE',
    partyId: p1,
    contraventionIds: [k1],
  }),
  issueEnforcementAction: onAction(
    sue,
    standing(inEnforcement(), [ref.enforcementGuard(c1), { actionId: a1 }], [ref.action(c1, a1), draft()]),
    'issueEnforcementAction',
    1,
  ),
  recordNoticeRendered: recording([...beforeService, [ref.notice(c1, n1), requested()]], 'recordNoticeRendered', {
    noticeId: n1,
    sha256: 'b'.repeat(64),
    size: 2_000,
  }),
  recordNoticeFailed: recording([...beforeService, [ref.notice(c1, n1), requested()]], 'recordNoticeFailed', {
    noticeId: n1,
    failure: 'a character has no glyph',
  }),
  recordNoticeServed: recording(
    [...beforeService, ...ledger(mail('CONFIRMED', { providerRequestId: 'ses-1' }))],
    'recordNoticeServed',
    { noticeId: n1 },
  ),
  recordNoticeUndeliverable: recording(
    [...beforeService, ...ledger(mail('FAILED_FINAL'))],
    'recordNoticeUndeliverable',
    { noticeId: n1, failure: '550 no such mailbox' },
  ),
  serveNotice: onAction(ana, beforeService, 'serveNotice', 2, {
    method: 'IN_PERSON',
    date: today,
    evidence: 'signed receipt 7',
  }),
  submitToRegistry: onAction(sue, afterService, 'submitToRegistry', 2),
  recordRegistration: recording(settled('CONFIRMED'), 'recordRegistration', {
    submissionNumber: 1,
    registryNumber: 'R-1',
  }),
  recordRegistrationRefusal: recording(settled('FAILED_FINAL'), 'recordRegistrationRefusal', {
    submissionNumber: 1,
    cause: 'REFUSED',
    reason: 'the licence number is unknown',
  }),
  recordRegistrationUnknown: recording(
    [...afterSubmission, ...ledger(submission('PARKED'))],
    'recordRegistrationUnknown',
    { submissionNumber: 1 },
  ),
  withdrawEnforcementAction: onAction(sue, beforeService, 'withdrawEnforcementAction', 2, { reason: 'settled' }),
  closeCase: onCase(ana, busy(rejected(), dan.id), 'closeCase', { reason: 'nothing left to do' }),
  closeCaseAsDuplicate: onCase(
    sue,
    standing(open(), [ref.case(c2), open({ id: c2 })], [ref.link(c1, 'DUPLICATE_OF', c2), link()]),
    'closeCaseAsDuplicate',
    { duplicateOfCaseId: c2, reason: 'the same complaint' },
  ),
  reopenCase: onCase(sue, standing(closed(), [ref.load(ana.id, c1), undefined]), 'reopenCase', {
    ground: 'NEW_EVIDENCE',
    reason: 'a witness came forward',
  }),
  placeHold: {
    actor: leo,
    command: {
      type: 'placeHold',
      caseId: c1,
      matterReference: '12/2026 PN Jkt',
      reason: 'the court asks for the file',
    },
    items: standing(open()),
  },
  releaseHold: {
    actor: lea,
    command: { type: 'releaseHold', caseId: c1, holdId: h1, expectedVersion: 1, reason: 'the appeal is over' },
    items: standing(open({ activeHolds: 1 }), [ref.hold(c1, h1), hold()]),
  },
} satisfies Record<string, Scene>;

export type CaseCommand = keyof typeof scenes;

export const rows = { mail: ref.effect('mailer', mail1), submission: ref.effect('registry', submission1) };
