import { commands } from '../domain/catalogue.ts';
import type { AnyDefinition } from '../domain/command.ts';
import type { Door } from './doors.ts';
import { explored } from './explore.ts';
import type { RefusalTable } from './refusalTables.ts';
import { decided, largest, representatives, type Decided } from './representative.ts';
import { whoMay, type Who } from './who.ts';

/** Everything that is known of one command before it is written down. */
export type Known = {
  definition: AnyDefinition;
  door: Door | undefined;
  who: Who;
  happy: Decided;
  mostWrites: number;
  refusals: { answer: string; when: string[] }[];
};

export function known(name: string, door: Door | undefined, tables: RefusalTable): Known {
  const scene = representatives[name];
  if (!scene) throw new Error(`no scene in which ${name} is done`);
  const { refusals, mostWrites } = explored(scene);
  const tested = tables.get(name) ?? new Map<string, string[]>();
  const large = largest[name];
  const happy = decided(scene);
  return {
    definition: commands.get(name)!,
    door,
    who: whoMay(name),
    happy,
    mostWrites: Math.max(mostWrites, happy.writes.length, large ? decided(large).writes.length : 0),
    refusals: [...new Set([...refusals, ...tested.keys()])]
      .sort()
      .map((answer) => ({ answer, when: tested.get(answer) ?? [] })),
  };
}
