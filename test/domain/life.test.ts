import { describe, expect, it } from 'vitest';
import type { Case } from '../../domain/case/case.ts';
import type { Actor } from '../../domain/command.ts';
import type { LedgerRow, LedgerStatus } from '../../domain/effect.ts';
import type { ActionId, CaseId, ContraventionId, NoticeId, OfficerId, PartyId } from '../../domain/ids.ts';
import { ref, type Ref } from '../../domain/refs.ts';
import type { EnforcementAction, Notice } from '../../domain/action/action.ts';
import { ana, ben, cai, sue, tenant, today, workflow } from './builders.ts';
import { answerTo, itemIn, type Items, type Scene } from './ask.ts';
import { commit, transitionOf } from './stage.ts';

/** A table of our own, on which command after command is decided and committed. */
function table() {
  let items: Items = [[ref.tenant(), tenant]];
  const read = <Item>(item: Ref<Item>) => itemIn(items, item) as Item;
  const scene = (actor: Actor, type: string, rest: object = {}): Scene => ({
    actor,
    command: { type, ...rest },
    items,
    key: String(items.length), // one command, one identity
  });
  return {
    read,
    answer: (actor: Actor, type: string, rest: object = {}) => answerTo(scene(actor, type, rest)),
    does: (actor: Actor, type: string, rest: object = {}) => {
      const next = transitionOf(scene(actor, type, rest));
      items = commit(next, items);
      return next;
    },
    /** What a workflow does to a ledger row without a command. */
    ledger: (row: Ref<LedgerRow>, status: LedgerStatus) => {
      items = [...items, [row, { ...read(row), status }]];
    },
  };
}

/** Registers everybody and opens a case that ana leads, with one substantiated contravention of one subject. */
function opened(serviceChannel: 'EMAIL' | 'POST' = 'EMAIL') {
  const t = table();
  for (const { id } of [ana, ben, cai, sue])
    t.does(sue, 'registerOfficer', { officerId: id, name: id, email: `${id}@example.org`, region: 'WEST', teams: [] });
  const opening = t.does(ana, 'openCase', {
    caseType: 'COMPLAINT',
    title: 'Unmarked scales',
    summary: 'A trader weighs with unmarked scales.',
    classification: 'STANDARD',
    priority: 'NORMAL',
    region: 'WEST',
    leadOfficerId: ana.id,
  });
  const caseId = opening.created['case'] as CaseId;
  const current = () => t.read(ref.case(caseId));
  const on = (actor: Actor, type: string, rest: object = {}) =>
    t.does(actor, type, { caseId, expectedVersion: current().version, ...rest });
  const partyId = on(ana, 'addParty', {
    role: 'SUBJECT',
    kind: 'PERSON',
    name: 'Ira',
    identifiers: [],
    addressLines: ['Jalan 1'],
    email: 'ira@example.org',
    serviceChannel,
    safetyFlag: false,
  }).created['party'] as PartyId;
  t.does(ana, 'addInvestigator', { caseId, officerId: cai.id });
  const contraventionId = on(cai, 'recordContravention', { provision: 's. 4', date: today, partyIds: [partyId] })
    .created['contravention'] as ContraventionId;
  on(cai, 'setContraventionFinding', { contraventionId, finding: 'SUBSTANTIATED' });
  return { t, caseId, current, on, partyId, contraventionId };
}

function approvedCase(serviceChannel: 'EMAIL' | 'POST' = 'EMAIL') {
  const life = opened(serviceChannel);
  life.on(ana, 'submitForReview', { recommendation: 'Enforce.' });
  life.on(ben, 'assignReviewer', { reviewerId: ben.id });
  life.on(ben, 'approveCase', { reason: 'well founded' });
  return life;
}

function enforced(actionType: string, serviceChannel: 'EMAIL' | 'POST' = 'EMAIL') {
  const life = approvedCase(serviceChannel);
  const { t, caseId, on, partyId, contraventionId } = life;
  const actionId = on(ana, 'startEnforcement', { actionType, partyId, contraventionIds: [contraventionId] }).created[
    'action'
  ] as ActionId;
  const action = () => t.read(ref.action(caseId, actionId));
  const onAction = (actor: Actor, type: string, rest: object = {}) =>
    t.does(actor, type, { caseId, actionId, expectedVersion: action().version, ...rest });
  onAction(sue, 'issueEnforcementAction');
  const noticeId = action().noticeId as NoticeId;
  const record = (type: string, rest: object = {}) => t.does(workflow, type, { caseId, actionId, ...rest });
  record('recordNoticeRendered', { noticeId, sha256: 'a'.repeat(64), size: 10 });
  const notice = (): Notice => t.read(ref.notice(caseId, noticeId));
  const mailRow = ref.effect('mailer', notice().mailEffectId);
  return { ...life, actionId, action, onAction, noticeId, notice, record, mailRow };
}

const settled = (current: Case, action: EnforcementAction) => ({
  status: current.status,
  openEffects: current.openEffects,
  action: action.status,
});

