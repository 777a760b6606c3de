import { crashCases, faultsOfCase, nameOf } from './crashPoints.ts';
import { rivalCases, faultsOfRival } from './rivals.ts';
import { faultsOfSeed } from './seeds.ts';
import { newTally, type Tally } from './story.ts';

/** One process's share of the work. */
export type Share = { part: number; of: number; seeds: number };
export type Violation = { what: string; replay: string; faults: string[] };
export type PartResult = { tally: Tally; seeds: number; crashPoints: number; rivals: number; violations: Violation[] };

export async function playShare({ part, of, seeds }: Share, wanted = ''): Promise<PartResult> {
  const result: PartResult = { tally: newTally(), seeds: 0, crashPoints: 0, rivals: 0, violations: [] };
  const note = (what: string, replay: string, faults: string[]) => {
    if (faults.length > 0) result.violations.push({ what, replay, faults });
  };
  let n = 0;
  const mine = (name: string) => name.includes(wanted) && n++ % of === part;
  for await (const crash of crashCases()) {
    const name = nameOf(crash);
    if (!mine(name)) continue;
    result.crashPoints++;
    note(name, `--case '${name}'`, await faultsOfCase(crash));
  }
  for await (const rival of rivalCases()) {
    if (!mine(rival.name)) continue;
    result.rivals++;
    note(rival.name, `--case '${rival.name}'`, await faultsOfRival(rival));
  }
  for (let seed = 1 + part; seed <= seeds; seed += of) {
    result.seeds++;
    note(`seed ${seed}`, `--seed ${seed}`, await faultsOfSeed(seed, result.tally));
  }
  return result;
}
