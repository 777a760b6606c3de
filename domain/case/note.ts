import type { CaseId, Instant, NoteId, OfficerId } from '../ids.ts';
import type { CreatedBy } from './case.ts';

/** What somebody wrote down about the case; never changed, and taken away by redaction only. */
export type Note = {
  id: NoteId;
  caseId: CaseId;
  /** Order of writing: the audit sequence of its event. */
  seq: number;
  text: string;
  writtenAt: Instant;
  writtenBy: OfficerId;
  createdBy: CreatedBy;
};
