import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from '../case/caseCommand.ts';
import { create } from '../change.ts';
import type { HoldId } from '../ids.ts';
import { ref } from '../refs.ts';
import { firstOf, line, reasonText } from '../text.ts';
import type { Hold } from './hold.ts';

export type PlaceHold = OnAnyVersion<'placeHold'> & { reason: string; matterReference: string };

/** What a case says is wanted elsewhere, by a court for example: it is preserved until the hold is released. */
export const placeHold = defineCaseCommand({
  type: 'placeHold',
  invariant: [
    'The case counts each hold that is not released, in the transaction that places or releases it.',
    'A hold keeps nobody from working on the case: it moves no version and no status.',
  ],
  stale: anyVersion,
  reads: ({ caseId }: PlaceHold, given) => ({ hold: ref.hold(caseId, given.id<HoldId>('hold')) }),
  decide: (current, _found, command, given) => {
    const { caseId, reason, matterReference } = command;
    const bad = firstOf(line(matterReference, 'matterReference'), reasonText(reason, 'reason'));
    if (bad) return bad;

    const { at, actor, commandId, requestHash } = given;
    const hold: Hold = {
      id: given.id<HoldId>('hold'),
      caseId,
      reason,
      matterReference,
      placedAt: at,
      placedBy: actor.id,
      version: 1,
      createdBy: { commandId, requestHash },
    };
    return caseTransition(current, { ...current, activeHolds: current.activeHolds + 1 }, command, given, {
      moves: 'child',
      announces: 'HoldPlaced',
      changed: ['holds'],
      details: { holdId: hold.id, reason, matterReference },
      payload: { holdId: hold.id },
      changes: [create(ref.hold(caseId, hold.id), hold)],
      created: { hold: hold.id },
    });
  },
});
