import type { IssueEnforcementAction } from '../../domain/action/issueEnforcementAction.ts';
import type { ServeNotice } from '../../domain/action/serveNotice.ts';
import type { StartEnforcement } from '../../domain/action/startEnforcement.ts';
import type { SubmitToRegistry } from '../../domain/action/submitToRegistry.ts';
import type { WithdrawEnforcementAction } from '../../domain/action/withdrawEnforcementAction.ts';
import type { ActionId } from '../../domain/ids.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { caseIdOf, childIdOf, childOf } from '../nodeId.ts';
import { actionPayload, present } from '../payload.ts';

type Named =
  'startEnforcement' | 'issueEnforcementAction' | 'serveNotice' | 'submitToRegistry' | 'withdrawEnforcementAction';

/** Which action, and the version of it that the caller decided on; its id says which case it belongs to. */
const on = ({ actionId, expectedVersion }: { actionId: string; expectedVersion: number }) => {
  const { caseId, id } = childIdOf('EnforcementAction', actionId);
  return { caseId, actionId: id, expectedVersion };
};

export const actionMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  startEnforcement: (_root, { input }, ctx) => {
    const { expectedVersion, type, partyId, contraventionIds, penalty } = input;
    const caseId = caseIdOf(input.caseId);
    const command = {
      type: 'startEnforcement',
      caseId,
      expectedVersion,
      actionType: type,
      partyId: childOf('Party', caseId, partyId),
      contraventionIds: contraventionIds.map((id) => childOf('Contravention', caseId, id)),
      ...(penalty && { penalty: { ...penalty } }),
    } satisfies StartEnforcement;
    return actionPayload(ctx, input, command, ({ created }) => created['action'] as ActionId);
  },

  issueEnforcementAction: (_root, { input }, ctx) => {
    const { complyBy, appealBy } = input;
    return actionPayload(ctx, input, {
      type: 'issueEnforcementAction',
      ...on(input),
      ...present({ complyBy, appealBy }),
    } satisfies IssueEnforcementAction);
  },

  serveNotice: (_root, { input }, ctx) => {
    const { method, date, evidence } = input;
    const command = { type: 'serveNotice', ...on(input), method, date, evidence } satisfies ServeNotice;
    return actionPayload(ctx, input, command);
  },

  submitToRegistry: (_root, { input }, ctx) =>
    actionPayload(ctx, input, { type: 'submitToRegistry', ...on(input) } satisfies SubmitToRegistry),

  withdrawEnforcementAction: (_root, { input }, ctx) =>
    actionPayload(ctx, input, {
      type: 'withdrawEnforcementAction',
      ...on(input),
      reason: input.reason,
    } satisfies WithdrawEnforcementAction),
};
