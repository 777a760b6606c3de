import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../domain/command.ts';
import { tell } from '../../local/demo/story.ts';
import {
  approved,
  byPost,
  drafted,
  investigated,
  issue,
  on,
  onAction,
  openOffice,
  reviewed,
  send,
  submit,
  today,
  underReview,
  type Matter,
  type Office,
} from './office.ts';
import { actionIs, auditVerifies, mailsAbout, noticeIs, submissionsAbout, until } from './outcome.ts';
import { startTarget, type Target } from './target.ts';

let target: Target;
let office: Office;
beforeAll(async () => {
  target = await startTarget();
  office = await openOffice(target);
});
afterAll(() => target?.stop());

/** What left the house about a case, where that can be seen. */
function left({ number }: Pick<Matter, 'number'>, wanted: { mails: number; submissions: object[] }) {
  if (!target.local) return;
  expect(mailsAbout(target.local, number)).toHaveLength(wanted.mails);
  expect(submissionsAbout(target.local, number)).toMatchObject(wanted.submissions);
}

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);

describe.concurrent('the life of a case', { timeout: 60_000 }, () => {
  it('goes from opening to registration and closing, with one mail and one submission', async () => {
    const run = Date.now().toString(36);
    const as = async (actor: string, ...roles: Role[]) =>
      target.ask(await target.token(target.tenant, actor, ...roles));
    const told = await tell({ run, as, say: () => undefined, patienceMs: 60_000 });
    const events = await auditVerifies(target, office.sue, told);
    expect(typesOf(events)).toEqual([
      ...['openCase', 'addParty', 'recordContravention', 'addInvestigator', 'setContraventionFinding'],
      ...['submitForReview', 'assignReviewer', 'approveCase', 'startEnforcement', 'issueEnforcementAction'],
      ...['recordNoticeRendered', 'recordNoticeServed', 'submitToRegistry', 'recordRegistration', 'closeCase'],
    ]);
    const { registryNumber } = told;
    left(told, { mails: 1, submissions: [{ submissionNumber: 1, status: 'ACCEPTED', registryNumber }] });
  });

  it('ends with a rejection, and closes with the outcome that the reviewer proposed', async () => {
    const rejected = await on(office.ben, await underReview(office), 'rejectCase', {
      reason: 'The drums were empty.',
      outcome: 'NO_BREACH',
    });
    const closed = await on(office.ana, rejected, 'closeCase', { reason: 'Nothing to enforce.' });
    const query = 'query ($id: ID!) { case(id: $id) { status outcome closure { retention { schedule } } } }';
    const { case: now } = await office.ana(query, { id: closed.caseId });
    expect(now).toMatchObject({
      status: 'CLOSED',
      outcome: 'NO_BREACH',
      closure: { retention: { schedule: 'NO_BREACH' } },
    });
    await auditVerifies(target, office.sue, closed);
    left(closed, { mails: 0, submissions: [] });
  });

  it('comes back for rework, is submitted again with more, and is approved as it then stands', async () => {
    const returned = await on(office.ben, await underReview(office), 'returnCaseForRework', {
      requiredChanges: ['Name the driver.', 'Date the photographs.'],
    });
    const witness = {
      role: 'WITNESS',
      kind: 'PERSON',
      name: 'The driver',
      addressLines: ['Jalan Dua 2'],
      serviceChannel: 'POST',
    };
    const reworked = await on(office.ana, returned, 'addParty', witness);
    const decided = await on(office.ben, await reviewed(office, reworked), 'approveCase', { reason: 'Complete now.' });

    const query = `query ($id: ID!) { case(id: $id) { status returnCount
      reviews(first: 10) { edges { node { decision requiredChanges contentVersion } } } } }`;
    const { case: now } = (await office.ana(query, { id: decided.caseId })) as {
      case: { reviews: { edges: object[] } };
    };
    expect(now).toMatchObject({ status: 'APPROVED', returnCount: 1 });
    const decisions = now.reviews.edges.map((edge) => (edge as { node: { decision: string } }).node.decision);
    expect(decisions.sort()).toEqual(['APPROVED', 'RETURNED']);
    await auditVerifies(target, office.sue, decided);
  });

  it('is taken back from review by its lead, and goes through another one', async () => {
    const taken = await on(office.ana, await underReview(office), 'withdrawReview', { reason: 'A name is wrong.' });
    const late = await send(office.ben, 'approveCase', {
      caseId: taken.caseId,
      expectedVersion: taken.version,
      reason: 'Too late.',
    });
    expect(late.errors[0]).toMatchObject({ code: 'ILLEGAL_TRANSITION', from: 'OPEN' });
    const decided = await on(office.ben, await reviewed(office, taken), 'approveCase', { reason: 'Well founded.' });
    await auditVerifies(target, office.sue, decided);
  });

  it('is closed by a supervisor where an approved case is not enforced after all', async () => {
    const matter = await approved(office);
    const input = { reason: 'The plant has closed.', outcome: 'RESOLVED_INFORMALLY' };
    const byLead = await send(office.ana, 'closeCase', {
      caseId: matter.caseId,
      expectedVersion: matter.version,
      ...input,
    });
    expect(byLead.errors[0]!.code).toBe('NOT_PERMITTED');
    const closed = await on(office.sue, matter, 'closeCase', input);
    await auditVerifies(target, office.sue, closed);
  });
});

