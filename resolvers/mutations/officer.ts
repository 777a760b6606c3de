import type { OfficerId } from '../../domain/ids.ts';
import type { ChangeOfficerEmail } from '../../domain/officer/changeOfficerEmail.ts';
import type { RegisterOfficer } from '../../domain/officer/registerOfficer.ts';
import type { SetOfficerAbsence } from '../../domain/officer/setOfficerAbsence.ts';
import type { SetOfficerLimit } from '../../domain/officer/setOfficerLimit.ts';
import type { AbsenceInput, MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { keyable } from '../limits.ts';
import { officerIdOf, officerIdOrNull } from '../nodeId.ts';
import { officerPayload, present } from '../payload.ts';

type Named = 'registerOfficer' | 'changeOfficerEmail' | 'setOfficerLimit' | 'setOfficerAbsence';

/** Which officer, and the version of them that the caller decided on. */
const on = ({ officerId, expectedVersion }: { officerId: string; expectedVersion: number }) => ({
  officerId: officerIdOf(officerId),
  expectedVersion,
});

export const officerMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  registerOfficer: (_root, { input }, ctx) => {
    const { idempotencyKey: _, officerId, maxLoad, ...facts } = input;
    const command = {
      type: 'registerOfficer',
      ...facts,
      officerId: officerId as OfficerId,
      ...present({ maxLoad }),
    } satisfies RegisterOfficer;
    return officerPayload(ctx, input, command, keyable(officerId, 'officerId'), keyable(input.email, 'email'));
  },

  changeOfficerEmail: (_root, { input }, ctx) => {
    const { email } = input;
    const command = { type: 'changeOfficerEmail', ...on(input), email } satisfies ChangeOfficerEmail;
    return officerPayload(ctx, input, command, keyable(email, 'email'));
  },

  setOfficerLimit: (_root, { input }, ctx) => {
    const { maxLoad, reason } = input;
    return officerPayload(ctx, input, {
      type: 'setOfficerLimit',
      ...on(input),
      maxLoad,
      reason,
    } satisfies SetOfficerLimit);
  },

  setOfficerAbsence: (_root, { input }, ctx) =>
    officerPayload(ctx, input, {
      type: 'setOfficerAbsence',
      ...on(input),
      absence: input.absence ? absenceOf(input.absence) : null,
    } satisfies SetOfficerAbsence),
};

const absenceOf = ({ from, to, delegateId }: AbsenceInput) => ({
  from,
  to,
  ...present({ delegateId: officerIdOrNull(delegateId) }),
});
