import type { PlaceHold } from '../../domain/hold/placeHold.ts';
import type { ReleaseHold } from '../../domain/hold/releaseHold.ts';
import type { HoldId } from '../../domain/ids.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { caseIdOf, childIdOf } from '../nodeId.ts';
import { holdPayload } from '../payload.ts';

export const holdMutations: Required<Pick<MutationResolvers<Context>, 'placeHold' | 'releaseHold'>> = {
  placeHold: (_root, { input }, ctx) => {
    const { matterReference, reason } = input;
    const command = { type: 'placeHold', caseId: caseIdOf(input.caseId), matterReference, reason } satisfies PlaceHold;
    return holdPayload(ctx, input, command, ({ created }) => created['hold'] as HoldId);
  },

  releaseHold: (_root, { input }, ctx) => {
    const { expectedVersion, reason } = input;
    const { caseId, id } = childIdOf('Hold', input.holdId);
    const command = { type: 'releaseHold', caseId, holdId: id, expectedVersion, reason } satisfies ReleaseHold;
    return holdPayload(ctx, input, command);
  },
};
