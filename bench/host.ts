import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { asPerson, type Ask } from '../local/demo/client.ts';
import { tell } from '../local/demo/story.ts';
import { mintToken, secretsIn, type TokenFor } from '../local/issuer.ts';
import { percentile } from './measure.ts';
import { processTree, total, type Process } from './processes.ts';

/**
 * How long `npm start` takes to its ready line, and what its whole process tree (npm, node, the database engine and the
 * shell that watches it) holds in memory: idle, while it works, and after 200 mutations. Prints and keeps the figures;
 * no test asserts them.
 */
const starts = 5;
const wanted = 200;
const settleMs = 3_000;
const results = 'bench/results/host.json';

const directory = mkdtempSync(join(tmpdir(), 'docket-bench-'));
const running = new Set<number>();
process.once('exit', () => running.forEach((pid) => process.kill(pid)));

async function main(): Promise<void> {
  const othersAtWork = Math.round(loadavg()[0]! * 10) / 10;
  const first = await started(['start']);
  await first.stop();
  const empty = [];
  for (let n = 0; n < starts; n++) empty.push(await readyOn(mkdtempSync(join(directory, 'empty-'))));

  const host = await started(['start', '--ignore-scripts']);
  await pause(settleMs);
  const idle = memory(host.pid);
  const load = await worked(host.url, host.pid);
  await pause(settleMs);
  const after = memory(host.pid);
  await host.stop();

  const withData = [];
  for (let n = 0; n < starts; n++) withData.push(await readyOn(data));

  const figures = {
    at: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
      loadBefore: othersAtWork,
    },
    readyMs: {
      'npm start, bundling first': Math.round(first.readyMs),
      'empty directory': spread(empty),
      [`with the data of ${load.mutations} mutations`]: spread(withData),
    },
    memory: { how: 'sums over the process tree of npm start, /proc/<pid>/smaps_rollup', idle, busy: load.peak, after },
    load: { mutations: load.mutations, seconds: load.seconds, cases: load.cases },
  };
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(results, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(JSON.stringify(figures, null, 2));
}

const data = join(directory, 'data');

type Started = { url: string; pid: number; readyMs: number; stop: () => Promise<void> };

/** The host as somebody starts it, from the keystroke to the ready line. */
async function started(args: string[], kept = data): Promise<Started> {
  const begun = performance.now();
  const npm = spawn('npm', args, {
    env: { ...process.env, DOCKET_PORT: '0', DOCKET_DATA: kept },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(npm.pid!);
  const ended = once(npm, 'exit').then(() => running.delete(npm.pid!));
  const url = await readyUrl(npm.stdout);
  const readyMs = performance.now() - begun;
  const stop = async () => {
    // npm hands the signal on to the host, whose pid is in its own announcement.
    process.kill((JSON.parse(readFileSync(join(kept, 'host.json'), 'utf8')) as { pid: number }).pid, 'SIGTERM');
    await ended;
  };
  return { url, pid: npm.pid!, readyMs, stop };
}

async function readyUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const ready = /^docket ready (\S+)/.exec(line);
    if (ready) return ready[1]!;
  }
  throw new Error('the host did not start');
}

async function readyOn(kept: string): Promise<number> {
  const { readyMs, stop } = await started(['start', '--ignore-scripts'], kept);
  await stop();
  return readyMs;
}

const spread = (times: number[]) => ({
  median: Math.round(percentile(times, 50)),
  least: Math.round(Math.min(...times)),
  most: Math.round(Math.max(...times)),
});

/** Whole lives of cases, four at a time, until so many mutations are sent; memory is looked at meanwhile. */
async function worked(url: string, pid: number) {
  const secrets = await secretsIn(data);
  let mutations = 0;
  const counted =
    (ask: Ask): Ask =>
    (query, variables) => {
      if (query.startsWith('mutation')) mutations++;
      return ask(query, variables);
    };
  const as = async (actor: string, ...roles: TokenFor['roles'][number][]) =>
    counted(asPerson(url, await mintToken(secrets, { tenant: 'demo', actor, roles, hours: 1 })));

  let peak = memory(pid);
  const watch = setInterval(() => {
    const now = memory(pid);
    if (now.rssMb > peak.rssMb) peak = now;
  }, 200);
  const begun = performance.now();
  let cases = 0;
  const teller = async () => {
    while (mutations < wanted) await tell({ run: `b${cases++}`, as, say: () => undefined, patienceMs: 60_000 });
  };
  await Promise.all([teller(), teller(), teller(), teller()]);
  clearInterval(watch);
  return { mutations, cases, peak, seconds: Math.round((performance.now() - begun) / 100) / 10 };
}

function memory(pid: number) {
  const processes = processTree(pid);
  return { ...total(processes), of: processes.map(({ what, rssMb }: Process) => `${what} ${rssMb}`) };
}

await main().finally(() => rmSync(directory, { recursive: true, force: true }));
