import type { ActionId, CaseId, CommandId, EffectId, Instant, NoticeId, OfficerId, TenantId } from './ids.ts';
import type { NotificationTemplate } from './notification.ts';

/** What Docket does to the outside world. */
export type EffectKind = 'NOTICE_MAIL' | 'NOTIFICATION' | 'REGISTRATION';
export type Provider = 'mailer' | 'registry';
export const providerOf: Record<EffectKind, Provider> = {
  NOTICE_MAIL: 'mailer',
  NOTIFICATION: 'mailer',
  REGISTRATION: 'registry',
};

/** Whether the case records how the effect ended. A plain mail changes nothing: its row is all there is to say. */
export const isRecorded = (kind: EffectKind): boolean => kind !== 'NOTIFICATION';

export const ledgerStatuses = [
  'PLANNED',
  'SENDING',
  'SENT',
  'CONFIRMED',
  'FAILED_RETRYABLE',
  'FAILED_FINAL',
  'UNKNOWN',
  'PARKED',
  'CANCELLED',
] as const;
export type LedgerStatus = (typeof ledgerStatuses)[number];

export const finalStatuses: readonly LedgerStatus[] = ['CONFIRMED', 'FAILED_FINAL', 'CANCELLED'];
/** A command may cancel these: certainly nothing is on its way. */
export const cancellable: readonly LedgerStatus[] = ['PLANNED', 'FAILED_RETRYABLE'];
/** Something may be on its way, or only an operator knows: EFFECT_IN_FLIGHT. */
export const inFlight: readonly LedgerStatus[] = ['SENDING', 'SENT', 'UNKNOWN', 'PARKED'];

/** What a provider recognises an effect by, the same for every attempt; with the tenant, so that its answer finds the row. */
export const providerKeyOf = (tenant: TenantId, effectId: EffectId) => `${tenant}.${effectId}`;

/** The effect that a provider's word is about; nothing where the key is none of ours. */
export function namedBy(providerKey: string): { tenant: TenantId; effectId: EffectId } | undefined {
  const [, tenant, effectId] = /^([A-Za-z0-9_-]{1,64})\.([a-z2-7]{32})$/.exec(providerKey) ?? [];
  return tenant && effectId ? { tenant: tenant as TenantId, effectId: effectId as EffectId } : undefined;
}

/** The ledger row of one effect: effects.md §3. */
export type LedgerRow = {
  effectId: EffectId;
  kind: EffectKind;
  provider: Provider;
  status: LedgerStatus;
  caseId: CaseId;
  /** NOTICE_MAIL, REGISTRATION: what it is about. */
  actionId?: ActionId;
  noticeId?: NoticeId;
  /** What the provider recognises a repeat by; derived from effectId, the same for every attempt. */
  providerKey: string;
  /** 0 first; up when somebody resumes, resolves or wakes: part of the execution's name. */
  round: number;
  attempt: number;
  /** Which send holds the row in SENDING; how often the party said that nothing arrived. */
  sendId?: string;
  notFound?: number;
  correlationId: string;
  plannedBy: CommandId;
  /** The person a workflow acts for. */
  requestedBy: OfficerId;
  plannedAt: Instant;
  /** When an operator had it done again: tries are counted from then. */
  triedSince?: Instant;
  updatedAt: Instant;
  /** NOTIFICATION: who is told, and what. */
  recipientId?: OfficerId;
  template?: NotificationTemplate;
  /** Of which attempt the party was asked and could not tell; once, that permits the same bytes to be sent again. */
  untoldAttempt?: number;
  resent?: boolean;
  /** When the mail came back after it had been accepted. */
  bouncedAt?: Instant;
  /** REGISTRATION: which submission of the action this is. */
  submissionNumber?: number;
  /** Since when nobody knows what became of it. */
  unknownSince?: Instant;
  /** When the case recorded how it ended, or the row itself where nothing is recorded. Until then the row is findable, whatever its status. */
  recordedAt?: Instant;
  /** The stored request, resent as the same bytes; its digest. */
  request?: string;
  requestDigest?: string;
  fence?: number;
  /** The attempt must have started its call before this instant, and is aborted at it. */
  sendBy?: Instant;
  /** FAILED_RETRYABLE: not before. */
  notBefore?: Instant;
  token?: string;
  /** The provider's answer, as plain JSON text, with its digest. */
  response?: string;
  responseHash?: string;
  providerRequestId?: string;
  error?: string;
  /** An operator's evidence settled it: who, and when the party accepted, where it did. The evidence is in the audit. */
  resolvedBy?: OfficerId;
  acceptedAt?: Instant;
};
