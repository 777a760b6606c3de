import type { AddParty } from '../../domain/case/addParty.ts';
import type { RecordContravention } from '../../domain/case/recordContravention.ts';
import type { SetContraventionFinding } from '../../domain/case/setContraventionFinding.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { caseIdOf, childIdOf } from '../nodeId.ts';
import { casePayload, present } from '../payload.ts';

type Named = 'addParty' | 'recordContravention' | 'setContraventionFinding';

export const factMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  addParty: (_root, { input }, ctx) => {
    const { idempotencyKey: _, caseId, email, identifiers, ...facts } = input;
    return casePayload(ctx, input, {
      type: 'addParty',
      ...facts,
      caseId: caseIdOf(caseId),
      identifiers: identifiers.map((identifier) => ({ ...identifier })),
      ...present({ email }),
    } satisfies AddParty);
  },

  recordContravention: (_root, { input }, ctx) => {
    const { caseId, expectedVersion, provision, date, partyIds } = input;
    return casePayload(ctx, input, {
      type: 'recordContravention',
      caseId: caseIdOf(caseId),
      expectedVersion,
      provision,
      date,
      partyIds: partyIds.map((id) => childIdOf('Party', id).id),
    } satisfies RecordContravention);
  },

  setContraventionFinding: (_root, { input }, ctx) => {
    const { caseId, id } = childIdOf('Contravention', input.contraventionId);
    return casePayload(ctx, input, {
      type: 'setContraventionFinding',
      caseId,
      contraventionId: id,
      expectedVersion: input.expectedVersion,
      finding: input.finding,
    } satisfies SetContraventionFinding);
  },
};
