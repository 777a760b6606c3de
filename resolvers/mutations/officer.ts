import type { OfficerId } from '../../domain/ids.ts';
import type { RegisterOfficer } from '../../domain/officer/registerOfficer.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { keyable } from '../limits.ts';
import { officerPayload, present } from '../payload.ts';

export const officerMutations: Required<Pick<MutationResolvers<Context>, 'registerOfficer'>> = {
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
};
