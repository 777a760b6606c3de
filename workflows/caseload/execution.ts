import type { Execution } from '../../domain/operations/execution.ts';
import { runEnded } from '../../store/record.ts';
import { writeOne } from '../../store/single.ts';
import type { Store } from '../../store/store.ts';
import type { CaseloadInput } from './input.ts';

/** What an execution's name and input say of it, for its item. */
export const caseloadExecution = (
  name: string,
  { officerId, round, correlationId }: CaseloadInput,
): Pick<Execution, 'name' | 'machine' | 'aggregateType' | 'aggregateId' | 'round' | 'correlationId'> => ({
  ...{ name, machine: 'caseload', aggregateType: 'Officer', aggregateId: officerId, round, correlationId },
});

/** Its execution ended without an outcome: the next request with the key decides again, and goes on where it stopped. */
export async function caseloadFailed(store: Store, { tenant, commandId, round }: CaseloadInput): Promise<void> {
  await writeOne(store, runEnded(tenant, commandId, round, { status: 'FAILED_RETRYABLE' }));
}
