import type {
  ActiveEnforcementGuard,
  Case,
  CaseLink,
  Contravention,
  Exclusion,
  Investigator,
  InvestigatorGuard,
  LinkNature,
  Party,
  Review,
} from './case/case.ts';
import type { CaseDocument, DocumentVersion } from './document/document.ts';
import type { Note } from './case/note.ts';
import type { EnforcementAction, Notice } from './action/action.ts';
import type { LedgerRow, Provider } from './effect.ts';
import type {
  ActionId,
  CaseId,
  ContraventionId,
  DocumentId,
  EffectId,
  HoldId,
  NoteId,
  NoticeId,
  OfficerId,
  PartyId,
  ReviewId,
  TaskId,
} from './ids.ts';
import type { Hold } from './hold/hold.ts';
import type { MessageName, OutboxCursor, OutboxMessage } from './message.ts';
import type { Load, Officer } from './officer/officer.ts';
import type { OpenCaseRow } from './case/openCases.ts';
import type { Execution } from './operations/execution.ts';
import type { Finding } from './operations/finding.ts';
import type { LeaseRow } from './operations/lease.ts';
import type { Sentinel, UniqueKind } from './sentinel.ts';
import type { OpenTask, Task, TaskType } from './task/task.ts';
import type { Tenant } from './tenant.ts';

/** Names one stored item without knowing how it is stored; store/keys.ts gives it a key. `Item` is what is found there. */
export type Ref<Item = unknown> = RefData & { readonly item?: Item };

type RefData =
  | { of: 'tenant' }
  | { of: 'case'; caseId: CaseId }
  | { of: 'party'; caseId: CaseId; partyId: PartyId }
  | { of: 'contravention'; caseId: CaseId; contraventionId: ContraventionId }
  | { of: 'review'; caseId: CaseId; reviewId: ReviewId }
  | { of: 'action'; caseId: CaseId; actionId: ActionId }
  | { of: 'notice'; caseId: CaseId; noticeId: NoticeId }
  | { of: 'note'; caseId: CaseId; noteId: NoteId }
  /** Which note was written where in the case's story. */
  | { of: 'notePlace'; caseId: CaseId; seq: number }
  | { of: 'document'; caseId: CaseId; documentId: DocumentId }
  | { of: 'documentVersion'; caseId: CaseId; chainId: DocumentId; versionNumber: number }
  /** Below one case, about another: each pair and nature has one. */
  | { of: 'link'; caseId: CaseId; nature: LinkNature; otherCaseId: CaseId }
  | { of: 'hold'; caseId: CaseId; holdId: HoldId }
  | { of: 'task'; caseId: CaseId; taskId: TaskId }
  | { of: 'openTask'; caseId: CaseId; type: TaskType; origin: string }
  /** All of them, by one consistent query: only in a second stage, which the case's audit sequence covers. */
  | { of: 'openTasks'; caseId: CaseId }
  | { of: 'investigatorGuard'; caseId: CaseId }
  | { of: 'investigator'; caseId: CaseId; officerId: OfficerId }
  | { of: 'enforcementGuard'; caseId: CaseId }
  | { of: 'exclusion'; caseId: CaseId; officerId: OfficerId }
  | { of: 'officer'; officerId: OfficerId }
  | { of: 'load'; officerId: OfficerId; caseId: CaseId }
  | { of: 'unique'; unique: UniqueKind; scope: string; value: string }
  | { of: 'openCases'; region: string; shard: number }
  | { of: 'effect'; provider: Provider; effectId: EffectId }
  | ({ of: 'message' } & MessageName)
  | { of: 'cursor'; aggregateId: string }
  | { of: 'lease'; aggregateId: string }
  | { of: 'execution'; name: string }
  | { of: 'finding'; findingId: string }
  /** The projection of open cases: what is known of one, and the sum of a region. */
  | { of: 'openCaseRow'; caseId: CaseId }
  | { of: 'openCaseSum'; region: string };

