import type { AddNote } from '../../domain/case/addNote.ts';
import type { UnlinkCases } from '../../domain/case/unlinkCases.ts';
import type { AddParty } from '../../domain/case/addParty.ts';
import type { LinkCases } from '../../domain/case/linkCases.ts';
import type { RecordContravention } from '../../domain/case/recordContravention.ts';
import type { SetContraventionFinding } from '../../domain/case/setContraventionFinding.ts';
import type { UpdateCase } from '../../domain/case/updateCase.ts';
import type { UpdateParty } from '../../domain/case/updateParty.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { caseIdOf, childIdOf, childOf } from '../nodeId.ts';
import { casePayload, present } from '../payload.ts';

type Named =
  | 'updateCase'
  | 'linkCases'
  | 'unlinkCases'
  | 'addNote'
  | 'addParty'
  | 'updateParty'
  | 'recordContravention'
  | 'setContraventionFinding';

export const factMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  updateCase: (_root, { input }, ctx) => {
    const { idempotencyKey: _, caseId, expectedVersion, dueAt, ...facts } = input;
    return casePayload(ctx, input, {
      type: 'updateCase',
      caseId: caseIdOf(caseId),
      expectedVersion,
      ...present(facts),
      ...(dueAt !== undefined && { dueAt }),
    } satisfies UpdateCase);
  },

  unlinkCases: (_root, { input }, ctx) =>
    casePayload(ctx, input, {
      type: 'unlinkCases',
      caseId: caseIdOf(input.caseId),
      otherCaseId: caseIdOf(input.otherCaseId),
      nature: input.nature,
      reason: input.reason,
    } satisfies UnlinkCases),

  addNote: (_root, { input }, ctx) =>
    casePayload(ctx, input, {
      type: 'addNote',
      caseId: caseIdOf(input.caseId),
      text: input.text,
    } satisfies AddNote),

  linkCases: (_root, { input }, ctx) => {
    const { caseId, otherCaseId, nature, reason } = input;
    return casePayload(ctx, input, {
      type: 'linkCases',
      caseId: caseIdOf(caseId),
      otherCaseId: caseIdOf(otherCaseId),
      nature,
      ...present({ reason }),
    } satisfies LinkCases);
  },

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

  updateParty: (_root, { input }, ctx) => {
    const { idempotencyKey: _, partyId, expectedVersion, email, identifiers, ...facts } = input;
    const { caseId, id } = childIdOf('Party', partyId);
    return casePayload(ctx, input, {
      type: 'updateParty',
      caseId,
      partyId: id,
      expectedVersion,
      ...present({ ...facts, identifiers: identifiers?.map((identifier) => ({ ...identifier })) }),
      ...(email !== undefined && { email }),
    } satisfies UpdateParty);
  },

  recordContravention: (_root, { input }, ctx) => {
    const { expectedVersion, provision, date, partyIds } = input;
    const caseId = caseIdOf(input.caseId);
    return casePayload(ctx, input, {
      type: 'recordContravention',
      caseId,
      expectedVersion,
      provision,
      date,
      partyIds: partyIds.map((id) => childOf('Party', caseId, id)),
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
