import { expect, it } from 'vitest';
import { difference, type Change, type Update } from '../../domain/change.ts';
import { holds, type Attributes } from '../../domain/condition.ts';
import type { Ref } from '../../domain/refs.ts';
import type { Transition } from '../../domain/transition.ts';
import { answerTo, ask, but, itemIn, premisesOf, type Difference, type Items, type Scene } from './ask.ts';

export function transitionOf(scene: Scene): Transition {
  const { answer } = ask(scene);
  expect(answer).toMatchObject({ kind: 'transition' });
  return answer as Transition;
}

/** One table of refusals: the answer, when, and the scene that differs. */
export function refuses(
  scene: Scene,
  rows: readonly (readonly [answer: string, when: string, different: Difference])[],
) {
  for (const [answer, when, different] of rows)
    it(`is refused with ${answer} ${when}`, () => expect(answerTo(but(scene, different))).toBe(answer));
}

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
