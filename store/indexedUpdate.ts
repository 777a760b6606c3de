import type { Change, Update } from '../domain/change.ts';
import type { Given } from '../domain/command.ts';
import type { Attributes } from '../domain/condition.ts';
import type { OfficerId, TenantId } from '../domain/ids.ts';
import { effectIndexes, placesOfTask, retriedMessageIndexes, taskOf } from './indexes.ts';
import { keysOf } from './keys.ts';
import type { Key } from './table-port.ts';

/** What waits is findable as long as it waits, and leaves the index in the write that ends or records it. */
export function indexedUpdate({ ref, update }: Extract<Change, { kind: 'update' }>, key: Key, given: Given) {
  const status = update.set?.['status'];
  const found = (index: Attributes) => ({ ...update, set: { ...update.set, ...index } });
  const gone = () => ({ ...update, remove: [...(update.remove ?? []), 'pendingPk', 'pendingSk'] });
  switch (ref.of) {
    case 'effect':
      if (update.set?.['recordedAt'] !== undefined) return gone();
      return status === undefined ? update : found(effectIndexes(ref, given.at));
    case 'message':
      return status === 'NEW' ? found(retriedMessageIndexes(ref, key)) : gone();
    case 'lease':
      return gone();
    case 'task':
      return indexedTask(update, given.tenant);
    case 'finding':
      return found({ byStatusPk: keysOf(given.tenant).findingsByStatus(status as string) });
    case 'cursor':
      return found({ itemType: 'OutboxCursor' });
    default:
      return update;
  }
}

/** A task that ends leaves every list in that write; one that passes on moves from one officer's to another's. */
function indexedTask(update: Update, tenant: TenantId): Update {
  const { set = {}, remove = [] } = update;
  if (set['endedAt'] !== undefined) return { ...update, remove: [...remove, ...placesOfTask] };
  const assigneeId = set['assigneeId'] as OfficerId | undefined;
  if (assigneeId) return { ...update, set: { ...set, ...taskOf(tenant, assigneeId) } };
  return remove.includes('assigneeId') ? { ...update, remove: [...remove, 'byLeadPk'] } : update;
}
