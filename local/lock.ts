import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One host per data directory: two engines would open one file without complaint and ruin it. A lock whose process is
 * gone, or whose number another process has by now, is taken over.
 */
export function takeLock(directory: string): { release: () => void } {
  const file = join(directory, 'lock');
  const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) ?? 'unknown' });
  for (let attempt = 0; attempt < 3; attempt++) {
    if (placed(file, mine)) return { release: () => void (textOf(file) === mine && rmSync(file, { force: true })) };
    const theirs = textOf(file);
    if (theirs !== undefined && isAlive(theirs))
      throw new Error(`another host (process ${holderOf(theirs).pid}) uses ${directory}`);
    if (theirs !== undefined) putAside(file, theirs);
  }
  throw new Error(`the lock of ${directory} could not be taken`);
}

/** The lock appears whole or not at all, and only where none is: a link to a finished file. */
function placed(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Takes a dead host's lock away; if a rival has placed its own meanwhile, that one is put back. */
function putAside(file: string, dead: string): void {
  const aside = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return; // a rival was faster
  }
  if (textOf(aside) !== dead) linkSync(aside, file);
  rmSync(aside, { force: true });
}

type Holder = { pid: number; startedAt: string };
const holderOf = (text: string) => JSON.parse(text) as Holder;

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined; // released just now
  }
}

function isAlive(text: string): boolean {
  const { pid, startedAt } = holderOf(text);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const started = startOf(pid);
  return started === undefined || startedAt === 'unknown' || started === startedAt;
}

/** When the process started, in ticks since boot, where the system tells: a number is reused, its start is not. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
