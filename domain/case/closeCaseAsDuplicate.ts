import { check } from '../change.ts';
import { all, equals, exists, not } from '../condition.ts';
import type { CaseId } from '../ids.ts';
import { preconditionFailed } from '../refusal.ts';
import { ref } from '../refs.ts';
import { noSettings } from '../tenant.ts';
import { reasonText } from '../text.ts';
import type { ClosedCase } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';
import { closing, countsNoMore, leftIn, endsWith, stillOwed } from './ending.ts';

export type CloseCaseAsDuplicate = OnCase<'closeCaseAsDuplicate'> & {
  /** The case it duplicates: linked DUPLICATE_OF, and live. */
  duplicateOfCaseId: CaseId;
  reason: string;
};

/** The matter goes on in another case; this one ends. Its external reference stays claimed. */
export const closeCaseAsDuplicate = defineCaseCommand({
  type: 'closeCaseAsDuplicate',
  invariant: [
    'A duplicate ends only while the case it duplicates is live, so that the matter is never without a case.',
    'A closed case has no open task.',
    'A closed case counts for nobody and in no region, and its retention is known.',
  ],
  reads: ({ caseId, duplicateOfCaseId }: CloseCaseAsDuplicate) => ({
    tenant: ref.tenant(),
    link: ref.link(caseId, 'DUPLICATE_OF', duplicateOfCaseId),
    original: ref.case(duplicateOfCaseId),
  }),
  then: ({ case: current }) => leftIn(current),
  decide: (current, { tenant, link, original, openTasks }, command, given) => {
    const { duplicateOfCaseId, reason } = command;
    if (link?.direction !== 'TO')
      return preconditionFailed('NO_DUPLICATE_LINK', 'the case is not linked as a duplicate of that case');
    if (!original || original.status === 'CLOSED')
      return preconditionFailed('ORIGINAL_CLOSED', 'the case it duplicates is closed itself');
    const no = reasonText(reason, 'reason') ?? stillOwed(current);
    if (no) return no;
    if (!tenant) return noSettings();

    const tasks = endsWith(current, openTasks, given);
    const after: ClosedCase = {
      ...current,
      ...tasks.counts,
      ...closing('DUPLICATE', tenant, given),
      duplicateOfCaseId,
    };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'CaseClosed',
      changed: ['status', 'outcome', 'retention', 'duplicateOfCaseId'],
      details: { outcome: 'DUPLICATE', duplicateOfCaseId, reason, ...after.retention, ...tasks.details },
      payload: { outcome: 'DUPLICATE', region: current.region, duplicateOfCaseId },
      changes: [
        ...tasks.changes,
        ...countsNoMore(current, given),
        check(ref.link(current.id, 'DUPLICATE_OF', duplicateOfCaseId), equals('direction', 'TO')),
        check(ref.case(duplicateOfCaseId), all(exists, not(equals('status', 'CLOSED')))),
      ],
    });
  },
});
