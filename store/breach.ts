import { keyText } from './keys.ts';
import type { Write } from './table-port.ts';

/**
 * Conditions that no rival can fail alone: the next audit event and its messages are absent as long as META says so,
 * and a count stays above 0 as long as there is something to take off. One such failure may be a rival whose other
 * traces the database did not report; the same one again, after a second read, is a broken table.
 * Names the failure, if it is nothing else.
 */
export function impossible(writes: readonly Write[], failed: readonly number[]): string | undefined {
  if (failed.length === 0 || !failed.every((slot) => onlyOurs(writes[slot]!))) return undefined;
  return failed.map((slot) => keyText(writes[slot]!.key)).join(' ');
}

const onlyOurs = (write: Write): boolean =>
  (write.kind === 'put' && (write.item['itemType'] === 'AuditEvent' || write.item['itemType'] === 'OutboxMessage')) ||
  (write.kind === 'update' && Object.values(write.update.add ?? {}).some((by) => typeof by === 'number' && by < 0));
