import { crashCases, faultsOfCase, nameOf } from './crashPoints.ts';
import { faultsOfRival, rivalCases } from './rivals.ts';
import { faultsOfSeed } from './seeds.ts';
import { shapes, type Shape } from './shapes.ts';
import type { Between } from './simulatedGround.ts';
import { newTally } from './story.ts';
import { rulesBroken } from './rules.ts';

/** What first showed that something is wrong. */
export type Kill = { by: 'rule' | 'crash point' | 'race' | 'story'; where: string; fault: string };

/** Commands that between them have every kind of write: what takes a rule from all shows in these. */
const telling = ['addParty', 'addInvestigator', 'openCase', 'reassignLead', 'recordRegistration'];

/** Looks for one fault, the quick proofs first; `of` where only some commands can show it. */
export async function hunt(seeds: number, between?: Between, shown?: readonly Shape[]): Promise<Kill | undefined> {
  const of = shown?.slice(0, 4) ?? shapes.filter(({ name }) => telling.includes(name));
  for (const [where, fault] of await rulesBroken(between)) return { by: 'rule', where, fault };
  for await (const rival of rivalCases(of)) {
    const [fault] = await guarded(() => faultsOfRival(rival, between));
    if (fault) return { by: 'race', where: rival.name, fault };
  }
  for await (const crash of crashCases(of)) {
    const [fault] = await guarded(() => faultsOfCase(crash, 1, between));
    if (fault) return { by: 'crash point', where: nameOf(crash), fault };
  }
  for (let seed = 1; seed <= seeds; seed++) {
    const [fault] = await guarded(() => faultsOfSeed(seed, newTally(), between));
    if (fault) return { by: 'story', where: `seed ${seed}`, fault };
  }
  return undefined;
}

const guarded = (work: () => Promise<string[]>) =>
  work().catch((error: unknown) => [`threw ${(error as Error).message}`]);
