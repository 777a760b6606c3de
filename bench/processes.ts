import { readdirSync, readFileSync } from 'node:fs';

export type Process = { pid: number; what: string; rssMb: number; pssMb: number };

/**
 * The process and everything below it, with what each holds in memory, from /proc/<pid>/smaps_rollup: Rss counts pages
 * that several of them share in each of them, Pss divides them. Linux only.
 */
export function processTree(root: number): Process[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = textOf(`/proc/${name}/stat`);
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const below = (pid: number): number[] => [
    pid,
    ...[...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => below(child)),
  ];
  return below(root).flatMap((pid) => {
    const rollup = textOf(`/proc/${pid}/smaps_rollup`);
    return rollup ? [{ pid, what: nameOf(pid), rssMb: megabytes(rollup, 'Rss'), pssMb: megabytes(rollup, 'Pss') }] : [];
  });
}

export const total = (processes: readonly Process[]) => ({
  rssMb: Math.round(processes.reduce((sum, { rssMb }) => sum + rssMb, 0)),
  pssMb: Math.round(processes.reduce((sum, { pssMb }) => sum + pssMb, 0)),
});

const megabytes = (rollup: string, name: string) =>
  Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 102.4) / 10;

function nameOf(pid: number): string {
  const [program = '', first = '', second = ''] = (textOf(`/proc/${pid}/cmdline`) ?? '').split('\0');
  const name = program.split('/').at(-1)!.split(' ')[0]!;
  if (name !== 'node') return name;
  return /npm/.test(first) ? 'npm' : `node ${(first.startsWith('--') ? second : first).split('/').at(-1)}`;
}

/** Nothing where the process is gone meanwhile. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
