import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Holder = { pid: number; startedAt: string };

const attempts = 4;
const nameOf = ({ pid, startedAt }: Holder) => `lock.${pid}.${startedAt}`;
/** What this very process holds: its own file may also be left from a dead process that had its number. */
const held = new Set<string>();

/**
 * One host per data directory: two engines would open one file without complaint and ruin it. Each host has a file that
 * is named after its process and is empty, so it cannot be damaged. It places its own and then looks for others: of two
 * that do so at once at least one sees the other and withdraws. A file whose process is gone, or whose number another
 * process has by now, is nobody's and is removed; no process ever removes the file of one that lives.
 */
export function takeLock(directory: string): { release: () => void } {
  const mine: Holder = { pid: process.pid, startedAt: startOf(process.pid) ?? 'unknown' };
  const file = join(directory, nameOf(mine));
  if (held.has(file)) throw inUse(directory, mine);
  for (let attempt = 1; ; attempt++) {
    const holder = livingBeside(directory, mine);
    if (holder) throw inUse(directory, holder);
    writeFileSync(file, '', { mode: 0o600 });
    const rival = livingBeside(directory, mine);
    if (!rival) break;
    rmSync(file, { force: true });
    if (attempt === attempts) throw inUse(directory, rival);
    pause(Math.random() * 50 * attempt); // it may have withdrawn, too: one of the two comes first
  }
  held.add(file);
  let released = false;
  return {
    release: () => {
      if (released) return;
      released = true;
      held.delete(file);
      rmSync(file, { force: true });
    },
  };
}

const inUse = (directory: string, { pid }: Holder) => new Error(`another host (process ${pid}) uses ${directory}`);

/** Another host that lives; the files of those that do not are removed. */
function livingBeside(directory: string, mine: Holder): Holder | undefined {
  for (const name of readdirSync(directory)) {
    const [, pid, startedAt] = /^lock\.(\d+)\.(\w+)$/.exec(name) ?? [];
    if (pid === undefined || startedAt === undefined || name === nameOf(mine)) continue;
    const holder = { pid: Number(pid), startedAt };
    if (isAlive(holder)) return holder;
    rmSync(join(directory, name), { force: true });
  }
  return undefined;
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

/** Milliseconds; nothing else of the host runs yet. */
const pause = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
