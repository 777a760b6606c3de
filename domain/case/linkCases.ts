import { check, create, type Change } from '../change.ts';
import type { Given } from '../command.ts';
import { all, equals, exists } from '../condition.ts';
import type { CaseId } from '../ids.ts';
import { relationsOf, sees } from '../policy.ts';
import { invalid, noChange, preconditionFailed, referenceInvalid } from '../refusal.ts';
import { ref } from '../refs.ts';
import { reasonText } from '../text.ts';
import type { Case, CaseLink, Investigator, LinkNature } from './case.ts';
import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from './caseCommand.ts';

export type LinkCases = OnAnyVersion<'linkCases'> & {
  otherCaseId: CaseId;
  /** DUPLICATE_OF: `caseId` is the duplicate of the other. */
  nature: LinkNature;
  reason?: string;
};

/** Two cases belong together, and each says so. What one may not see, one may not link to either. */
export const linkCases = defineCaseCommand({
  type: 'linkCases',
  invariant: [
    'Two cases are linked at most once in each nature, whichever of them was named first.',
    'No case is linked to itself, and nobody links a case that they may not see.',
  ],
  stale: anyVersion,
  reads: ({ caseId, otherCaseId, nature }: LinkCases, given) => ({
    link: ref.link(caseId, nature, otherCaseId),
    other: ref.case(otherCaseId),
    membershipInOther: ref.investigator(otherCaseId, given.actor.id),
  }),
  decide: (current, { link, other, membershipInOther }, command, given) => {
    const { caseId, otherCaseId, nature, reason } = command;
    if (caseId === otherCaseId) return invalid('NOT_ITSELF', ['otherCaseId'], 'a case is not linked to itself');
    if (!other || !seenBy(given, other, membershipInOther)) return referenceInvalid('otherCaseId', 'no such case');
    if (link?.direction === 'FROM' && nature === 'DUPLICATE_OF')
      return preconditionFailed('LINKED_THE_OTHER_WAY', 'the other case is the duplicate of this one');
    if (link) return noChange('the cases are linked so already');
    const bad = reason === undefined ? undefined : reasonText(reason, 'reason');
    if (bad) return bad;

    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'CasesLinked',
      changed: ['links'],
      details: { nature, otherCaseId, ...(reason !== undefined && { reason }) },
      payload: { nature, otherCaseId },
      changes: [...linked(command, given), ...stillSeen(given, other, membershipInOther)],
    });
  },
});

/** Both rows at once: whoever links the pair the other way round meets one of them. */
function linked({ caseId, otherCaseId, nature }: LinkCases, { at, actor, commandId, requestHash }: Given): Change[] {
  const common = { nature, linkedAt: at, linkedBy: actor.id, createdBy: { commandId, requestHash } };
  const there: CaseLink = { ...common, caseId, otherCaseId, direction: 'TO' };
  const back: CaseLink = { ...common, caseId: otherCaseId, otherCaseId: caseId, direction: 'FROM' };
  return [create(ref.link(caseId, nature, otherCaseId), there), create(ref.link(otherCaseId, nature, caseId), back)];
}

export const seenBy = ({ actor }: Given, other: Case, membership: Investigator | undefined): boolean => {
  const investigators = new Set(membership ? [actor.id] : []);
  return sees({ actor, relations: relationsOf(actor.id, other, investigators, false) }, other);
};

/** What made the other case visible: its classification, or the part that the actor has in it. */
export function stillSeen(
  { actor }: Given,
  { id, classification, version }: Case,
  membership: Investigator | undefined,
) {
  const seen = classification === 'RESTRICTED' ? equals('version', version) : equals('classification', classification);
  return [
    check(ref.case(id), all(exists, seen)),
    ...(membership ? [check(ref.investigator(id, actor.id), exists)] : []),
  ];
}
