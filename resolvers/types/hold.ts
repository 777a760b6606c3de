import { statusOf } from '../../domain/hold/hold.ts';
import { availableActionsOnHold } from '../../domain/hold/holdPolicy.ts';
import type { HoldResolvers } from '../../graphql/types.ts';
import { atTheDoor } from '../access.ts';
import type { Context } from '../context.ts';
import { nodeId } from '../nodeId.ts';

export const hold: HoldResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('Hold', caseId, id),
  status: statusOf,
  placedBy: async ({ placedBy }, _args, { loaders }) => (await loaders.officer(placedBy)) ?? null,
  releasedBy: async ({ releasedBy }, _args, { loaders }) => (releasedBy && (await loaders.officer(releasedBy))) || null,
  case: async ({ caseId }, _args, { loaders }) => (await loaders.case(caseId)) ?? null,
  availableActions: async (found, _args, ctx, { schema }) => {
    const current = await ctx.loaders.case(found.caseId);
    if (!current) return [];
    return atTheDoor(schema, ctx.actor, availableActionsOnHold(await ctx.loaders.access(current), current, found));
  },
};
