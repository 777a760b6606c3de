import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './markdown.ts';

/**
 * npm run docs:evidence: writes the figures in bench/results into docs/correctness.md, between `<!-- name -->` and
 * `<!-- /name -->`. What was not measured stands there as not measured.
 */
const page = join(import.meta.dirname, 'correctness.md');
const results = join(import.meta.dirname, '../bench/results');

type Tally = { faults: Record<string, number>; deaths: number; commands: number; requests: number };
type Faults = {
  commandShapes: number;
  simulation: { tally: Tally; seeds: number; crashPoints: number; rivals: number; seconds: number };
  engine: { tally: Tally; seeds: number; seconds: number };
  violations: number;
};
type Mutant = { name: string; kill?: { by: string; where: string }; implied?: string };
type Counted = { requests: number; refusals: number; perThousand: number };
type Times = { p50: number; p99: number; perSecond: number };
type Commands = {
  command: string;
  rounds: number;
  execute: Times;
  bare: Times;
  ratios: { p50: number; p99: number; throughput: number };
  added: { p50Ms: number; ofThatOverATableThatAnswersAtOnce: number };
};

const sections: Record<string, string> = {
  faults: measured<Faults>('faults', ({ commandShapes, simulation, engine, violations }) =>
    [
      `${commandShapes} shapes of commands, ${violations} violations.`,
      table(
        ['', 'stories', 'crash points × duplicates', 'races', 'commands', 'requests', 'processes died', 'faults', 's'],
        [
          ['simulated', simulation, simulation.crashPoints, simulation.rivals] as const,
          ['real engine', engine, '–', '–'] as const,
        ].map(([name, { tally, seeds, seconds }, points, races]) =>
          [
            name,
            seeds,
            points,
            races,
            tally.commands,
            tally.requests,
            tally.deaths,
            Object.values(tally.faults).reduce((sum, count) => sum + count, 0),
            Math.round(seconds),
          ].map(String),
        ),
      ),
    ].join('\n\n'),
  ),
  mutants: measured<Mutant[]>('mutants', (mutants) => {
    const [killed, implied] = [mutants.filter(({ kill }) => kill), mutants.filter(({ kill }) => !kill)];
    return [
      `${mutants.length} mutants: ${killed.length} noticed, ${implied.filter((one) => one.implied).length} implied by what stands beside them, ${implied.filter((one) => !one.implied).length} survived.`,
      table(
        ['taken away', 'noticed by', 'where'],
        killed.map(({ name, kill }) => [name, kill!.by, kill!.where]),
      ),
      table(
        ['changes no answer', 'since'],
        implied.map(({ name, implied }) => [name, implied ?? 'SURVIVED']),
      ),
    ].join('\n\n');
  }),
  naive: measured<{ seeds: number; naive: Counted; ours: Counted }>('naive', ({ seeds, naive, ours }) =>
    [
      `In ${seeds} stories:`,
      table(
        ['', 'requests', 'false refusals', 'per thousand'],
        [['the usual way', naive] as const, ['Docket', ours] as const].map(
          ([name, { requests, refusals, perThousand }]) => [name, requests, refusals, perThousand].map(String),
        ),
      ),
    ].join('\n\n'),
  ),
  bench: measured<Commands>('commands', ({ command, rounds, execute, bare, ratios, added }) =>
    [
      `${command}; ${rounds} each, turn by turn, on one engine.`,
      table(
        ['', 'p50 ms', 'p99 ms', 'per second'],
        [
          ['`execute`', execute] as const,
          ['bare SDK loop, requests made beforehand', bare] as const,
          ['ratio', { p50: ratios.p50, p99: ratios.p99, perSecond: ratios.throughput }] as const,
        ].map(([name, { p50, p99, perSecond }]) => [name, p50, p99, perSecond].map(String)),
      ),
      `Added at the median: ${added.p50Ms} ms. Over a table that answers at once, the command takes ${added.ofThatOverATableThatAnswersAtOnce} ms: reading, deciding, sealing the audit event, and writing the plan out for its token; the rest is wire form to and from data, and the same work done cold between two waits.`,
    ].join('\n\n'),
  ),
};

let text = readFileSync(page, 'utf8');
for (const [name, said] of Object.entries(sections)) {
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`correctness.md has no place for ${name}`);
  text = `${text.slice(0, start)}${from}\n\n${said}\n\n${text.slice(end)}`;
}
writeFileSync(page, text);

function measured<Result>(name: string, say: (result: Result) => string): string {
  const file = join(results, `${name}.json`);
  return existsSync(file) ? say(JSON.parse(readFileSync(file, 'utf8')) as Result) : 'Not measured.';
}
