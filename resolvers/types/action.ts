import type { EnforcementAction } from '../../domain/action/action.ts';
import { availableActionsOn } from '../../domain/policy.ts';
import { ref } from '../../domain/refs.ts';
import type { EnforcementActionResolvers, NoticeResolvers } from '../../graphql/types.ts';
import { atTheDoor } from '../access.ts';
import type { Context } from '../context.ts';
import { nodeId } from '../nodeId.ts';

export const enforcementAction: EnforcementActionResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('EnforcementAction', caseId, id),
  party: async ({ caseId, partyId }, _args, { loaders }) => (await loaders.child(ref.party(caseId, partyId))) ?? null,
  contraventions: ({ caseId, contraventionIds }, _args, { loaders }) =>
    Promise.all(contraventionIds.map(async (id) => (await loaders.child(ref.contravention(caseId, id))) ?? null)),
  notice: async (action, _args, ctx) => (await noticeOf(action, ctx)) ?? null,
  registrationUnknownSince: ({ unknownSince }) => unknownSince ?? null,
  case: async ({ caseId }, _args, { loaders }) => (await loaders.case(caseId)) ?? null,
  availableActions: async (action, _args, ctx, { schema }) => {
    const [current, notice] = await Promise.all([ctx.loaders.case(action.caseId), noticeOf(action, ctx)]);
    if (!current) return [];
    const access = await ctx.loaders.access(current);
    return atTheDoor(schema, ctx.actor, availableActionsOn(access, current, action, notice));
  },
};

const noticeOf = async ({ caseId, noticeId }: EnforcementAction, { loaders }: Context) =>
  noticeId && (await loaders.child(ref.notice(caseId, noticeId)));

export const notice: NoticeResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('Notice', caseId, id),
  document: ({ sha256, size }) => (sha256 !== undefined && size !== undefined ? { sha256, size } : null),
  action: async ({ caseId, actionId }, _args, { loaders }) =>
    (await loaders.child(ref.action(caseId, actionId))) ?? null,
  case: async ({ caseId }, _args, { loaders }) => (await loaders.case(caseId)) ?? null,
};
