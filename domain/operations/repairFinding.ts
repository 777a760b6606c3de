import { update } from '../change.ts';
import { equals } from '../condition.ts';
import type { Given } from '../command.ts';
import { preconditionFailed, refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { isRecomputed, type Finding, type FindingEnding, type FindingStatus } from './finding.ts';
import { defineOperation, type Operation } from './operation.ts';
import { repairs, type Repaired } from './repairs.ts';

export type RepairFinding = Operation<'repairFinding', FindingStatus> & { findingId: string; how: FindingEnding };

/**
 * Ends a finding. What follows from the records is set right, on the condition that they still stand as they were looked
 * at; everything else is settled by a person who has seen to it and says how.
 */
export const repairFinding = defineOperation({
  type: 'repairFinding',
  invariant: [
    'A repair is applied once, and only to what stands as it was looked at.',
    'What does not follow from the records is settled by a person, with a reason.',
  ],
  byService: true,
  subject: ({ findingId }: RepairFinding) => ref.finding(findingId),
  statusOf: (finding: Finding): FindingStatus => finding.status,
  belongs: (finding, { aggregateType, aggregateId }) =>
    finding.aggregateType === aggregateType && finding.aggregateId === aggregateId,
  then: (finding, { how }) => (how === 'RECOMPUTE' ? (repairs[finding.kind]?.reads?.(finding) ?? {}) : {}),
  decide: (finding, found, { how }, given) => {
    if (how === 'SETTLED' && !given.actor.roles.includes('OPERATOR'))
      return refused('NOT_PERMITTED', 'a person says that it has been seen to');
    const repair = repairs[finding.kind];
    if (how === 'RECOMPUTE' && !(repair && isRecomputed(finding)))
      return preconditionFailed('NOT_RECOMPUTABLE', 'what is right does not follow from the records');
    const repaired: Repaired = {};
    if (how === 'RECOMPUTE') {
      const next = repair!.decide(finding, found, given);
      if ('kind' in next) return next;
      Object.assign(repaired, next);
    }
    const { id: findingId, kind, item, values, occurrence } = finding;
    const ended = endedBy(finding, how, given);
    return {
      announces: how === 'RECOMPUTE' ? 'FindingRepaired' : 'FindingSettled',
      changed: 'finding',
      details: { findingId, kind, item, occurrence, ...(how === 'RECOMPUTE' && values) },
      payload: { findingId, kind },
      ...(finding.aggregateType === 'Finding'
        ? { after: { ...finding, ...ended } }
        : { after: repaired.after, reindexes: repaired.reindexes }),
      changes: [
        ...(repaired.changes ?? []),
        ...(finding.aggregateType === 'Finding'
          ? []
          : [update(ref.finding(findingId), { set: ended }, asSeen(finding))]),
      ],
    };
  },
});

const endedBy = ({ version }: Finding, how: FindingEnding, { actor, at }: Given) => ({
  status: how === 'RECOMPUTE' ? ('REPAIRED' as const) : ('RESOLVED' as const),
  settledAt: at,
  settledBy: actor.id,
  version: version + 1,
});

/** Every look at it, and whatever ends it, moves its version. */
const asSeen = ({ version }: Finding) => equals('version', version);