describe.concurrent('an enforcement action', { timeout: 60_000 }, () => {
  it('that is withdrawn as a draft makes room for another, which goes the whole way', async () => {
    const first = await drafted(office, await approved(office), 'PROHIBITION_NOTICE');
    const withdrawn = await onAction(office.sue, first, 'withdrawEnforcementAction', { reason: 'Too severe.' });
    const second = await issue(office, await drafted(office, withdrawn));
    const served = await until(office.sue, second, noticeIs('SERVED'));
    const registered = await until(office.sue, await submit(office, served), actionIs('REGISTERED'));
    const closed = await on(office.ana, registered, 'closeCase', { outcome: 'ENFORCED', reason: 'Done.' });
    await auditVerifies(target, office.sue, closed);
    left(closed, { mails: 1, submissions: [{ status: 'ACCEPTED' }] });
  });

  it('that is withdrawn after service keeps its service on record, and its successor is served anew', async () => {
    const first = await issue(office, await drafted(office, await approved(office)));
    const served = await until(office.sue, first, noticeIs('SERVED'));
    const withdrawn = await onAction(office.sue, served, 'withdrawEnforcementAction', { reason: 'Appeal upheld.' });
    const earlier = await until(office.sue, withdrawn, actionIs('WITHDRAWN'));
    expect(earlier.now.notice).toMatchObject({ status: 'SERVED', service: { method: 'EMAIL' } });

    const second = await issue(office, await drafted(office, withdrawn));
    await until(office.sue, second, noticeIs('SERVED'));
    await auditVerifies(target, office.sue, second);
    left(second, { mails: 2, submissions: [] });
  });

  it('against a party without mail is served by post, and only then registered', async () => {
    const issued = await issue(office, await drafted(office, await approved(office, byPost)));
    const rendered = await until(office.sue, issued, noticeIs('RENDERED'));
    const early = await send(office.sue, 'submitToRegistry', {
      actionId: rendered.actionId,
      expectedVersion: rendered.actionVersion,
    });
    expect(early.errors[0]).toMatchObject({ code: 'PRECONDITION_FAILED', name: 'NOTICE_NOT_SERVED' });

    const served = await onAction(office.ana, rendered, 'serveNotice', {
      method: 'POST',
      date: today(),
      evidence: 'Receipt RR 4711.',
    });
    const again = await send(office.ana, 'serveNotice', {
      actionId: served.actionId,
      expectedVersion: served.actionVersion,
      method: 'IN_PERSON',
      date: today(),
      evidence: 'Handed over.',
    });
    expect(again.errors[0]).toMatchObject({ code: 'ILLEGAL_TRANSITION', from: 'SERVED' });

    const registered = await until(office.sue, await submit(office, served), actionIs('REGISTERED'));
    expect(registered.now.notice!.service).toEqual({ method: 'POST', evidence: 'Receipt RR 4711.' });
    await auditVerifies(target, office.sue, registered);
    left(registered, { mails: 0, submissions: [{ status: 'ACCEPTED' }] });
  });

  it('that the registry does not enter is served, and its case closes from there', async () => {
    const issued = await issue(office, await drafted(office, await approved(office), 'WARNING'));
    const closing = { outcome: 'ENFORCED', reason: 'Warned.' };
    const served = await until(office.sue, issued, noticeIs('SERVED'));
    const filed = await send(office.sue, 'submitToRegistry', {
      actionId: served.actionId,
      expectedVersion: served.actionVersion,
    });
    expect(filed.errors[0]).toMatchObject({ code: 'PRECONDITION_FAILED', name: 'NOT_REGISTRABLE' });

    const closed = await on(office.ana, served, 'closeCase', closing);
    const concluded = await until(office.sue, { ...served, ...closed }, actionIs('CONCLUDED'));
    expect(concluded.now.case).toMatchObject({ status: 'CLOSED', counts: { openEffects: 0 } });
    await auditVerifies(target, office.sue, closed);
    left(closed, { mails: 1, submissions: [] });
  });

  it('whose notice the font cannot show is not sent half, but served by other means', async () => {
    const unshowable = { ...byPost, name: 'Contoh \u{13000}\u{13001}' };
    const issued = await issue(office, await drafted(office, await approved(office, unshowable), 'WARNING'));
    const failed = await until(office.sue, issued, noticeIs('FAILED'));
    expect(failed.now.notice!.failure).toBeTruthy();
    const served = await onAction(office.ana, failed, 'serveNotice', {
      method: 'IN_PERSON',
      date: today(),
      evidence: 'Read out at the gate; Ida was present.',
    });
    const closed = await on(office.ana, served, 'closeCase', { outcome: 'ENFORCED', reason: 'Warned.' });
    await auditVerifies(target, office.sue, closed);
    left(closed, { mails: 0, submissions: [] });
  });
});

describe.concurrent('a case without a finding', { timeout: 60_000 }, () => {
  it('is not submitted, and says what is owed', async () => {
    const matter = await investigated(office);
    const reopened = await on(office.ida, matter, 'recordContravention', {
      provision: 'Section 13',
      date: '2026-07-01',
      partyIds: [],
    }).catch((error: Error) => error.message);
    expect(reopened).toContain('NOT_PERMITTED');
    const more = await on(office.ana, matter, 'recordContravention', {
      provision: 'Section 13',
      date: '2026-07-01',
      partyIds: [],
    });
    const early = await send(office.ana, 'submitForReview', {
      caseId: more.caseId,
      expectedVersion: more.version,
      recommendation: 'Enforce.',
    });
    expect(early.errors[0]).toMatchObject({ code: 'PRECONDITION_FAILED', name: 'FINDINGS_UNDETERMINED' });
    await auditVerifies(target, office.sue, more);
  });
});
