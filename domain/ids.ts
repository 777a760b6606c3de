declare const kind: unique symbol;
/** A string that cannot be mistaken for another kind of id. */
type Id<Kind extends string> = string & { readonly [kind]: Kind };

export type TenantId = Id<'Tenant'>;
export type CaseId = Id<'Case'>;
/** The token's subject. */
export type OfficerId = Id<'Officer'>;
export type PartyId = Id<'Party'>;
export type ContraventionId = Id<'Contravention'>;
export type ReviewId = Id<'Review'>;
export type ActionId = Id<'EnforcementAction'>;
export type NoticeId = Id<'Notice'>;
export type DocumentId = Id<'Document'>;
export type NoteId = Id<'Note'>;
export type TaskId = Id<'Task'>;
export type HoldId = Id<'Hold'>;
export type EventId = Id<'Event'>;
export type CommandId = Id<'Command'>;
/** One act on the outside world, by its business identity (commands.md §2). */
export type EffectId = Id<'Effect'>;

/** RFC 3339, UTC, milliseconds: `2026-07-07T10:15:00.000Z`. */
export type Instant = Id<'Instant'>;
/** A legal date in the tenant's zone: `2026-07-07`. */
export type LocalDate = Id<'LocalDate'>;
