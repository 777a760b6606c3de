import { check, update, type Change } from '../change.ts';
import type { Given } from '../command.ts';
import { absent, equals } from '../condition.ts';
import { cancellable, inFlight, providerOf, type EffectKind, type LedgerRow, type LedgerStatus } from '../effect.ts';
import type { EffectId } from '../ids.ts';
import { plannedEffect } from '../plannedEffect.ts';
import { preconditionFailed, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import type { EnforcementAction, Notice } from './action.ts';

/** The effects of an action by their business identity: never an execution, an attempt or a token. */
export const mailOf = (noticeId: string, given: Given): EffectId => given.effectId(noticeId, 'NOTICE_MAIL', 0);
export const submissionOf = (actionId: string, submissionNumber: number, given: Given): EffectId =>
  given.effectId(actionId, 'REGISTRATION', submissionNumber);

type Planned = { kind: EffectKind; effectId: EffectId; noticeId?: Notice['id']; submissionNumber?: number };

/** The row that an effect begins with; PLANNED, or CANCELLED where it is certain that nothing will be sent. */
export function plans(
  { kind, effectId, noticeId, submissionNumber }: Planned,
  action: EnforcementAction,
  status: Extract<LedgerStatus, 'PLANNED' | 'CANCELLED'>,
  given: Given,
): Change {
  const about = { caseId: action.caseId, actionId: action.id };
  return plannedEffect(
    {
      ...{ effectId, kind, status, ...about },
      ...(noticeId && { noticeId }),
      ...(submissionNumber !== undefined && { submissionNumber }),
    },
    given,
  );
}

/**
 * Nobody is to act on the effect any more (effects.md §3.9): what certainly was not sent is cancelled, what is final
 * stays as it is, and what may be on its way must be known first.
 */
export function callsOff(
  kind: EffectKind,
  effectId: EffectId,
  row: LedgerRow | undefined,
  given: Given,
): Change | Refused {
  const item = ref.effect(providerOf[kind], effectId);
  if (!row) return check(item, absent);
  if (inFlight.includes(row.status)) {
    const what = kind === 'NOTICE_MAIL' ? 'the mail with the notice' : 'the submission';
    return refused('EFFECT_IN_FLIGHT', `${what} may be on its way; its result must be known first`);
  }
  return cancellable.includes(row.status)
    ? update(
        item,
        { set: { status: 'CANCELLED', updatedAt: given.at, recordedAt: given.at } },
        equals('status', row.status),
      )
    : records(row, given);
}

/** What happened outside is recorded on the ledger's word only. */
export const mustBe = (row: LedgerRow | undefined, ...statuses: LedgerStatus[]): Refused | undefined =>
  row && statuses.includes(row.status)
    ? undefined
    : preconditionFailed(
        'EFFECT_NOT_SETTLED',
        `the ledger says ${row?.status ?? 'nothing'}, not ${statuses.join(' or ')}`,
      );

/**
 * How the effect ended is recorded in this transaction, on the word of the row as it was read. From then on no sweep
 * looks for it: a row that is final and not recorded is unfinished work.
 */
export const records = (row: LedgerRow, given: Given): Change =>
  update(ref.effect(row.provider, row.effectId), { set: { recordedAt: given.at } }, equals('status', row.status));

/** Whether the notice still counts in the case's openEffects: asked for, and how it ended not recorded yet. */
export const isOpen = ({ status }: Notice): boolean => status === 'REQUESTED' || status === 'RENDERED';
