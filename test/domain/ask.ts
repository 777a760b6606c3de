import type { Case } from '../../domain/case/case.ts';
import { commands } from '../../domain/catalogue.ts';
import type { Actor, AnyCommand } from '../../domain/command.ts';
import { all, exists, type Attributes, type Condition } from '../../domain/condition.ts';
import type { CaseId } from '../../domain/ids.ts';
import { ref, type Found, type Reads, type Ref } from '../../domain/refs.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import type { Transition } from '../../domain/transition.ts';
import { c1, givenTo } from './builders.ts';

/** Items by the refs that name them; of two for one ref the later counts, and `undefined` takes it away. */
export type Items = readonly (readonly [Ref, object | undefined])[];
/** Who asks for what, on what is stored. */
export type Scene = { actor: Actor; command: AnyCommand; items: Items; key?: string };

export type Difference = { actor?: Actor; command?: object; case?: Partial<Case>; items?: Items };

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

/** Open tasks are found as the store's query finds them. */
function foundIn(items: Items, wanted: Ref): unknown {
  if (wanted.of !== 'openTasks') return itemIn(items, wanted);
  const keys = new Map(items.filter(([item]) => isKeyIn(item, wanted.caseId)).map(([item]) => [nameOf(item), item]));
  return [...keys.values()].map((key) => itemIn(items, key)).filter((row) => row !== undefined);
}

const isKeyIn = (item: Ref, caseId: CaseId) => item.of === 'openTask' && item.caseId === caseId;

export type Asked = { answer: Transition | Refused; reads: Reads; found: Found<Reads> };

/** Reads, reads what stands only in state, and decides: as the store does it, without a store. */
export function ask({ actor, command, items, key }: Scene): Asked {
  const definition = commands.get(command.type)!;
  const given = givenTo(actor, command, key);
  const find = (reads: Reads) =>
    Object.fromEntries(Object.entries(reads).map(([name, wanted]) => [name, foundIn(items, wanted)])) as Found<Reads>;
  const reads = definition.reads(command, given);
  const first = find(reads);
  const more = definition.then?.(first, command, given) ?? {};
  const found = { ...first, ...find(more) };
  return { answer: definition.decide(found, command, given), reads: { ...reads, ...more }, found };
}

/** `CODE`, or `CODE(name)` where the code says which; `done` where it is not refused. */
export const answerTo = (scene: Scene): string => wordsOf(ask(scene).answer);

export function wordsOf(answer: Transition | Refused): string {
  if (!isRefused(answer)) return 'done';
  const which = answer.details.name ?? answer.details.rule;
  return which ? `${answer.code}(${which})` : answer.code;
}

/** Every premise of the transition, on the item it is about. */
export const premisesOf = (next: Transition): { ref: Ref; when: Condition }[] => [
  { ref: next.aggregate.ref, when: all(...(next.aggregate.before ? [exists] : []), ...next.aggregate.when) },
  ...next.changes,
];
