import { addParty } from './case/addParty.ts';
import { openCase } from './case/openCase.ts';
import type { AnyDefinition } from './command.ts';
import { registerOfficer } from './officer/registerOfficer.ts';

/** Every command there is, by its name. */
const definitions: readonly AnyDefinition[] = [registerOfficer, openCase, addParty];

export const commands: ReadonlyMap<string, AnyDefinition> = new Map(definitions.map((d) => [d.type, d]));
