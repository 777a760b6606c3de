import { absent, all, any, below, equals } from '../domain/condition.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Execution } from '../domain/operations/execution.ts';
import { executionIndexes } from './indexes.ts';
import { keysOf } from './keys.ts';
import { writeOne } from './single.ts';
import type { Store } from './store.ts';

/** The publisher has started it, now or before; whatever is known about it already is newer. */
export async function executionStarted(store: Store, tenant: TenantId, execution: Execution): Promise<void> {
  const item = { itemType: 'Execution', ...execution, ...executionIndexes(tenant, execution) };
  await writeOne(store, { kind: 'put', key: keysOf(tenant).execution(execution.name), item, when: absent });
}

/**
 * Its status has changed. Step Functions may tell so twice, or late, so only what is newer is taken: a run that was taken
 * up again, or the end of the one that runs. Answers whether this is how it stands now.
 */
export async function executionChanged(store: Store, tenant: TenantId, execution: Execution): Promise<boolean> {
  const { redriveCount } = execution;
  const written = await writeOne(store, {
    kind: 'update',
    key: keysOf(tenant).execution(execution.name),
    update: {
      set: { itemType: 'Execution', ...execution, ...executionIndexes(tenant, execution) },
      remove: (['stoppedAt', 'error'] as const).filter((field) => execution[field] === undefined),
    },
    when: any(
      absent,
      below('redriveCount', redriveCount),
      all(equals('redriveCount', redriveCount), equals('status', 'RUNNING')),
    ),
  });
  if (written.kind === 'written') return true;
  const { status, redriveCount: known } = (written.old ?? {}) as Partial<Execution>;
  return status === execution.status && known === redriveCount; // told before, or this very write, its answer lost
}
