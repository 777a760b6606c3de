import type { CaseId, Instant } from './ids.ts';
import type { Sentinel } from './sentinel.ts';

/** The sentinel that makes a value this owner's. */
export const claim = (
  ownerType: Sentinel['ownerType'],
  ownerId: string,
  original: string,
  claimedAt: Instant,
  caseId?: CaseId,
): Sentinel => ({ status: 'CLAIMED', ownerType, ownerId, ...(caseId && { caseId }), original, claimedAt });

/** Whether somebody holds, or once held, the value: a sentinel outlives its owner's interest in it. */
export const taken = (sentinel: Sentinel | undefined): sentinel is Sentinel => sentinel !== undefined;
