import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';
import { commands } from '../../domain/catalogue.ts';
import { publicCodes } from '../../resolvers/masking.ts';
import { retryAdvice } from '../../resolvers/userError.ts';
import { decided, largest } from '../../docs/representative.ts';

const page = (name: string) => readFile(join(import.meta.dirname, '../../docs', name), 'utf8');

describe('the catalogue', () => {
  it('is what the code says', { timeout: 120_000 }, async () => {
    await promisify(execFile)(process.execPath, ['--import', 'tsx', 'docs/catalogue.ts', '--check']);
  });

  it('has every command, each with its invariant', async () => {
    const text = await page('commands.md');
    for (const { type, invariant } of commands.values()) {
      assert.ok(text.includes(`\n## ${type}\n`), type);
      assert.ok(invariant.length > 0 && invariant.every((line) => text.includes(line)), type);
    }
  });

  it('has every code that a client can meet', async () => {
    const text = await page('errors.md');
    for (const code of [...Object.keys(retryAdvice), ...publicCodes, 'INTERNAL'])
      assert.ok(text.includes(`| \`${code}\` |`), code);
  });

  for (const [name, scene] of Object.entries(largest))
    it(`sends at most a hundred writes for ${name}, also at its largest`, () => {
      assert.ok(decided(scene!).writes.length <= 100);
    });
});