describe('the life of a case', () => {
  it('goes from opening to registration and closing, every premise holding, and leaves nothing open', () => {
    const { t, caseId, current, on, actionId, action, onAction, noticeId, notice, record, mailRow } =
      enforced('COMPLIANCE_NOTICE');
    t.ledger(mailRow, 'CONFIRMED');
    record('recordNoticeServed', { noticeId });
    onAction(sue, 'submitToRegistry');
    const row = ref.effect('registry', action().submissionEffectId!);
    t.ledger(row, 'PARKED');
    record('recordRegistrationUnknown', { submissionNumber: 1 });
    t.ledger(row, 'CONFIRMED');
    record('recordRegistration', { submissionNumber: 1, registryNumber: 'R-1' });
    expect(settled(current(), action())).toEqual({ status: 'REGISTERED', openEffects: 0, action: 'REGISTERED' });

    on(ana, 'closeCase', { outcome: 'ENFORCED', reason: 'registered' });
    expect(settled(current(), action())).toEqual({ status: 'CLOSED', openEffects: 0, action: 'CONCLUDED' });
    expect(notice()).toMatchObject({ status: 'SERVED', service: { method: 'EMAIL' } });
    expect(t.read(ref.enforcementGuard(caseId))).toBeUndefined();
    expect(t.read(ref.officer(ana.id))).toMatchObject({ activeLoad: 0 });
    expect(t.read(ref.openCases('WEST', 7))).toEqual({ count: 0 });
    const late = { caseId, actionId, submissionNumber: 1, registryNumber: 'R-1' };
    expect(t.answer(workflow, 'recordRegistration', late)).toBe('NO_CHANGE');
    expect(t.answer(ana, 'closeCase', { caseId, expectedVersion: current().version, reason: 'again' })).toBe(
      'ILLEGAL_TRANSITION',
    );
  });

  it('is served by post and closed without a registry, where the action is a warning', () => {
    const { t, current, on, action, onAction, mailRow } = enforced('WARNING', 'POST');
    expect(t.read(mailRow)).toMatchObject({ status: 'CANCELLED' });
    const closing = { caseId: current().id, expectedVersion: current().version, outcome: 'ENFORCED', reason: 'warned' };
    expect(t.answer(ana, 'closeCase', closing)).toBe('PRECONDITION_FAILED(NOTICE_NOT_SERVED)');
    onAction(cai, 'serveNotice', { method: 'POST', date: today, evidence: 'tracking 42' });
    on(ana, 'closeCase', { outcome: 'ENFORCED', reason: 'warned' });
    expect(settled(current(), action())).toEqual({ status: 'CLOSED', openEffects: 0, action: 'CONCLUDED' });
  });

  it('starts over after a refusal, a resubmission and a withdrawal, and every effect is settled once', () => {
    const { t, caseId, current, on, action, onAction, noticeId, record, mailRow, partyId, contraventionId } =
      enforced('COMPLIANCE_NOTICE');
    t.ledger(mailRow, 'FAILED_FINAL');
    record('recordNoticeUndeliverable', { noticeId, failure: '550' });
    expect(current()).toMatchObject({ openEffects: 0 });
    onAction(cai, 'serveNotice', { method: 'IN_PERSON', date: today, evidence: 'receipt' });
    for (const submissionNumber of [1, 2]) {
      onAction(sue, 'submitToRegistry');
      expect(current()).toMatchObject({ openEffects: 1 });
      t.ledger(ref.effect('registry', action().submissionEffectId!), 'FAILED_FINAL');
      record('recordRegistrationRefusal', { submissionNumber, cause: 'REFUSED', reason: 'unknown licence' });
      expect(current()).toMatchObject({ openEffects: 0 });
    }
    onAction(sue, 'withdrawEnforcementAction', { reason: 'wrong party' });
    expect(settled(current(), action())).toEqual({ status: 'APPROVED', openEffects: 0, action: 'WITHDRAWN' });
    expect(t.read(ref.enforcementGuard(caseId))).toBeUndefined();
    on(sue, 'startEnforcement', { actionType: 'ADVICE', partyId, contraventionIds: [contraventionId] });
    expect(current()).toMatchObject({ status: 'ENFORCEMENT' });
  });

  it('comes back from review, is withdrawn from another, and is rejected and closed as proposed', () => {
    const { t, current, on } = opened();
    const submit = () => {
      on(ana, 'submitForReview', { recommendation: 'Enforce.' });
      on(sue, 'assignReviewer', { reviewerId: ben.id });
    };
    submit();
    on(ben, 'returnCaseForRework', { requiredChanges: ['name the scales'] });
    submit();
    on(ana, 'withdrawReview', { reason: 'new evidence' });
    submit();
    on(ben, 'rejectCase', { reason: 'no ground', outcome: 'RESOLVED_INFORMALLY' });
    on(ana, 'closeCase', { reason: 'as proposed' });
    expect(current()).toMatchObject({ status: 'CLOSED', returnCount: 1, outcome: 'RESOLVED_INFORMALLY' });
    expect(t.read(ref.openCases('WEST', 7))).toEqual({ count: 0 });
  });

  it('passes to another lead, who was an investigator, and back', () => {
    const { t, caseId, current, on } = opened();
    const pass = (from: OfficerId, to: OfficerId) =>
      on(sue, 'reassignLead', { expectedLeadOfficerId: from, leadOfficerId: to, reason: 'leave' });
    pass(ana.id, cai.id);
    expect(t.read(ref.investigatorGuard(caseId))).toMatchObject({ activeCount: 0 });
    expect(t.read(ref.officer(cai.id))).toMatchObject({ activeLoad: 1 });
    pass(cai.id, ana.id);
    expect(t.read(ref.officer(cai.id))).toMatchObject({ activeLoad: 0 });
    expect(current()).toMatchObject({ leadOfficerId: ana.id });
  });
});
