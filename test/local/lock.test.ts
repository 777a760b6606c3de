import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../local/lock.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'docket-lock-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const lockFile = () => join(directory, 'lock');

describe('the lock of a data directory', () => {
  it('is held by one host, and free after it', () => {
    const lock = takeLock(directory);
    expect(() => takeLock(directory)).toThrow(`another host (process ${process.pid})`);
    lock.release();
    takeLock(directory).release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is taken over from a process that is gone', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lockFile(), JSON.stringify({ pid, startedAt: '1' }));
    takeLock(directory);
    expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is taken over where another process has the number by now', () => {
    writeFileSync(lockFile(), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
    takeLock(directory);
    expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).not.toMatchObject({ startedAt: 'long ago' });
  });

  it('is released by its holder only', () => {
    const lock = takeLock(directory);
    writeFileSync(lockFile(), JSON.stringify({ pid: 1, startedAt: 'another' }));
    lock.release();
    expect(existsSync(lockFile())).toBe(true);
  });
});
