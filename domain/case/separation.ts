import type { OfficerId } from '../ids.ts';
import { refused, type Refused } from '../refusal.ts';
import type { Case } from './case.ts';

/** A reviewer is never lead or investigator of the case: neither the one at work nor the one whose decision stands. */
export function notItsReviewer(current: Case, officerId: OfficerId): Refused | undefined {
  const reviewerId = 'review' in current ? current.review.reviewerId : undefined;
  const decidedBy = 'decision' in current ? current.decision?.decidedBy : undefined;
  return reviewerId === officerId || decidedBy === officerId
    ? refused('SEPARATION_OF_DUTIES', 'the officer reviews or has decided this case')
    : undefined;
}

/** A declared conflict of interest keeps an officer out of the case, whoever assigns them. */
export const notExcluded = (exclusion: object | undefined): Refused | undefined =>
  exclusion ? refused('EXCLUDED', 'a declared conflict of interest excludes the officer') : undefined;
