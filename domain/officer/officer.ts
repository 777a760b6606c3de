import type { CreatedBy, Versioned } from '../case/case.ts';
import type { CaseId, Instant, LocalDate, OfficerId } from '../ids.ts';

export const officerStates = ['ACTIVE', 'LEAVING', 'INACTIVE'] as const;
export type OfficerState = (typeof officerStates)[number];

export type Officer = Versioned & {
  /** The subject of the officer's tokens. */
  id: OfficerId;
  name: string;
  /** As entered; the unique, normalised form is a sentinel's key. */
  email: string;
  region: string;
  teams: string[];
  state: OfficerState;
  /** Absent from and to these days, both included; not assignable on them. */
  absentFrom?: LocalDate;
  absentTo?: LocalDate;
  delegateId?: OfficerId;
  /** How many live cases the officer leads; each has a LOAD row. */
  activeLoad: number;
  maxLoad: number;
  /** Rises with every load change, so that a recount can be repaired on a condition. */
  loadSeq: number;
  /** The officer's version at which each field last changed: names what moved since a stale version. */
  touched?: Record<string, number>;
  registeredAt: Instant;
  createdBy: CreatedBy;
};

/** One row for each case that counts in activeLoad. */
export type Load = { officerId: OfficerId; caseId: CaseId; since: Instant };
