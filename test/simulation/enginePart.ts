import { startFaultyEngine } from './engine.ts';
import { faultsOfSeedOnEngine } from './engineGround.ts';
import type { Violation } from './part.ts';
import { newTally, type Tally } from './story.ts';

export type EngineResult = { tally: Tally; seeds: number; violations: Violation[] };

/** Stories on the real engine, a few at a time: each has a table of its own. */
export async function playOnEngine(seeds: readonly number[], atOnce: number): Promise<EngineResult> {
  const engine = await startFaultyEngine();
  const result: EngineResult = { tally: newTally(), seeds: seeds.length, violations: [] };
  const left = [...seeds];
  const teller = async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const faults = await faultsOfSeedOnEngine(engine, seed, result.tally);
      if (faults.length > 0)
        result.violations.push({ what: `engine seed ${seed}`, replay: `--engine-seed ${seed}`, faults });
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, teller));
  } finally {
    await engine.stop();
  }
  return result;
}
