import type { EnforcementAction } from '../action/action.ts';
import { isRegistryNumber } from '../action/registryNumber.ts';
import { check, update } from '../change.ts';
import { absent, all, equals, exists } from '../condition.ts';
import type { Given } from '../command.ts';
import { isRecorded, type LedgerRow, type LedgerStatus, type Provider } from '../effect.ts';
import type { CaseId, EffectId, Instant } from '../ids.ts';
import { invalid, refused, type Refused } from '../refusal.ts';
import { ref, type Ref } from '../refs.ts';
import type { Sentinel } from '../sentinel.ts';
import { firstOf, line, reasonText } from '../text.ts';
import { defineOperation, type Operation } from './operation.ts';

/** What an operator may say of an effect of which nobody else could tell what became. */
export const resolutions = ['CONFIRMED', 'FAILED_RETRYABLE', 'CANCELLED'] as const satisfies readonly LedgerStatus[];
export type Resolution = (typeof resolutions)[number];

/** What the operator stands on: kept in the audit, word for word. */
export type OperatorEvidence = {
  /** What was seen, and where: a log line, an answer on the telephone. */
  seen: string;
  /** Who told it: a person or an office, with how they can be asked again. */
  toldBy: string;
  /** When the party accepted. A notice is served on that day, so it is owed where a mail is confirmed. */
  acceptedAt?: Instant;
  /** The party's own number for it. */
  providerReference?: string;
  /** Under which the registry has entered the action: owed where a submission is confirmed. */
  registryNumber?: string;
};

export type ResolveEffect = Operation<'resolveEffect', LedgerStatus> & {
  provider: Provider;
  effectId: EffectId;
  resolution: Resolution;
  evidence: OperatorEvidence;
};

/** Ends not knowing, by evidence and by name; the workflow that waits for it is asked to look again. */
export const resolveEffect = defineOperation({
  type: 'resolveEffect',
  invariant: [
    'What became of a parked act is said once, by somebody other than who asked for it, and the evidence is in the audit.',
    'The workflow is asked to look again in the same transaction.',
  ],
  subject: ({ provider, effectId }: ResolveEffect) => ref.effect(provider, effectId),
  statusOf: (row: LedgerRow): LedgerStatus => row.status,
  belongs: (row, { aggregateType, aggregateId }) => aggregateType === 'Case' && row.caseId === aggregateId,
  then: ({ actionId }, { aggregateId, evidence: { registryNumber } }): Beside => ({
    ...(actionId && { action: ref.action(aggregateId as CaseId, actionId) }),
    ...(isUsable(registryNumber) && { number: ref.unique('REGISTRY_NUMBER', '', registryNumber) }),
  }),
  decide: (row, { action, number }, { resolution, evidence }, given) => {
    if (given.actor.id === row.requestedBy)
      return refused('SEPARATION_OF_DUTIES', 'who asked for the act does not say what became of it');
    const no = insufficient(row, resolution, evidence, given) ?? ofAnother(row, number);
    if (no) return no;

    const { effectId, kind, provider, providerKey, caseId, actionId, noticeId } = row;
    const round = row.round + 1;
    const named = { effectId, ...(actionId && { actionId }), ...(noticeId && { noticeId }) };
    return {
      announces: 'EffectResolved',
      changed: 'effect',
      about: action ? [action.partyId] : [],
      details: { ...named, kind, providerKey, attempt: row.attempt, was: row.status, is: resolution, ...evidence },
      payload: { ...named, effectStatus: resolution },
      requests: [{ type: 'wake', payload: { caseId, ...named, provider, round }, requestedBy: row.requestedBy }],
      changes: [
        update(
          ref.effect(provider, effectId),
          {
            set: {
              ...settled(row, resolution, evidence),
              ...{ round, resolvedBy: given.actor.id, updatedAt: given.at },
              ...(nothingFollows(row, resolution) && { recordedAt: given.at }),
              ...(resolution === 'FAILED_RETRYABLE' && { triedSince: given.at }),
            },
          },
          all(equals('status', row.status), equals('round', row.round), equals('attempt', row.attempt)),
        ),
        ...(action ? [check(ref.action(caseId, action.id), exists)] : []),
        ...(isUsable(evidence.registryNumber) && !number
          ? [check(ref.unique('REGISTRY_NUMBER', '', evidence.registryNumber), absent)]
          : []),
      ],
    };
  },
});

type Beside = { action?: Ref<EnforcementAction>; number?: Ref<Sentinel> };

const isUsable = (number: string | undefined): number is string => number !== undefined && isRegistryNumber(number);

/** A slip of the pen must not end an act for good under a number that is another's. */
const ofAnother = ({ actionId }: LedgerRow, number: Sentinel | undefined): Refused | undefined =>
  number && number.ownerId !== actionId
    ? refused('UNIQUE_VIOLATION', 'the number is that of another action', { field: 'registryNumber' })
    : undefined;

/** No command will record how it ended. */
const nothingFollows = ({ kind }: LedgerRow, resolution: Resolution): boolean =>
  isRecorded(kind)
    ? kind === 'NOTICE_MAIL' && resolution === 'CANCELLED'
    : resolution === 'CONFIRMED' || resolution === 'CANCELLED';

/** A later task reads the party's answer from the row, as if the party had given it. */
function settled(row: LedgerRow, resolution: Resolution, evidence: OperatorEvidence) {
  if (resolution !== 'CONFIRMED') return { status: resolution };
  const { acceptedAt, providerReference, registryNumber } = evidence;
  const reference = providerReference ?? row.providerRequestId ?? row.providerKey;
  return {
    status: resolution,
    providerRequestId: reference,
    ...(acceptedAt && { acceptedAt: new Date(acceptedAt).toISOString() }),
    ...(row.kind === 'REGISTRATION' && { response: JSON.stringify({ status: 'ACCEPTED', registryNumber, reference }) }),
  };
}

function insufficient(
  row: LedgerRow,
  resolution: Resolution,
  { seen, toldBy, acceptedAt, providerReference, registryNumber }: OperatorEvidence,
  { at }: Given,
): Refused | undefined {
  const within = (field: string) => ['evidence', field] as const;
  const bad = firstOf(
    reasonText(seen, ...within('seen')),
    line(toldBy, ...within('toldBy')),
    providerReference === undefined ? undefined : line(providerReference, ...within('providerReference')),
    registryNumber === undefined || isUsable(registryNumber)
      ? undefined
      : invalid(
          'REGISTRY_NUMBER',
          [...within('registryNumber')],
          'is no number of a registry: one line of printable ASCII',
        ),
    acceptedAt !== undefined && !isWithin(acceptedAt, row.plannedAt, at)
      ? invalid('RANGE', [...within('acceptedAt')], 'must be an instant between the asking and now')
      : undefined,
  );
  if (bad || resolution !== 'CONFIRMED') return bad;
  if (row.kind === 'NOTICE_MAIL' && acceptedAt === undefined)
    return invalid(
      'REQUIRED',
      [...within('acceptedAt')],
      'a notice is served on the day on which its mail was accepted',
    );
  if (row.kind === 'REGISTRATION' && registryNumber === undefined)
    return invalid('REQUIRED', [...within('registryNumber')], 'what the registry has entered has a number');
  return undefined;
}

/** `2026-02-30` is no day, though it can be read as one. */
function isWithin(at: Instant, from: Instant, to: Instant): boolean {
  const ms = Date.parse(at);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== at.slice(0, 10)) return false;
  return Date.parse(from) <= ms && ms <= Date.parse(to);
}
