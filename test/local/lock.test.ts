import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs, { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../local/lock.ts';

let directory: string;
const living: ChildProcess[] = [];
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'docket-lock-'))));
afterEach(() => {
  for (const process of living.splice(0)) process.kill();
  rmSync(directory, { recursive: true, force: true });
});

const place = (name: string) => writeFileSync(join(directory, name), '');
const names = () => readdirSync(directory);
const goneProcess = () => spawnSync(process.execPath, ['--version']).pid;

/** The name of the lock of a process that lives. */
function livingName(): string {
  const rival = spawn('sleep', ['60']);
  living.push(rival);
  const stat = readFileSync(`/proc/${rival.pid!}/stat`, 'utf8');
  return `lock.${rival.pid!}.${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!}`;
}

/** Something happens just before our own file is there, or goes. */
function before(act: 'writeFileSync' | 'rmSync', happens: () => void): void {
  const real = fs[act] as (...args: unknown[]) => void;
  const become = (then: (...args: unknown[]) => void) => {
    Object.assign(fs, { [act]: then });
    syncBuiltinESMExports();
  };
  become((...args) => {
    become(real);
    happens();
    real(...args);
  });
}

describe('the lock of a data directory', () => {
  it('is held by one host, and free after it', () => {
    const lock = takeLock(directory);
    expect(() => takeLock(directory)).toThrow(`another host (process ${process.pid})`);
    lock.release();
    takeLock(directory).release();
    expect(names()).toEqual([]);
  });

  it('is taken over from processes that are gone', () => {
    place(`lock.${goneProcess()}.1`);
    place(`lock.${goneProcess()}.2`);
    takeLock(directory);
    expect(names()).toEqual([expect.stringMatching(`^lock\\.${process.pid}\\.`)]);
  });

  it('is taken over where another process has the number by now', () => {
    place(`lock.${process.pid}.1`);
    takeLock(directory);
    expect(names()).toHaveLength(1);
    expect(names()).not.toContain(`lock.${process.pid}.1`);
  });

  it('is refused beside a host that lives, which keeps its own', () => {
    const rival = livingName();
    place(rival);
    expect(() => takeLock(directory)).toThrow(`uses ${directory}`);
    expect(names()).toEqual([rival]);
  });

  it('is not taken by two that take it over at the same time', () => {
    const rival = livingName();
    place(`lock.${goneProcess()}.1`);
    before('writeFileSync', () => place(rival));
    expect(() => takeLock(directory)).toThrow(`uses ${directory}`);
    expect(names()).toEqual([rival]);
  });

  it('is taken where the other one withdrew', () => {
    const rival = livingName();
    before('writeFileSync', () => place(rival));
    before('rmSync', () => fs.unlinkSync(join(directory, rival)));
    takeLock(directory);
    expect(names()).toEqual([expect.stringMatching(`^lock\\.${process.pid}\\.`)]);
  });

  it('cannot be damaged: what its file holds does not matter', () => {
    for (const damage of ['', 'null', '{}', '5']) {
      writeFileSync(join(directory, `lock.${goneProcess()}.1`), damage);
      writeFileSync(join(directory, 'lock'), damage);
      takeLock(directory).release();
    }
  });

  it('is released once, by its holder only', () => {
    const lock = takeLock(directory);
    lock.release();
    takeLock(directory);
    lock.release();
    expect(() => takeLock(directory)).toThrow('another host');
  });
});
