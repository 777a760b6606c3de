import type { CreatedBy } from '../case/case.ts';
import type { CaseId, CommandId, Instant, OfficerId, TaskId } from '../ids.ts';
import type { RefusalCode } from '../refusal.ts';

/** What a run moves, to whom and why: kept for the workflow that carries it out, and for a round that resumes it. */
export type CaseloadRun = {
  commandId: CommandId;
  officerId: OfficerId;
  /** Whether the officer leaves, so that whatever still turns up is moved as well. */
  leaves: boolean;
  toOfficerIds: OfficerId[];
  previewDigest: string;
  reason: string;
  requestedBy: OfficerId;
  startedAt: Instant;
  createdBy: CreatedBy;
};

/** What an officer can have on a case, in the order in which it is moved: with the lead goes much of the rest. */
export const caseloadKinds = ['LEAD', 'REVIEW', 'MEMBERSHIP', 'TASK'] as const;
export type CaseloadKind = (typeof caseloadKinds)[number];

export type CaseloadItem = { kind: CaseloadKind; caseId: CaseId; taskId?: TaskId };
/** Who takes it over. */
export type PlannedItem = CaseloadItem & { toOfficerId: OfficerId };

/**
 * MOVED. GONE: it was the officer's no more. REMOVED: they have it no more, and who was to take it over could not. REFUSED:
 * it stays where it is, with the reason. FAILED: it could not be found out whether it can be moved.
 */
export const itemStatuses = ['PENDING', 'MOVED', 'GONE', 'REMOVED', 'REFUSED', 'FAILED'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/** One thing that a run moves, as it stands. `round`: the generation in which it was last tried. */
export type RunItem = PlannedItem & {
  shard: number;
  status: ItemStatus;
  round: number;
  refusal?: { code: RefusalCode; name?: string };
  updatedAt: Instant;
};
