import type { Attributes, Condition } from './condition.ts';
import { all, equals, exists } from './condition.ts';
import type { Ref } from './refs.ts';

/** What becomes of one item besides the aggregate, with the premise that must still hold when it is written. */
export type Change =
  | { kind: 'create'; ref: Ref; item: Attributes; when: Condition }
  | { kind: 'update'; ref: Ref; update: Update; when: Condition }
  | { kind: 'delete'; ref: Ref; when: Condition }
  /** Validated, not written. On a key that is also written it is folded into that write's condition. */
  | { kind: 'check'; ref: Ref; when: Condition };

/** Names what it touches; everything else in the item survives. */
export type Update = {
  set?: Attributes;
  remove?: string[];
  /** Adds to a number, or members to a set. */
  add?: Record<string, number | Set<string>>;
  /** Takes members out of a set. */
  drop?: Record<string, Set<string>>;
};

export const create = (ref: Ref, item: Attributes): Change => ({ kind: 'create', ref, item, when: { is: 'absent' } });
export const check = (ref: Ref, when: Condition): Change => ({ kind: 'check', ref, when });
export const remove = (ref: Ref, when: Condition): Change => ({ kind: 'delete', ref, when });
export const update = (ref: Ref, changes: Update, when: Condition): Change => ({
  kind: 'update',
  ref,
  update: changes,
  when,
});

/** A versioned child becomes `after`: only the attributes that differ are written, on the version that was read. */
export const amend = (ref: Ref, before: Attributes & { version: number }, after: Attributes): Change => ({
  kind: 'update',
  ref,
  update: difference(before, { ...after, version: before.version + 1 }),
  when: all(exists, equals('version', before.version)),
});

/** The smallest Update that turns `before` into `after`, by top-level attribute. */
export function difference(before: Attributes, after: Attributes): Update {
  const set = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== undefined && !same(value, before[name])),
  );
  const gone = Object.keys(before).filter((name) => before[name] !== undefined && after[name] === undefined);
  return { ...(Object.keys(set).length && { set }), ...(gone.length && { remove: gone }) };
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((member) => b.has(member));
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, i) => same(value, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => same(a[name], b[name]));
}

const isRecord = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set);
