import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { playOnEngine, type EngineResult } from './enginePart.ts';
import type { PartResult, Share, Violation } from './part.ts';
import { faultsOfSeed } from './seeds.ts';
import { shapes, withoutShape } from './shapes.ts';
import { newTally } from './story.ts';

const help = `Proves the commands under faults: simulated database first, then the real engine.

  npm run test:faults
  npm run test:faults -- --seeds 500 --engine-seeds 20    smaller budgets
  npm run test:faults -- --seed 17                        one story of the simulation again
  npm run test:faults -- --engine-seed 17                 one story on the real engine again
  npm run test:faults -- --case 'addParty / late'         the enumerated cases whose name contains this
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    'engine-seeds': { type: 'string', default: '500' },
    seed: { type: 'string' },
    'engine-seed': { type: 'string' },
    case: { type: 'string' },
    help: { type: 'boolean' },
  },
});

async function main(): Promise<Violation[]> {
  if (values.help) return (process.stdout.write(help), []);
  if (values.seed !== undefined) {
    const faults = await faultsOfSeed(Number(values.seed), newTally());
    return faults.length > 0 ? [{ what: `seed ${values.seed}`, replay: `--seed ${values.seed}`, faults }] : [];
  }
  if (values['engine-seed'] !== undefined) return (await playOnEngine([Number(values['engine-seed'])], 1)).violations;
  if (values.case !== undefined) return (await simulated(0, values.case)).violations;

  if (withoutShape.length > 0) throw new Error(`commands without a prepared state: ${withoutShape.join(', ')}`);
  const began = performance.now();
  const simulation = await simulated(Number(values.seeds), '');
  const simulationSeconds = secondsSince(began);
  const engine = await playOnEngine(upTo(Number(values['engine-seeds'])), 12);
  write(simulation, simulationSeconds, engine, secondsSince(began) - simulationSeconds);
  return [...simulation.violations, ...engine.violations];
}

/** The simulation, shared among as many processes as there are cores. */
async function simulated(seeds: number, wanted: string): Promise<PartResult> {
  const of = Math.min(availableParallelism(), 4);
  const parts = await Promise.all(upTo(of).map((n) => inProcess({ part: n - 1, of, seeds }, wanted)));
  return parts.reduce((all, part) => ({
    tally: {
      faults: sum(all.tally.faults, part.tally.faults),
      deaths: all.tally.deaths + part.tally.deaths,
      commands: all.tally.commands + part.tally.commands,
      requests: all.tally.requests + part.tally.requests,
    },
    seeds: all.seeds + part.seeds,
    crashPoints: all.crashPoints + part.crashPoints,
    rivals: all.rivals + part.rivals,
    violations: [...all.violations, ...part.violations],
  }));
}

function inProcess(share: Share, wanted: string): Promise<PartResult> {
  return new Promise((resolve, reject) => {
    const worker = fork(new URL('./worker.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
    let result: PartResult | undefined;
    worker.on('message', (message) => (result = message as PartResult));
    worker.on('exit', (code) => (result ? resolve(result) : reject(new Error(`a part ended with ${code}`))));
    worker.send({ share, wanted });
  });
}

function write(simulation: PartResult, simulationSeconds: number, engine: EngineResult, engineSeconds: number): void {
  const figures = {
    commandShapes: shapes.length,
    simulation: { ...withoutViolations(simulation), seconds: simulationSeconds },
    engine: { ...withoutViolations(engine), seconds: engineSeconds },
    violations: simulation.violations.length + engine.violations.length,
  };
  mkdirSync('bench/results', { recursive: true });
  writeFileSync('bench/results/faults.json', `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`
simulation   ${simulation.seeds} seeds, ${simulation.crashPoints} crash points × duplicates, ${simulation.rivals} races, ${simulationSeconds} s
             ${simulation.tally.commands} commands in ${simulation.tally.requests} requests, ${simulation.tally.deaths} processes died
             ${listed(simulation.tally.faults)}
real engine  ${engine.seeds} seeds, ${engineSeconds} s
             ${engine.tally.commands} commands in ${engine.tally.requests} requests, ${engine.tally.deaths} processes died
             ${listed(engine.tally.faults)}
commands     ${shapes.length} shapes, all of the catalogue
violations   ${figures.violations}`);
}

const withoutViolations = <R extends { violations: Violation[] }>({ violations: _, ...rest }: R) => rest;
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const secondsSince = (began: number) => Math.round((performance.now() - began) / 100) / 10;
const listed = (faults: Record<string, number>) =>
  Object.entries(faults)
    .sort()
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');

function sum(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const kinds = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...kinds].map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)]));
}

const violations = await main();
for (const { what, replay, faults } of violations)
  console.error(`VIOLATION ${what}\n  ${faults.join('\n  ')}\n  again: npm run test:faults -- ${replay}`);
process.exitCode = violations.length > 0 ? 1 : 0;
