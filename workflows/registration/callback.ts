import { namedBy, type LedgerRow } from '../../domain/effect.ts';
import { CallbackRejected, verifyCallback, type RegistryCallback } from '../../gateways/registryCallback.ts';
import type { Sighting } from '../../domain/operations/finding.ts';
import { ref } from '../../domain/refs.ts';
import { sight } from '../../store/findings.ts';
import { readItems } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import { moveAndWake } from '../../store/word.ts';
import { answered } from '../once.ts';
import { verdictOf } from './submission.ts';

/** HTTP status for the registry: 204 stored (now or before), 400/401 not ours to store, 404 nothing under that key. */
export type CallbackStatus = 204 | 400 | 401 | 404;

/**
 * The registry's answer, pushed: verified, then stored as the ledger's truth even where nobody waits for it any more.
 * A repeat is harmless; the first of two different answers stays, and the second is a finding.
 */
export async function receiveCallback(
  store: Store,
  secret: string,
  body: string,
  signature: string | undefined,
): Promise<CallbackStatus> {
  const callback = verified(body, signature, secret, store.now());
  if (typeof callback === 'number') return callback;
  return recordAnswer(store, callback);
}

/** Stores the registry's own word about a submission, whoever brought it: no fence needed (effects.md §3). */
export async function recordAnswer(store: Store, { key, answer }: RegistryCallback): Promise<CallbackStatus> {
  const named = namedBy(key);
  if (!named) return 404;
  const { tenant, effectId } = named;
  const name = { ...named, provider: 'registry' } as const;
  const [known] = await readItems(store, name.tenant, [ref.effect('registry', name.effectId)]);
  if (!known || known.status === 'PLANNED') return 404;

  const verdict = verdictOf(answer);
  const open = ['SENDING', 'SENT', 'UNKNOWN', 'PARKED', 'FAILED_RETRYABLE'] as const;
  const { moved, row } = await moveAndWake(store, name, verdict.to, answered(verdict, answer), open);
  const finding = moved ? undefined : findingIn(row, answer);
  if (finding) {
    store.log({ alarm: finding, effectId, tenant });
    await sight(store, tenant, contradiction(finding, row, answer), 'CERTAIN');
  }
  return 204;
}

type Contradiction = 'EFFECT_AFTER_CANCEL' | 'CALLBACK_CONFLICT';

/** What stands, and what was said against it; the same contradiction again is the same finding. */
const contradiction = (
  kind: Contradiction,
  { caseId, effectId, status }: LedgerRow,
  { status: said }: RegistryCallback['answer'],
): Sighting => ({
  ...{ kind, about: { aggregateType: 'Case', aggregateId: caseId }, item: effectId },
  ...{ values: { provider: 'registry', effectId, stands: status, said }, basis: {} },
});

/** What is wrong where an answer meets a final row; a refusal of what was cancelled is in order. */
function findingIn(row: LedgerRow, answer: RegistryCallback['answer']): Contradiction | undefined {
  if (row.status === 'CANCELLED') return answer.status === 'ACCEPTED' ? 'EFFECT_AFTER_CANCEL' : undefined;
  return sameAnswer(row, answer) ? undefined : 'CALLBACK_CONFLICT';
}

function sameAnswer(row: LedgerRow, answer: RegistryCallback['answer']): boolean {
  const stored = JSON.parse(row.response ?? '{}') as { status?: string; registryNumber?: string };
  const number = answer.status === 'ACCEPTED' ? answer.registryNumber : undefined;
  return stored.status === answer.status && stored.registryNumber === number;
}

function verified(
  body: string,
  signature: string | undefined,
  secret: string,
  now: number,
): RegistryCallback | 400 | 401 {
  try {
    return verifyCallback(body, signature, secret, now);
  } catch (error) {
    if (error instanceof CallbackRejected) return error.reason === 'MALFORMED' ? 400 : 401;
    throw error;
  }
}
