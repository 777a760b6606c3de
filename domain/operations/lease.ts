import type { Aggregate } from './execution.ts';

export const leaseStates = ['HELD', 'FREE'] as const;
export type LeaseState = (typeof leaseStates)[number];

/** Who works on an aggregate, as stored: store/lease.ts takes and gives it back. Times are milliseconds. */
export type LeaseRow = {
  owner: string;
  fence: number;
  /** Random per write, to recognise one's own. */
  rvn: string;
  heldAt: number;
  leaseUntil: number;
  state: LeaseState;
  /** The life of the host that took it, where that host has the data for itself. */
  life?: string;
  /** Whose work it is, where the lease has a name of its own; otherwise it is named after its case. */
  about?: Aggregate;
};
