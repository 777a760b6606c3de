import type { Case } from '../case/case.ts';
import { check, type Change } from '../change.ts';
import type { Given } from '../command.ts';
import { absent, equals } from '../condition.ts';
import type { ActionId, CaseId, EffectId, OfficerId } from '../ids.ts';
import type { Officer } from '../officer/officer.ts';
import { ref } from '../refs.ts';
import { teamOf, teams, theCase, type OpenTask, type TaskEnd } from './task.ts';
import { ends, opens, passes, type Part } from './work.ts';

/**
 * The tasks that come and go with what happens to a case. Their origins can be told from the command alone, so that their
 * keys are read with everything else; a case has few of them at a time, beyond the bound for those that people make.
 */
export const caseTask = (caseId: CaseId, type: 'TRIAGE' | 'REVIEW' | 'REWORK') => ref.openTask(caseId, type, theCase);
export const actionTask = (caseId: CaseId, type: 'SERVICE' | 'REGISTRATION', actionId: ActionId) =>
  ref.openTask(caseId, type, actionId);
export const operatorTask = (caseId: CaseId, effectId: EffectId) => ref.openTask(caseId, 'OPERATOR', effectId);

/** Of the lead where there is one, else of the region's team. */
export const opensTriage = (
  current: Pick<Case, 'id' | 'priority' | 'region'>,
  leadOfficerId: OfficerId | undefined,
  given: Given,
): Part => {
  const assignee = leadOfficerId && { assigneeId: leadOfficerId };
  const triage = { type: 'TRIAGE', origin: theCase, title: 'Look at the new case' } as const;
  return opens(current, { ...triage, teamId: teamOf(current.region), ...assignee }, undefined, given);
};

/** What a submission ends, and what it begins: a review is due, and nobody has it yet. */
export const submits = (
  current: Case,
  rows: { triageTask?: OpenTask | undefined; reworkTask?: OpenTask | undefined; reviewTask?: OpenTask | undefined },
  given: Given,
): Part[] => [
  ends(current.id, 'TRIAGE', theCase, rows.triageTask, 'COMPLETED', given),
  ends(current.id, 'REWORK', theCase, rows.reworkTask, 'COMPLETED', given),
  opens(current, review, rows.reviewTask, given),
];
const review = { type: 'REVIEW', origin: theCase, title: 'Review the case', teamId: teams.reviewers } as const;

export const givesReview = (current: Case, row: OpenTask | undefined, assigneeId: OfficerId, given: Given): Part =>
  row ? passes(current.id, row, assigneeId) : opens(current, { ...review, assigneeId }, undefined, given);

export const endsReview = ({ id }: Case, row: OpenTask | undefined, status: TaskEnd, given: Given): Part =>
  ends(id, 'REVIEW', theCase, row, status, given);

type ForLead =
  { type: 'REWORK'; title: string } | { type: 'SERVICE' | 'REGISTRATION'; origin: ActionId; title: string };

/** Whom a task for the lead is about: a key that stands only in the case. */
export const leadIn = (current: Case | undefined) => ({
  ...(current?.leadOfficerId && { leadOfficer: ref.officer(current.leadOfficerId) }),
});

/** Of the lead, unless the lead is leaving: then the region's team has it, as work is given to nobody who goes. */
export function opensForLead(
  current: Case,
  what: ForLead,
  row: OpenTask | undefined,
  lead: Officer | undefined,
  given: Given,
): Part {
  const { leadOfficerId } = current;
  const assignee = lead?.state === 'ACTIVE' && leadOfficerId && { assigneeId: leadOfficerId };
  const part = opens(current, { origin: theCase, ...what, teamId: teamOf(current.region), ...assignee }, row, given);
  if (row || !leadOfficerId) return part;
  const asRead: Change = check(ref.officer(leadOfficerId), lead ? equals('state', lead.state) : absent);
  return { ...part, changes: [...part.changes, asRead] };
}

/** Nobody can tell what became of an effect: an operator finds out. */
export const opensForOperator = (current: Case, effectId: EffectId, row: OpenTask | undefined, given: Given): Part =>
  opens(
    current,
    {
      ...{ type: 'OPERATOR', origin: effectId, teamId: teams.operations, priority: 'HIGH' },
      title: 'Find out whether the registry has the submission',
    },
    row,
    given,
  );

export const endsForOperator = ({ id }: Case, effectId: EffectId, row: OpenTask | undefined, given: Given): Part =>
  ends(id, 'OPERATOR', effectId, row, 'COMPLETED', given);

/** Read in a second stage, and only where there are any. */
export const openTasksOf = (current: Case | undefined) => ({
  ...(current && current.openTasks > 0 && { openTasks: ref.openTasks(current.id) }),
});
