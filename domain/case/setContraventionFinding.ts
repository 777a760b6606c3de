import { amend } from '../change.ts';
import type { ContraventionId } from '../ids.ts';
import { noChange, referenceInvalid } from '../refusal.ts';
import { ref } from '../refs.ts';
import type { Finding } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';
import { notSuspended } from './suspension.ts';

export type SetContraventionFinding = OnCase<'setContraventionFinding'> & {
  contraventionId: ContraventionId;
  finding: Finding;
};

/** Whether a contravention is substantiated; a finding can be taken back to undetermined while the case is open. */
export const setContraventionFinding = defineCaseCommand({
  type: 'setContraventionFinding',
  invariant: ['`undetermined` is the number of contraventions without a finding.'],
  reads: ({ caseId, contraventionId }: SetContraventionFinding) => ({
    contravention: ref.contravention(caseId, contraventionId),
  }),
  decide: (current, { contravention }, command, given) => {
    const { caseId, contraventionId, finding } = command;
    if (!contravention) return referenceInvalid('contraventionId', 'no such contravention in the case');
    if (contravention.finding === finding) return noChange(`the finding is ${finding} already`);
    const no = notSuspended(current);
    if (no) return no;

    const undetermined = current.undetermined - isOpen(contravention.finding) + isOpen(finding);
    return caseTransition(current, { ...current, undetermined }, command, given, {
      moves: 'facts',
      announces: 'ContraventionFindingSet',
      changed: ['findings'],
      details: { contraventionId, was: contravention.finding, finding },
      payload: { contraventionId, finding },
      changes: [amend(ref.contravention(caseId, contraventionId), contravention, { ...contravention, finding })],
    });
  },
});

const isOpen = (finding: Finding) => (finding === 'UNDETERMINED' ? 1 : 0);
