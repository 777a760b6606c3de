import { create, update, type Change } from '../change.ts';
import { claim, taken } from '../claim.ts';
import { defineCommand, type Given } from '../command.ts';
import { always } from '../condition.ts';
import type { CaseId, OfficerId } from '../ids.ts';
import { canLead, takeOn } from '../officer/load.ts';
import { permits } from '../policy.ts';
import { refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { opensTriage } from '../task/arising.ts';
import { work } from '../task/work.ts';
import { noSettings, todayIn } from '../tenant.ts';
import { firstOf, line, matching, paragraph, uniqueLine } from '../text.ts';
import type { CaseType, Classification, OpenCase as CaseOpened, Priority } from './case.ts';

export type OpenCase = {
  type: 'openCase';
  caseType: CaseType;
  title: string;
  summary: string;
  classification: Classification;
  priority: Priority;
  region: string;
  externalReference?: { sourceSystem: string; value: string };
  leadOfficerId?: OfficerId;
};

/** A case begins: numbered, its external reference claimed, its guards at 0, counted for its lead and its region. */
export const openCase = defineCommand({
  type: 'openCase',
  invariant: [
    'A case number is given out once.',
    'An external reference, however it is spelled, names one case of its source system for ever.',
    'The lead is active, not absent, and leads no more cases than the limit.',
    'Somebody is to look at every new case: its lead, or the team of its region.',
    'Every live case counts once in its region and once for its lead.',
  ],
  drawsCaseNumber: true,
  reads: (command: OpenCase, given) => ({
    case: ref.case(given.id<CaseId>('case')),
    tenant: ref.tenant(),
    ...(command.externalReference && { reference: referenceOf(command.externalReference) }),
    ...(command.leadOfficerId && { lead: ref.officer(command.leadOfficerId) }),
  }),
  decide: (found, command, given) => {
    if (
      !permits('CASE_WRITE', given.actor) ||
      !given.actor.roles.some((r) => r === 'CASE_OFFICER' || r === 'SUPERVISOR')
    )
      return refused('NOT_PERMITTED', 'only case officers and supervisors open cases');
    const bad = badInput(command);
    if (bad) return bad;
    if (!found.tenant) return noSettings();
    if (taken(found.reference))
      return refused('UNIQUE_VIOLATION', 'the external reference belongs to another case', {
        field: 'externalReference',
        holder: found.reference.ownerId,
      });
    const today = todayIn(found.tenant, given);
    const noLead = command.leadOfficerId && canLead(found.lead, 'leadOfficerId', today, undefined);
    if (noLead) return noLead;

    const { type: _, ...facts } = command;
    const id = given.id<CaseId>('case');
    const triage = opensTriage({ ...command, id }, command.leadOfficerId, given);
    const tasks = work(atZero, [triage]);
    const after: CaseOpened = {
      ...facts,
      id,
      number: given.caseNumber!,
      status: 'OPEN',
      openedAt: given.at,
      openedBy: given.actor.id,
      updatedAt: given.at,
      ...atZero,
      ...tasks.counts,
      createdBy: { commandId: given.commandId, requestHash: given.requestHash },
    };
    return {
      kind: 'transition',
      aggregate: { of: 'case', ref: ref.case(id), before: undefined, after, when: [] },
      event: {
        type: command.type,
        about: [],
        to: 'OPEN',
        changed: [],
        details: { title: command.title, summary: command.summary, number: after.number, ...tasks.details },
      },
      announces: 'CaseOpened',
      payload: { caseId: id, region: command.region, caseType: command.caseType },
      requests: [],
      changes: [
        create(ref.unique('CASE_NUMBER', '', after.number), claim('Case', id, after.number, given.at)),
        create(ref.investigatorGuard(id), { activeCount: 0 }),
        update(ref.openCases(command.region, given.counterShard), { add: { count: 1 } }, always),
        ...(command.externalReference ? [claimReference(command.externalReference, id, given)] : []),
        ...tasks.changes,
        ...(command.leadOfficerId ? takeOn(command.leadOfficerId, id, today, undefined, given) : []),
      ],
      created: { case: id },
    };
  },
});

/** Guards exist from the start: a bound on an absent attribute would fail. */
const atZero = {
  version: 1,
  contentVersion: 1,
  auditSeq: 0,
  auditHead: '',
  lastOrderedSeq: 0,
  touched: {},
  subjects: 0,
  contraventions: 0,
  undetermined: 0,
  openTasks: 0,
  openBlockingReview: 0,
  openBlockingClose: 0,
  pendingDocuments: 0,
  activeHolds: 0,
  openEffects: 0,
  returnCount: 0,
  reopenCount: 0,
};

type ExternalReference = { sourceSystem: string; value: string };
const referenceOf = (reference: ExternalReference) =>
  ref.unique('EXTERNAL_REF', reference.sourceSystem, reference.value);
const claimReference = (reference: ExternalReference, id: CaseId, given: Given): Change =>
  create(referenceOf(reference), claim('Case', id, reference.value, given.at));

function badInput({ title, summary, region, externalReference }: OpenCase) {
  return firstOf(
    line(title, 'title'),
    paragraph(summary, 'summary'),
    matching(region, /^[A-Z0-9_-]{1,32}$/, 'REGION', 'region'),
    externalReference &&
      matching(
        externalReference.sourceSystem,
        /^[A-Z0-9_]{1,32}$/,
        'SOURCE_SYSTEM',
        'externalReference',
        'sourceSystem',
      ),
    externalReference && uniqueLine(externalReference.value, 'externalReference', 'value'),
  );
}
