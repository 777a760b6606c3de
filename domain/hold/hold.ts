import type { CreatedBy } from '../case/case.ts';
import type { CaseId, HoldId, Instant, OfficerId } from '../ids.ts';

/**
 * A legal hold: while one of a case is active, nothing of the case is redacted, disposed of or deleted. Work on the case
 * goes on. A case may have several, each for a matter of its own.
 */
export type Hold = {
  id: HoldId;
  caseId: CaseId;
  reason: string;
  /** What the matter is called where it is dealt with: a court's number, a lawyer's file. */
  matterReference: string;
  placedAt: Instant;
  placedBy: OfficerId;
  /** Once released it stays on record. */
  releasedAt?: Instant;
  releasedBy?: OfficerId;
  releaseReason?: string;
  version: number;
  createdBy: CreatedBy;
};

export const holdStatuses = ['ACTIVE', 'RELEASED'] as const;
export type HoldStatus = (typeof holdStatuses)[number];

export const statusOf = ({ releasedAt }: Pick<Hold, 'releasedAt'>): HoldStatus => (releasedAt ? 'RELEASED' : 'ACTIVE');
