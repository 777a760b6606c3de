import type { CloseCase } from '../../domain/case/closeCase.ts';
import type { AddInvestigator, RemoveInvestigator } from '../../domain/case/investigators.ts';
import type { OpenCase } from '../../domain/case/openCase.ts';
import type { ReassignLead } from '../../domain/case/reassignLead.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { keyable } from '../limits.ts';
import { caseIdOf, officerIdOf, officerIdOrNull } from '../nodeId.ts';
import { casePayload, present } from '../payload.ts';

type Named = 'openCase' | 'reassignLead' | 'addInvestigator' | 'removeInvestigator' | 'closeCase';

export const caseMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  openCase: (_root, { input }, ctx) => {
    const { idempotencyKey: _, leadOfficerId, externalReference, ...facts } = input;
    const lead = officerIdOrNull(leadOfficerId);
    const command = {
      type: 'openCase',
      ...facts,
      ...(lead && { leadOfficerId: lead }),
      ...(externalReference && { externalReference: { ...externalReference } }),
    } satisfies OpenCase;
    const { sourceSystem = '', value = '' } = externalReference ?? {};
    const sourceShape = keyable(sourceSystem, 'externalReference', 'sourceSystem');
    return casePayload(ctx, input, command, sourceShape, keyable(value, 'externalReference', 'value'));
  },

  reassignLead: (_root, { input }, ctx) => {
    const { caseId, expectedVersion, reason, overrideLimitReason } = input;
    return casePayload(ctx, input, {
      type: 'reassignLead',
      caseId: caseIdOf(caseId),
      expectedVersion,
      expectedLeadOfficerId: officerIdOrNull(input.expectedLeadOfficerId),
      leadOfficerId: officerIdOrNull(input.leadOfficerId),
      reason,
      ...present({ overrideLimitReason }),
    } satisfies ReassignLead);
  },

  addInvestigator: (_root, { input }, ctx) =>
    casePayload(ctx, input, {
      type: 'addInvestigator',
      caseId: caseIdOf(input.caseId),
      officerId: officerIdOf(input.officerId),
    } satisfies AddInvestigator),

  removeInvestigator: (_root, { input }, ctx) =>
    casePayload(ctx, input, {
      type: 'removeInvestigator',
      caseId: caseIdOf(input.caseId),
      officerId: officerIdOf(input.officerId),
      reason: input.reason,
    } satisfies RemoveInvestigator),

  closeCase: (_root, { input }, ctx) => {
    const { caseId, expectedVersion, outcome, reason } = input;
    return casePayload(ctx, input, {
      type: 'closeCase',
      caseId: caseIdOf(caseId),
      expectedVersion,
      ...present({ outcome }),
      reason,
    } satisfies CloseCase);
  },
};
