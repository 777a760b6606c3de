import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Holder = { pid: number; startedAt: string };

/**
 * One host per data directory: two engines would open one file without complaint and ruin it. A lock whose process is
 * gone, or whose number another process has by now, is taken over.
 */
export function takeLock(directory: string): { release: () => void } {
  const file = join(directory, 'lock');
  const mine: Holder = { pid: process.pid, startedAt: startOf(process.pid) ?? 'unknown' };
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, JSON.stringify(mine), { flag: 'wx' });
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = holderOf(file);
      if (holder && isAlive(holder)) throw new Error(`another host (process ${holder.pid}) uses ${directory}`);
      rmSync(file, { force: true });
    }
  }
  throw new Error(`the lock of ${directory} could not be taken`);
}

function holderOf(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined; // torn by a crash while it was written, or released just now
  }
}

function isAlive({ pid, startedAt }: Holder): boolean {
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
