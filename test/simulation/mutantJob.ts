import { conditionMutants } from './conditionMutants.ts';
import { hunt } from './hunt.ts';

/** One mutant in a process of its own: the engine's is in the bundle already, a condition's is named. */
const [, , name, seeds] = process.argv;
const condition = name ? (await conditionMutants()).find((mutant) => mutant.name === name) : undefined;
if (name && !condition) throw new Error(`no condition ${name}`);
const kill = await hunt(Number(seeds), condition?.between, condition?.shapes);
process.stdout.write(JSON.stringify(kill ?? null));
