import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { conditionMutants } from './conditionMutants.ts';
import { engineMutants, type EngineMutant } from './engineMutants.ts';
import type { Kill } from './hunt.ts';
import { impliedBy } from './implied.ts';

/**
 * npm run test:mutants: takes one premise or one rule away at a time and shows that the suite notices. The product has
 * no switches for this: plans are changed on their way to the table, sources while they are bundled.
 */
const seeds = 150;
const longestMs = 600_000;
const directory = 'node_modules/.cache/docket-mutants';
const wanted = process.argv[2] ?? '';

type Job = { name: string; condition: string; source?: EngineMutant };
type Row = { name: string; kill: Kill | { by: 'no end'; where: string; fault: string } | undefined; implied?: string };

const jobs: Job[] = [
  { name: 'nothing taken away', condition: '' },
  ...engineMutants.map((source) => ({ name: source.name, condition: '', source })),
  ...(await conditionMutants()).map(({ name }) => ({ name, condition: name })),
].filter(({ name }) => name.includes(wanted));

for (const { file, from, name } of engineMutants)
  if (readFileSync(file, 'utf8').split(from).length !== 2)
    throw new Error(`${name}: ${file} does not hold once: ${from}`);

mkdirSync(directory, { recursive: true });
const rows = new Map<string, Row>();
const left = [...jobs];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker));
rmSync(directory, { recursive: true });
report(jobs.map(({ name }) => rows.get(name)!));

async function worker(): Promise<void> {
  for (let job = left.shift(); job; job = left.shift()) {
    const row = await played(job);
    rows.set(job.name, row);
    console.log(
      `${row.kill ? 'noticed ' : row.implied ? 'implied ' : 'SURVIVED'}  ${job.name}  ${row.kill?.where ?? row.implied ?? ''}`,
    );
  }
}

async function played({ name, condition, source }: Job): Promise<Row> {
  const outfile = join(directory, `${name.replace(/[^a-z]+/gi, '-')}.mjs`);
  await build({
    entryPoints: ['test/simulation/mutantJob.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    plugins: source ? [changing(source)] : [],
  });
  const found = await run(outfile, [condition, String(seeds)]);
  return { name, kill: found, ...(!found && { implied: impliedBy[name] }) };
}

function run(file: string, args: string[]): Promise<Row['kill']> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { timeout: longestMs, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error?.killed) return resolve({ by: 'no end', where: 'it never ends', fault: '' });
      if (error) return resolve({ by: 'rule', where: 'it does not run', fault: stderr.slice(0, 200) });
      resolve((JSON.parse(stdout) as Kill | null) ?? undefined);
    });
  });
}

function changing({ file, from, to }: EngineMutant): Plugin {
  return {
    name: 'mutant',
    setup: (build) => {
      build.onLoad({ filter: /\/store\/[a-zA-Z]+\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (relative(process.cwd(), path) !== file) return { contents: text, loader: 'ts' };
        return { contents: text.replace(from, () => to), loader: 'ts' };
      });
    },
  };
}

function report(all: Row[]): void {
  const mutants = all.filter(({ name }) => name !== 'nothing taken away');
  const survivors = mutants.filter(({ kill, implied }) => !kill && !implied);
  const baseline = all.find(({ name }) => name === 'nothing taken away');
  if (baseline?.kill) console.error(`the suite fails with nothing taken away: ${JSON.stringify(baseline.kill)}`);
  const noticed = mutants.filter(({ kill }) => kill).length;
  const implied = mutants.filter(({ kill, implied }) => !kill && implied).length;
  console.log(
    `\n${mutants.length} mutants: ${noticed} noticed, ${implied} implied by what stands beside them, ${survivors.length} survived`,
  );
  if (wanted === '') {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync('bench/results/mutants.json', `${JSON.stringify(mutants, null, 2)}\n`);
  }
  process.exitCode = survivors.length > 0 || baseline?.kill ? 1 : 0;
}
