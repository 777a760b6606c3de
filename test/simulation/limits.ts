import type { Item } from '../../store/table-port.ts';
import type { History } from './history.ts';

/** Every limit is owned by an item, and the item agrees with what it counts. */
export function limitFaults(_history: History, stored: readonly Item[]): string[] {
  const metas = stored.filter(({ sk }) => sk === 'META');
  const below = (pk: string, prefix: string) => stored.filter((item) => item.pk === pk && item.sk.startsWith(prefix));
  const at = (pk: string, sk: string) => stored.find((item) => item.pk === pk && item.sk === sk);
  return [
    ...metas.flatMap((meta) => {
      if ('activeLoad' in meta) return loadFaults(meta, below(meta.pk, 'LOAD#').length);
      if (!('contentVersion' in meta)) return [];
      const members = below(meta.pk, 'INVESTIGATOR#');
      return [
        ...guardFaults(meta, at(meta.pk, 'INVESTIGATOR_GUARD'), members),
        ...actionFaults(meta, at(meta.pk, 'ACTIVE_ENFORCEMENT_GUARD')),
        ...holdFaults(meta, below(meta.pk, 'HOLD#')),
        ...leadFaults(meta, stored),
      ];
    }),
    ...twice('case number', metas, (meta) => meta['number']),
    ...twice(
      'external reference',
      metas,
      (meta) => meta['externalReference'] && JSON.stringify(meta['externalReference']),
    ),
    ...twice('e-mail address', metas, (meta) => meta['email']),
  ];
}

function loadFaults(meta: Item, rows: number): string[] {
  const { activeLoad, maxLoad } = meta as unknown as { activeLoad: number; maxLoad: number };
  if (activeLoad !== rows) return [`limit: ${meta.pk} counts ${activeLoad} cases and has ${rows}`];
  return activeLoad > maxLoad ? [`limit: ${meta.pk} leads ${activeLoad} of ${maxLoad}`] : [];
}

function holdFaults(meta: Item, holds: Item[]): string[] {
  const active = holds.filter(({ releasedAt }) => releasedAt === undefined).length;
  return meta['activeHolds'] === active
    ? []
    : [`limit: ${meta.pk} counts ${String(meta['activeHolds'])} holds of ${active}`];
}

function guardFaults(meta: Item, guard: Item | undefined, members: Item[]): string[] {
  if (!guard) return [];
  const count = guard['activeCount'] as number;
  const named = [...((guard['officerIds'] as Set<string> | undefined) ?? [])].sort().join();
  const rows = members.map((item) => String(item['officerId'])).sort();
  if (count !== rows.length || named !== rows.join())
    return [`limit: ${meta.pk} counts ${count} investigators (${named}), and has ${rows.join()}`];
  return count > 3 ? [`limit: ${meta.pk} has ${count} investigators`] : [];
}

function actionFaults(meta: Item, guard: Item | undefined): string[] {
  const active = meta['activeActionId'];
  return guard && meta['status'] === 'ENFORCEMENT' && guard['actionId'] !== active
    ? [`limit: ${meta.pk} has the action ${String(active)}, its guard ${String(guard['actionId'])}`]
    : [];
}

function leadFaults(meta: Item, stored: readonly Item[]): string[] {
  const lead = meta['leadOfficerId'] as string | undefined;
  if (!lead || meta['status'] === 'CLOSED') return [];
  const row = stored.find(({ pk, sk }) => pk.endsWith(`#OFFICER#${lead}`) && sk === `LOAD#${String(meta['id'])}`);
  return row ? [] : [`limit: ${lead} leads ${meta.pk} without a load row`];
}

function twice(what: string, items: readonly Item[], value: (item: Item) => unknown): string[] {
  const seen = items.map((item) => value(item)).filter((text) => text !== undefined);
  return seen.length === new Set(seen).size ? [] : [`limit: one ${what} twice`];
}
