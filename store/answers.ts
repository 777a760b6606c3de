import type { Case, CommandResult } from '../domain/case/case.ts';
import type { Officer } from '../domain/officer/officer.ts';
import type { Finding } from '../domain/operations/finding.ts';
import type { Refused } from '../domain/refusal.ts';

export type Aggregated = Case | Officer | Finding;

/** Done, now or before: `replayed` is the only thing in which two answers to one key may differ. */
export type Done = CommandResult & {
  kind: 'done';
  replayed: boolean;
  /** The execution that carries the command out, where a workflow does: every repeat is pointed to the same one. */
  run?: string;
  /** The aggregate as it stands, read consistently. */
  current: Aggregated | undefined;
};

/** No; with the aggregate as it stands where one was read. Whether the caller may see it is for the caller to check. */
export type RefusedCommand = Refused & { current: Case | Officer | undefined };
