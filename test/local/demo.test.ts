import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'docket-told-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('the demo tells the whole life of a case, on a host of its own, and shows what left the house', async () => {
  const env = { ...process.env, DOCKET_DATA: directory };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/demo.mjs'], { env });
  const shown = (what: string) => new RegExp(`^  ${what} +(\\S+)$`, 'm').exec(stdout)?.[1];
  expect(stdout).toContain('ENFORCEMENT -> REGISTERED');
  expect(readFileSync(shown('notice \\(PDF\\)')!).subarray(0, 5).toString()).toBe('%PDF-');
  expect(readFileSync(shown('mail')!, 'utf8')).toContain('application/pdf');
  expect(shown('registry number')).toBeTruthy();
}, 120_000);
