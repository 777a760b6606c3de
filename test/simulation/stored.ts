import type { AuditEvent } from '../../store/audit.ts';
import type { Item, Key } from '../../store/table-port.ts';

/** What is stored, sorted into what the checks ask about. Tests may take keys apart; the product never does. */
export type Chain = { partition: string; meta: Item | undefined; events: AuditEvent[] };

export function chainsIn(items: readonly Item[]): Chain[] {
  const partitions = new Map<string, Chain>();
  const chain = (pk: string) => {
    const known = partitions.get(pk) ?? { partition: pk, meta: undefined, events: [] };
    partitions.set(pk, known);
    return known;
  };
  for (const item of items) {
    if (!/^T#[^#]+#(CASE|OFFICER)#/.test(item.pk)) continue;
    if (item.sk === 'META') chain(item.pk).meta = item;
    if (item.sk.startsWith('EVENT#')) chain(item.pk).events.push(item as unknown as AuditEvent);
  }
  for (const { events } of partitions.values()) events.sort((a, b) => a.seq - b.seq);
  return [...partitions.values()];
}

export const messagesIn = (items: readonly Item[]) => items.filter((item) => item['itemType'] === 'OutboxMessage');

/** The command whose record a key names. */
export const commandIdIn = ({ pk, sk }: Key): string | undefined =>
  sk === 'COMMAND' ? pk.slice(pk.lastIndexOf('#') + 1) : undefined;
