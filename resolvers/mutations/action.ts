import type { MutationResolvers } from '../../graphql/types.ts';
import { ref } from '../../domain/refs.ts';
import type { ActionId } from '../../domain/ids.ts';
import type { Context } from '../context.ts';
import { caseIdOf, childIdOf } from '../nodeId.ts';
import { actionPayload } from '../payload.ts';

type Named =
  | 'startEnforcement'
  | 'issueEnforcementAction'
  | 'serveNotice'
  | 'submitToRegistry'
  | 'withdrawEnforcementAction';

/** Which action, and the version of it that the caller decided on; its id says which case it belongs to. */
const on = ({ actionId, expectedVersion }: { actionId: string; expectedVersion: number }) => {
  const { caseId, id } = childIdOf('EnforcementAction', actionId);
  return { caseId, actionId: id, expectedVersion };
};

export const actionMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  startEnforcement: (_root, { input }, ctx) => {
    const { caseId, expectedVersion, type, partyId, contraventionIds, penalty } = input;
    const command = {
      type: 'startEnforcement',
      caseId: caseIdOf(caseId),
      expectedVersion,
      actionType: type,
      partyId: childIdOf('Party', partyId).id,
      contraventionIds: contraventionIds.map((id) => childIdOf('Contravention', id).id),
      ...(penalty && { penalty: { ...penalty } }),
    };
    return actionPayload(ctx, input, command, (answer) =>
      answer.kind === 'done' ? (answer.created['action'] as ActionId) : undefined,
    );
  },

  issueEnforcementAction: (_root, { input }, ctx) => {
    const command = { type: 'issueEnforcementAction', ...on(input) };
    return actionPayload(ctx, input, command, () => command.actionId);
  },

  serveNotice: (_root, { input }, ctx) => {
    const { caseId, id: noticeId } = childIdOf('Notice', input.noticeId);
    const { expectedVersion, method, date, evidence } = input;
    const command = { type: 'serveNotice', caseId, noticeId, expectedVersion, method, date, evidence };
    return actionPayload(ctx, input, command, async () => {
      const notice = await ctx.loaders.child(ref.notice(caseId, noticeId));
      return notice?.actionId;
    });
  },

  submitToRegistry: (_root, { input }, ctx) => {
    const command = { type: 'submitToRegistry', ...on(input) };
    return actionPayload(ctx, input, command, () => command.actionId);
  },

  withdrawEnforcementAction: (_root, { input }, ctx) => {
    const command = { type: 'withdrawEnforcementAction', ...on(input), reason: input.reason };
    return actionPayload(ctx, input, command, () => command.actionId);
  },
};
