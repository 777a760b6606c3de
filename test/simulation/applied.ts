import type { Attributes } from '../../domain/condition.ts';
import type { Item, Write } from '../../store/table-port.ts';

/** What one write makes of one item, as DynamoDB does it: nothing undefined is stored, and no empty set. */
export function applied(write: Write, item: Item | undefined): Item | undefined {
  switch (write.kind) {
    case 'check':
      return item;
    case 'delete':
      return undefined;
    case 'put':
      return { ...(clean(write.item) as Attributes), ...write.key };
    case 'update':
      return updated(write, item);
  }
}

function updated({ key, update }: Extract<Write, { kind: 'update' }>, item: Item | undefined): Item {
  const { set = {}, remove = [], add = {}, drop = {} } = update;
  const next: Attributes = { ...item, ...(clean(set) as Attributes) };
  for (const name of remove) delete next[name];
  for (const [name, by] of Object.entries(add))
    next[name] = by instanceof Set ? new Set([...members(next[name]), ...by]) : Number(next[name] ?? 0) + by;
  for (const [name, out] of Object.entries(drop)) {
    const left = members(next[name]).filter((member) => !out.has(member));
    if (left.length > 0) next[name] = new Set(left);
    else delete next[name];
  }
  return { ...next, ...key };
}

const members = (value: unknown): string[] => [...((value as Set<string> | undefined) ?? [])];

function clean(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Set) return value;
  if (Array.isArray(value)) return value.map(clean);
  const entries = Object.entries(value).filter(
    ([, part]) => part !== undefined && !(part instanceof Set && part.size === 0),
  );
  return Object.fromEntries(entries.map(([name, part]) => [name, clean(part)]));
}
