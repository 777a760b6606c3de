import { commands } from '../../domain/catalogue.ts';
import type { Actor, AnyCommand } from '../../domain/command.ts';
import type { Attributes } from '../../domain/condition.ts';
import type { Case } from '../../domain/case/case.ts';
import type { TenantId } from '../../domain/ids.ts';
import { ref, type Ref } from '../../domain/refs.ts';
import { effectIdOf } from '../../store/identity.ts';
import { keysOf, keyText } from '../../store/keys.ts';
import type { Item } from '../../store/table-port.ts';
import { a1, c1, c2, dan, mail1, n1, now, officer, submission1 } from '../domain/builders.ts';
import { but, type Scene } from '../domain/ask.ts';
import { documentScenes } from '../domain/documentScenes.ts';
import { operationScenes } from '../domain/operationScenes.ts';
import { beginnings, officerScenes } from '../domain/otherScenes.ts';
import { taskScenes } from '../domain/taskScenes.ts';
import { scenes } from '../domain/scenes.ts';

/** A command on its happy path, from a prepared state. */
export type Shape = {
  name: string;
  actor: Actor;
  command: AnyCommand;
  /** Under a lease, where a workflow gives the command. */
  fence: number | undefined;
  prepared: (tenant: TenantId) => Item[];
};

export const start = Date.parse(now);
export const tenantOf = (seed: number) => `t${seed}` as TenantId;

/** One that sees the other case by its classification alone. */
const linkToACaseOfOthers: Scene = {
  ...scenes.linkCases,
  items: scenes.linkCases.items.map(([about, item]) =>
    about.of === 'case' && about.caseId === c2
      ? ([about, { ...item, openedBy: dan.id, leadOfficerId: dan.id }] as const)
      : [about, item],
  ),
};

/** One whose actor is in the task's team by being registered in it, and not by their region. */
const claimTaskOfAnotherRegion = but(taskScenes.claimTask, {
  items: [[ref.officer(dan.id), officer(dan.id, { region: 'EAST', teams: ['WEST'] })]],
});

export const shapes: readonly Shape[] = Object.entries<Scene>({
  ...beginnings,
  ...officerScenes,
  ...scenes,
  'claimTask of another region': claimTaskOfAnotherRegion,
  ...taskScenes,
  ...documentScenes,
  ...operationScenes,
  'linkCases to a case of others': linkToACaseOfOthers,
}).map(([name, { actor, command, items }]) => ({
  name,
  actor,
  command: named(command),
  fence: actor.roles.includes('SERVICE') ? 5 : undefined,
  prepared: (tenant) => prepared(items, tenant),
}));

/** Commands without a prepared state would be left out silently; nothing is. */
export const withoutShape = [...commands.keys()].filter((type) => !shapes.some(({ command }) => command.type === type));

/** The scene's items as they are stored; chains begin with the first command, and loads are what their rows say. */
function prepared(items: Scene['items'], tenant: TenantId): Item[] {
  const keys = keysOf(tenant);
  const stored = new Map<string, Item>();
  for (const [about, item] of items) {
    const key = keys.of(named(about));
    if (item === undefined) stored.delete(keyText(key));
    else stored.set(keyText(key), { ...(named(item) as Attributes), ...atTheBeginning(about), ...key });
  }
  for (const [about] of items) {
    const current = about.of === 'case' ? (stored.get(keyText(keys.of(about))) as Case | undefined) : undefined;
    if (!current?.leadOfficerId || current.status === 'CLOSED') continue;
    const row = keys.of(ref.load(current.leadOfficerId, current.id));
    stored.set(keyText(row), { officerId: current.leadOfficerId, caseId: current.id, ...row });
  }
  const all = [...stored.values()];
  for (const item of all)
    if ('activeLoad' in item) {
      item['activeLoad'] = all.filter(({ pk, sk }) => pk === item.pk && sk.startsWith('LOAD#')).length;
      item['maxLoad'] = 2;
    }
  return all;
}

function atTheBeginning(about: Ref): Attributes {
  if (about.of === 'case') return { auditSeq: 0, auditHead: '', lastOrderedSeq: 0, number: `2025-${about.caseId}` };
  if (about.of === 'message') return { itemType: 'EarlierMessage' }; // of an event from before the story
  return about.of === 'officer' ? { auditSeq: 0, auditHead: '' } : {};
}

/** The scenes name effects readably; the store derives them. */
function named<T>(value: T): T {
  if (value === mail1) return effectIdOf(n1, 'NOTICE_MAIL', 0) as T;
  if (value === submission1) return effectIdOf(a1, 'REGISTRATION', 1) as T;
  if (typeof value !== 'object' || value === null || value instanceof Set) return value;
  if (Array.isArray(value)) return value.map((part: unknown) => named(part)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, named(part as unknown)])) as T;
}

/** Shapes that begin from the same state and can therefore be each other's rivals. */
export function rivalsOf(shape: Shape): Shape[] {
  const at = standing(shape);
  return shapes.filter((other) => standing(other) === at);
}

const standing = (shape: Shape) => {
  const key = keysOf(tenantOf(0)).of(ref.case(c1));
  const current = shape.prepared(tenantOf(0)).find(({ pk, sk }) => pk === key.pk && sk === key.sk);
  return (current?.['status'] as string | undefined) ?? 'none';
};
