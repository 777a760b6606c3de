import { Busy, OutcomeUnknown } from '../../domain/answer.ts';
import { service, type AnyCommand, type Envelope } from '../../domain/command.ts';
import type { CaseloadRun } from '../../domain/officer/caseloadRun.ts';
import { isGone, movesOf } from '../../domain/officer/caseloadMoves.ts';
import type { PlannedItem, RunItem } from '../../domain/officer/caseloadRun.ts';
import { refused, type Refused } from '../../domain/refusal.ts';
import { ref } from '../../domain/refs.ts';
import { execute } from '../../store/execute.ts';
import { runKeyOf } from '../../store/identity.ts';
import { readItems } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import { wouldBe } from '../../store/wouldBe.ts';
import type { CaseloadInput } from './input.ts';

/** What became of an item. */
export type Became = Pick<RunItem, 'status' | 'refusal'>;

/**
 * Moves one item by the commands that a person would give, as the service and on behalf of the supervisor. Each has one key
 * for the whole run: whatever is repeated or resumed, it is applied once.
 */
export async function moved(store: Store, input: CaseloadInput, run: CaseloadRun, item: PlannedItem): Promise<Became> {
  const { caseId } = item;
  const [excluded, member] = await readItems<object>(store, input.tenant, [
    ref.exclusion(caseId, input.requestedBy),
    ref.investigator(caseId, run.officerId),
  ]);
  if (excluded) return refusedAs(refused('EXCLUDED', 'a declared conflict of interest excludes the supervisor'));
  const [first, second] = movesOf(item, run.officerId, run.reason);
  // Nobody leaves an investigation before it is clear that the other one can join.
  const no = second && member ? await cannot(store, input, item, second) : undefined;
  if (no) return refusedAs(no);
  const left = await asService(store, input, first, targetOf(item));
  if (left && isGone(item, left)) return { status: 'GONE' };
  if (left) return refusedAs(left);
  const joined = second && (await asService(store, input, second, targetOf(item)));
  return joined && !already.includes(joined.code) ? { ...refusedAs(joined), status: 'REMOVED' } : { status: 'MOVED' };
}

/** Whoever is to join is on the case in the same part already. */
const already = ['ALREADY_MEMBER', 'NO_CHANGE'];

const targetOf = ({ caseId, taskId }: PlannedItem) => taskId ?? caseId;

const refusedAs = ({ code, details }: Refused): Became => ({
  status: 'REFUSED',
  refusal: { code, ...(details.name && { name: details.name }) },
});

/** A place in the investigation becomes free by then. */
async function cannot(store: Store, input: CaseloadInput, item: PlannedItem, command: AnyCommand) {
  const no = await wouldBe(store, envelopeOf(input, command, targetOf(item)), command);
  return no && no.code !== 'LIMIT_REACHED' && !already.includes(no.code) ? no : undefined;
}

export const envelopeOf = (
  { tenant, commandId, correlationId, requestedBy }: CaseloadInput,
  { type }: AnyCommand,
  target: string,
): Envelope => ({
  tenant,
  actor: service,
  onBehalfOf: requestedBy,
  idempotencyKey: runKeyOf(commandId, type, target),
  correlationId,
});

/** The refusal, or nothing; `Busy` where it is not known, since the same key is safe to send again. */
export async function asService(
  store: Store,
  input: CaseloadInput,
  command: AnyCommand,
  target: string,
): Promise<Refused | undefined> {
  const answer = await execute(store, envelopeOf(input, command, target), command).catch((error: unknown) => {
    if (error instanceof OutcomeUnknown) throw new Busy('the command may have been applied; its key tells', 'NOT_YET');
    throw error;
  });
  return answer.kind === 'refused' ? answer : undefined;
}
