import { remove } from '../change.ts';
import { all, equals, exists } from '../condition.ts';
import type { CaseId } from '../ids.ts';
import { preconditionFailed, referenceInvalid } from '../refusal.ts';
import { ref } from '../refs.ts';
import { reasonText } from '../text.ts';
import type { LinkNature } from './case.ts';
import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from './caseCommand.ts';
import { seenBy, stillSeen } from './linkCases.ts';

export type UnlinkCases = OnAnyVersion<'unlinkCases'> & { otherCaseId: CaseId; nature: LinkNature; reason: string };

/** A link was wrong: it goes from both cases. That it stood, and why it went, is in the audit of the case that was linked. */
export const unlinkCases = defineCaseCommand({
  type: 'unlinkCases',
  invariant: [
    'A link goes from both cases at once, and whoever took it away said why.',
    'It goes where it was made: the case that was linked holds both events. A case closed as a duplicate keeps its link.',
  ],
  stale: anyVersion,
  reads: ({ caseId, otherCaseId, nature }: UnlinkCases, given) => ({
    link: ref.link(caseId, nature, otherCaseId),
    other: ref.case(otherCaseId),
    membershipInOther: ref.investigator(otherCaseId, given.actor.id),
  }),
  decide: (current, { link, other, membershipInOther }, command, given) => {
    const { caseId, otherCaseId, nature, reason } = command;
    if (!other || !seenBy(given, other, membershipInOther)) return referenceInvalid('otherCaseId', 'no such case');
    if (!link) return preconditionFailed('NOT_LINKED', 'the cases are not linked so');
    if (link.direction === 'FROM')
      return preconditionFailed('LINKED_THE_OTHER_WAY', 'the other case was linked to this one, and its audit says so');
    const no = reasonText(reason, 'reason');
    if (no) return no;

    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'CasesUnlinked',
      changed: ['links'],
      details: { nature, otherCaseId, linkedAt: link.linkedAt, reason },
      payload: { nature, otherCaseId },
      changes: [
        remove(ref.link(caseId, nature, otherCaseId), all(exists, equals('direction', link.direction))),
        remove(ref.link(otherCaseId, nature, caseId), exists),
        ...stillSeen(given, other, membershipInOther),
      ],
    });
  },
});
