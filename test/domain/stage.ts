import { expect, it } from 'vitest';
import type { Case } from '../../domain/case/case.ts';
import { commands } from '../../domain/catalogue.ts';
import type { Actor, AnyCommand } from '../../domain/command.ts';
import { difference, type Change, type Update } from '../../domain/change.ts';
import { all, exists, holds, type Attributes, type Condition } from '../../domain/condition.ts';
import { ref, type Found, type Reads, type Ref } from '../../domain/refs.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import type { Transition } from '../../domain/transition.ts';
import { c1, givenTo } from './builders.ts';

/** Items by the refs that name them; of two for one ref the later counts, and `undefined` takes it away. */
export type Items = readonly (readonly [Ref, object | undefined])[];
/** Who asks for what, on what is stored. */
export type Scene = { actor: Actor; command: AnyCommand; items: Items; key?: string };

type Difference = { actor?: Actor; command?: object; case?: Partial<Case>; items?: Items };

/** The scene with one thing different: the test states only that. */
export function but({ actor, command, items }: Scene, different: Difference): Scene {
  const before = itemIn(items, ref.case(c1));
  return {
    actor: different.actor ?? actor,
    command: { ...command, ...different.command },
    items: [
      ...items,
      ...(different.case ? ([[ref.case(c1), { ...before, ...different.case }]] as const) : []),
      ...(different.items ?? []),
    ],
  };
}

export const nameOf = (item: Ref) => JSON.stringify(item);

export const itemIn = (items: Items, wanted: Ref): Attributes | undefined =>
  items.findLast(([item]) => nameOf(item) === nameOf(wanted))?.[1] as Attributes | undefined;

export type Asked = { answer: Transition | Refused; reads: Reads; found: Found<Reads> };

/** Reads, reads what stands only in state, and decides: as the store does it, without a store. */
export function ask({ actor, command, items, key }: Scene): Asked {
  const definition = commands.get(command.type)!;
  const given = givenTo(actor, command, key);
  const find = (reads: Reads) =>
    Object.fromEntries(Object.entries(reads).map(([name, wanted]) => [name, itemIn(items, wanted)])) as Found<Reads>;
  const reads = definition.reads(command, given);
  const first = find(reads);
  const more = definition.then?.(first, command, given) ?? {};
  const found = { ...first, ...find(more) };
  return { answer: definition.decide(found, command, given), reads: { ...reads, ...more }, found };
}

export function transitionOf(scene: Scene): Transition {
  const { answer } = ask(scene);
  expect(answer).toMatchObject({ kind: 'transition' });
  return answer as Transition;
}

/** `CODE`, or `CODE(name)` where the code says which; `done` where it is not refused. */
export function answerTo(scene: Scene): string {
  const { answer } = ask(scene);
  if (!isRefused(answer)) return 'done';
  const which = answer.details.name ?? answer.details.rule;
  return which ? `${answer.code}(${which})` : answer.code;
}

/** One table of refusals: the answer, when, and the scene that differs. */
export function refuses(
  scene: Scene,
  rows: readonly (readonly [answer: string, when: string, different: Difference])[],
) {
  for (const [answer, when, different] of rows)
    it(`is refused with ${answer} ${when}`, () => expect(answerTo(but(scene, different))).toBe(answer));
}

/** Every premise of the transition, on the item it is about. */
export const premisesOf = (next: Transition): { ref: Ref; when: Condition }[] => [
  { ref: next.aggregate.ref, when: all(...(next.aggregate.before ? [exists] : []), ...next.aggregate.when) },
  ...next.changes,
];

/** What would not let the transition through: the names of the items whose premise does not hold. */
export const broken = (next: Transition, items: Items): string[] =>
  premisesOf(next)
    .filter(({ ref: about, when }) => !holds(when, itemIn(items, about)))
    .map(({ ref: about }) => about.of);

/** What is stored afterwards; a transaction whose premise does not hold changes nothing, and fails the test. */
export function commit(next: Transition, items: Items): Items {
  expect(broken(next, items)).toEqual([]);
  const { before, after } = next.aggregate;
  const moved = { ...after, auditSeq: (before?.auditSeq ?? 0) + 1 };
  const stored = before ? updated(itemIn(items, next.aggregate.ref), difference(before, moved)) : moved;
  return [...items, [next.aggregate.ref, stored], ...next.changes.flatMap((change) => written(change, items))];
}

function written(change: Change, items: Items): Items {
  switch (change.kind) {
    case 'check':
      return [];
    case 'create':
      return [[change.ref, change.item]];
    case 'delete':
      return [[change.ref, undefined]];
    case 'update':
      return [[change.ref, updated(itemIn(items, change.ref), change.update)]];
  }
}

function updated(item: Attributes = {}, { set = {}, remove = [], add = {}, drop = {} }: Update): Attributes {
  const next: Attributes = { ...item, ...set };
  for (const name of remove) delete next[name];
  for (const [name, by] of Object.entries(add))
    next[name] = by instanceof Set ? new Set([...membersOf(next[name]), ...by]) : Number(next[name] ?? 0) + by;
  for (const [name, out] of Object.entries(drop))
    next[name] = new Set(membersOf(next[name]).filter((member) => !out.has(member)));
  return next;
}

const membersOf = (value: unknown): string[] => [...((value as Set<string> | undefined) ?? [])];

/** What the transition makes of one item, as it will be stored. */
export const after = <Item>(scene: Scene, wanted: Ref<Item>): Item | undefined =>
  itemIn(commit(transitionOf(scene), scene.items), wanted) as Item | undefined;