export const ref = {
  tenant: (): Ref<Tenant> => ({ of: 'tenant' }),
  case: (caseId: CaseId): Ref<Case> => ({ of: 'case', caseId }),
  party: (caseId: CaseId, partyId: PartyId): Ref<Party> => ({ of: 'party', caseId, partyId }),
  contravention: (caseId: CaseId, contraventionId: ContraventionId): Ref<Contravention> => ({
    of: 'contravention',
    caseId,
    contraventionId,
  }),
  review: (caseId: CaseId, reviewId: ReviewId): Ref<Review> => ({ of: 'review', caseId, reviewId }),
  action: (caseId: CaseId, actionId: ActionId): Ref<EnforcementAction> => ({ of: 'action', caseId, actionId }),
  notice: (caseId: CaseId, noticeId: NoticeId): Ref<Notice> => ({ of: 'notice', caseId, noticeId }),
  note: (caseId: CaseId, noteId: NoteId): Ref<Note> => ({ of: 'note', caseId, noteId }),
  notePlace: (caseId: CaseId, seq: number): Ref<{ noteId: NoteId }> => ({ of: 'notePlace', caseId, seq }),
  document: (caseId: CaseId, documentId: DocumentId): Ref<CaseDocument> => ({ of: 'document', caseId, documentId }),
  documentVersion: (caseId: CaseId, chainId: DocumentId, versionNumber: number): Ref<DocumentVersion> => ({
    of: 'documentVersion',
    caseId,
    chainId,
    versionNumber,
  }),
  link: (caseId: CaseId, nature: LinkNature, otherCaseId: CaseId): Ref<CaseLink> => ({
    of: 'link',
    caseId,
    nature,
    otherCaseId,
  }),
  hold: (caseId: CaseId, holdId: HoldId): Ref<Hold> => ({ of: 'hold', caseId, holdId }),
  task: (caseId: CaseId, taskId: TaskId): Ref<Task> => ({ of: 'task', caseId, taskId }),
  openTask: (caseId: CaseId, type: TaskType, origin: string): Ref<OpenTask> => ({
    of: 'openTask',
    caseId,
    type,
    origin,
  }),
  openTasks: (caseId: CaseId): Ref<OpenTask[]> => ({ of: 'openTasks', caseId }),
  investigatorGuard: (caseId: CaseId): Ref<InvestigatorGuard> => ({ of: 'investigatorGuard', caseId }),
  investigator: (caseId: CaseId, officerId: OfficerId): Ref<Investigator> => ({
    of: 'investigator',
    caseId,
    officerId,
  }),
  enforcementGuard: (caseId: CaseId): Ref<ActiveEnforcementGuard> => ({ of: 'enforcementGuard', caseId }),
  exclusion: (caseId: CaseId, officerId: OfficerId): Ref<Exclusion> => ({ of: 'exclusion', caseId, officerId }),
  officer: (officerId: OfficerId): Ref<Officer> => ({ of: 'officer', officerId }),
  load: (officerId: OfficerId, caseId: CaseId): Ref<Load> => ({ of: 'load', officerId, caseId }),
  /** The value is given as entered; its normal form is what makes it unique. */
  unique: (unique: UniqueKind, scope: string, value: string): Ref<Sentinel> => ({ of: 'unique', unique, scope, value }),
  openCases: (region: string, shard: number): Ref<{ count: number }> => ({ of: 'openCases', region, shard }),
  effect: (provider: Provider, effectId: EffectId): Ref<LedgerRow> => ({ of: 'effect', provider, effectId }),
  message: ({ day, shard, about, seq, n }: MessageName): Ref<OutboxMessage> => ({
    of: 'message',
    day,
    shard,
    about,
    seq,
    n,
  }),
  cursor: (aggregateId: string): Ref<OutboxCursor> => ({ of: 'cursor', aggregateId }),
  lease: (aggregateId: string): Ref<LeaseRow> => ({ of: 'lease', aggregateId }),
  execution: (name: string): Ref<Execution> => ({ of: 'execution', name }),
  finding: (findingId: string): Ref<Finding> => ({ of: 'finding', findingId }),
  openCaseRow: (caseId: CaseId): Ref<OpenCaseRow> => ({ of: 'openCaseRow', caseId }),
  openCaseSum: (region: string): Ref<{ count: number }> => ({ of: 'openCaseSum', region }),
};

/** A named read set, and what a decision finds in it. */
export type Reads = Record<string, Ref>;
export type Found<R extends Reads> = { [Name in keyof R]: NonNullable<NonNullable<R[Name]>['item']> | undefined };

/** Several items of one kind in a read set, each under its own name: `party:<id>`. */
export type Many<Prefix extends string, Item> = Record<`${Prefix}:${string}`, Ref<Item>>;
export const many = <Prefix extends string, Id extends string, Item>(
  prefix: Prefix,
  ids: readonly Id[],
  of: (id: Id) => Ref<Item>,
): Many<Prefix, Item> => Object.fromEntries(ids.map((id) => [`${prefix}:${id}`, of(id)])) as Many<Prefix, Item>;
