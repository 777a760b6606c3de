import { permittedOn, type Access, type Availability } from '../policy.ts';
import type { Case } from '../case/case.ts';
import { illegalTransition, refused, type Refused } from '../refusal.ts';
import { statusOf, type Hold } from './hold.ts';

/** Still to be released? Asked after everything about the case and after the hold's version. */
export const allowedOnHold = (hold: Pick<Hold, 'releasedAt'>): Refused | undefined =>
  statusOf(hold) === 'ACTIVE' ? undefined : illegalTransition('releaseHold', statusOf(hold), ['ACTIVE']);

/** Two people: who placed a hold does not decide that it is over. */
export const separatedOnHold = ({ actor }: Access, { placedBy }: Pick<Hold, 'placedBy'>): Refused | undefined =>
  placedBy === actor.id
    ? refused('SEPARATION_OF_DUTIES', 'a hold is released by somebody else than who placed it')
    : undefined;

/** What may be done with the hold, by the same functions that guard the command. */
export const availableActionsOnHold = (access: Access, current: Case, hold: Hold): Availability<'releaseHold'>[] => [
  {
    command: 'releaseHold',
    refusal: permittedOn('releaseHold', access, current) ?? allowedOnHold(hold) ?? separatedOnHold(access, hold),
  },
];
