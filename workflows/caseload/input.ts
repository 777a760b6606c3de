import type { CommandId, OfficerId, TenantId } from '../../domain/ids.ts';
import type { Task } from '../task.ts';

/** What a run is started with; `round` is the generation of its command's record. */
export type CaseloadInput = {
  tenant: TenantId;
  officerId: OfficerId;
  commandId: CommandId;
  round: number;
  correlationId: string;
  /** The supervisor who asked for it. */
  requestedBy: OfficerId;
};

/** What the last look found: see scanCaseload. */
export type Scan = { next: 'MOVE' | 'WAIT' | 'FINISH' | 'CHANGED'; number: number; quiet: number };
export type CaseloadTask = Task<CaseloadInput & { scan?: Scan; shard?: number }>;
