import type { Classification, CreatedBy } from '../case/case.ts';
import type { CaseId, DocumentId, Instant, OfficerId } from '../ids.ts';

/** What a document is to its case. */
export const documentCategories = ['EVIDENCE', 'CORRESPONDENCE', 'STATEMENT', 'REPORT', 'LEGAL', 'OTHER'] as const;
export type DocumentCategory = (typeof documentCategories)[number];

export const documentStatuses = ['PENDING', 'AVAILABLE', 'QUARANTINED', 'SUPERSEDED', 'DESTROYED'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/** What may be stored: nothing that a browser would run. */
export const mediaTypes: readonly string[] = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'text/plain',
  'text/csv',
  'message/rfc822',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

/** In bytes. */
export const largestDocument = 100 * 1024 * 1024;

/** How many uploads of one case may be awaited at once. */
export const pendingUploads = 20;

/** Milliseconds in which an upload that was asked for may come. */
export const uploadWithinMs = 15 * 60_000;

/** A file of a case. Its bytes lie under tenant, case and document; the item says what they are. */
export type CaseDocument = {
  id: DocumentId;
  caseId: CaseId;
  name: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  sha256: string;
  category: DocumentCategory;
  classification: Classification;
  status: DocumentStatus;
  /** The first version's id names the chain; versions count from 1. */
  chainId: DocumentId;
  versionNumber: number;
  previousId?: DocumentId;
  supersededById?: DocumentId;
  /** Why nobody gets it, and what it is again once it is released. */
  quarantine?: { reason: string; by: OfficerId; at: Instant; was: 'AVAILABLE' | 'SUPERSEDED' };
  requestedAt: Instant;
  requestedBy: OfficerId;
  confirmedAt?: Instant;
  confirmedBy?: OfficerId;
  version: number;
  touched: Record<string, number>;
  createdBy: CreatedBy;
};

/** That a document is this version of its chain: written with its confirmation, so that no number is taken twice. */
export type DocumentVersion = { chainId: DocumentId; versionNumber: number; documentId: DocumentId };
