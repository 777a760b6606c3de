import type { TenantId } from '../../domain/ids.ts';
import type { FindingKind, FindingValues, Sighting } from '../../domain/operations/finding.ts';
import type { Aggregate } from '../../domain/operations/execution.ts';
import type { Store } from '../../store/store.ts';

/** Where one looks, and what one look at one thing has shown. */
export type Look = { store: Store; tenant: TenantId };
export type Checked = { seen: Sighting[]; unproven: number };

export const nothing: Checked = { seen: [], unproven: 0 };
/** It did not stand still, or is too old: nothing is said of it. */
export const unproven: Checked = { seen: [], unproven: 1 };

/** Says what was seen of one aggregate, which stood at `basis`. */
export const seer =
  (about: Aggregate | undefined, basis: FindingValues = {}) =>
  (kind: FindingKind, item: string, values: FindingValues): Sighting => ({ kind, about, item, values, basis });

export const minutes = 60_000;
export const hours = 60 * minutes;
