import type { EnforcementAction } from '../../domain/action/action.ts';
import { InvariantBreach } from '../../domain/answer.ts';
import type { LedgerRow } from '../../domain/effect.ts';
import type { RegistryAnswer, RegistrySubmission } from '../../domain/ports.ts';
import { ref } from '../../domain/refs.ts';
import { calendar } from '../../store/calendar.ts';
import { readItems, readSet } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import type { Effect, Verdict } from '../once.ts';
import type { Deps, ActionInput } from '../task.ts';
import type { TokenAnswer } from '../stateMachines.ts';

export async function readAction(store: Store, { tenant, caseId, actionId }: ActionInput): Promise<EnforcementAction> {
  const [action] = await readItems(store, tenant, [ref.action(caseId, actionId)]);
  if (!action) throw new InvariantBreach('a submission without its action');
  return action;
}

/** The filing of an action with the registry, as an effect. The registry always knows what it has, by our key. */
export const submissionOf = (
  input: ActionInput,
  { store, registry }: Deps,
): Effect<RegistrySubmission, RegistryAnswer> => ({
  request: () => requestOf(store, input),
  prepare: (request) => Promise.resolve((key, signal) => registry.submit(request, key, signal)),
  find: (key, signal) => registry.find(key, signal),
  settleMs: registry.settleMs,
  triesForMs: 6 * days, // within the machine's week
  verdict: verdictOf,
  whenCannotTell: 'PARKED',
});

const days = 24 * 3_600_000;

export function verdictOf(answer: RegistryAnswer): Verdict {
  const providerRequestId = answer.reference;
  switch (answer.status) {
    case 'ACCEPTED':
      return { to: 'CONFIRMED', providerRequestId };
    case 'REFUSED':
      return { to: 'FAILED_FINAL', providerRequestId, error: answer.reason };
    case 'PENDING':
      return { to: 'SENT', providerRequestId };
  }
}

async function requestOf(store: Store, input: ActionInput): Promise<RegistrySubmission> {
  const { tenant: tenantId, caseId } = input;
  const action = await readAction(store, input);
  const found = await readSet(store, tenantId, {
    tenant: ref.tenant(),
    case: ref.case(caseId),
    party: ref.party(caseId, action.partyId),
  });
  const contraventions = await readItems(
    store,
    tenantId,
    action.contraventionIds.map((id) => ref.contravention(caseId, id)),
  );
  if (!found.tenant || !found.case || !found.party) throw new InvariantBreach('a submission without its records');
  return {
    actionId: action.id,
    caseNumber: found.case.number,
    actionType: action.type,
    submissionNumber: action.submissionNumber,
    partyName: found.party.name,
    provisions: contraventions.map((contravention) => contravention!.provision),
    issuedOn: calendar.dateIn(found.tenant.zone, action.issuedAt!),
  };
}

/** What a waiting task is told of a row that needs no more waiting; nothing while an answer is owed. */
export function wordFor(row: LedgerRow): TokenAnswer | undefined {
  switch (row.status) {
    case 'CONFIRMED':
      return { success: { status: 'CONFIRMED' } };
    case 'FAILED_FINAL':
      return { error: 'Registry.Refused', cause: 'the registry refused the submission' };
    case 'CANCELLED':
      return { error: 'Effect.Cancelled', cause: 'the submission was cancelled' };
    case 'PARKED':
      return { error: 'Effect.Parked', cause: 'the submission waits for an operator' };
    default:
      return undefined;
  }
}
