import type { CaseId, Instant } from './ids.ts';

/** The kinds of value that may exist once: commands.md §1 "Sentinels". */
export const uniqueKinds = ['EXTERNAL_REF', 'OFFICER_EMAIL', 'REGISTRY_NUMBER', 'CASE_NUMBER'] as const;
export type UniqueKind = (typeof uniqueKinds)[number];

/** Owns one unique value. It outlives closure and disposal; RELEASED may be taken again by its former owner only. */
export type Sentinel = {
  status: 'CLAIMED' | 'RELEASED';
  ownerType: 'Case' | 'Officer' | 'EnforcementAction';
  ownerId: string;
  /** Of an action: the case it belongs to, below which it is found. */
  caseId?: CaseId;
  /** As entered, for display. */
  original: string;
  claimedAt: Instant;
  releasedAt?: Instant;
};

/** Part of the key: a change of the rules below is a new version, and while two live a claim puts both keys. */
export const normalisationVersion = 1;

/** The form under which two spellings of one value meet: NFKC, trimmed, case folded where the kind ignores case. */
export function normalised(kind: UniqueKind, value: string): string {
  const text = value.normalize('NFKC').trim().replace(/\s+/g, ' ');
  switch (kind) {
    case 'OFFICER_EMAIL':
      return text.toLowerCase();
    case 'EXTERNAL_REF':
    case 'REGISTRY_NUMBER':
    case 'CASE_NUMBER':
      return text.toUpperCase();
  }
}
