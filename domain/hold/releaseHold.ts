import { caseTransition, defineCaseCommand, staleSince, type OnCase } from '../case/caseCommand.ts';
import { amend } from '../change.ts';
import type { HoldId } from '../ids.ts';
import { refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { reasonText } from '../text.ts';
import type { Hold } from './hold.ts';
import { allowedOnHold, separatedOnHold } from './holdPolicy.ts';

/** `expectedVersion` is the hold's. */
export type ReleaseHold = OnCase<'releaseHold'> & { holdId: HoldId; reason: string };

/** The matter is over, says somebody else than who placed the hold. Other holds of the case stay. */
export const releaseHold = defineCaseCommand({
  type: 'releaseHold',
  invariant: [
    'A hold is released once, by another person than who placed it.',
    'The case counts each hold that is not released, in the transaction that places or releases it.',
  ],
  reads: ({ caseId, holdId }: ReleaseHold) => ({ hold: ref.hold(caseId, holdId) }),
  stale: (_current, { hold }, { expectedVersion }) =>
    hold
      ? staleSince('the hold', { version: hold.version, touched: {} }, expectedVersion)
      : refused('NOT_FOUND', 'no such hold'),
  decide: (current, found, command, given) => {
    const hold = found.hold!; // `stale` has answered where there is none
    const { caseId, holdId, reason } = command;
    const access = { actor: given.actor, relations: new Set<never>() };
    const no = allowedOnHold(hold) ?? separatedOnHold(access, hold) ?? reasonText(reason, 'reason');
    if (no) return no;

    const released: Hold = { ...hold, releasedAt: given.at, releasedBy: given.actor.id, releaseReason: reason };
    return caseTransition(current, { ...current, activeHolds: current.activeHolds - 1 }, command, given, {
      moves: 'child',
      announces: 'HoldReleased',
      changed: ['holds'],
      details: { holdId, reason, matterReference: hold.matterReference },
      payload: { holdId },
      changes: [amend(ref.hold(caseId, holdId), hold, released)],
    });
  },
});
