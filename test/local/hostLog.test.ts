import { mkdirSync, mkdtempSync, readFileSync, rmSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostLog } from '../../local/hostLog.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'docket-log-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const file = () => join(directory, 'host.log');
const written = () => readFileSync(file(), 'utf8').trim().split('\n');
const heard = (stream: PassThrough) => ((stream.read() as Buffer | null) ?? '').toString();

describe('the log of the host', () => {
  it('is a line of JSON per entry, in order; alarms are printed, too', async () => {
    const errors = new PassThrough();
    const log = hostLog(file(), false, errors);
    for (let n = 0; n < 100; n++) log({ n });
    log({ alarm: 'look here' });
    await expect.poll(() => written().length).toBe(101);
    expect(written().map((line) => (JSON.parse(line) as { n?: number }).n)).toEqual([...Array(100).keys(), undefined]);
    expect(heard(errors)).toMatch(/^{"at":"[^"]+","alarm":"look here"}\n$/);
  });

  it('is missing where it cannot be written, which is said once, and goes on as soon as it can', async () => {
    const errors = new PassThrough();
    mkdirSync(file()); // as good as a full disk: it cannot be appended to
    const log = hostLog(file(), false, errors);
    let said = '';
    for (let n = 0; n < 3; n++) {
      log({ n });
      await expect.poll(() => (said += heard(errors))).toContain('host.log is not written');
    }
    expect(said.match(/is not written/g)).toHaveLength(1);
    rmdirSync(file());
    log({ n: 'again' });
    await expect.poll(() => written().at(-1)).toContain('"again"');
  });

  it('survives that nobody reads standard error any more', async () => {
    const errors = new PassThrough();
    const log = hostLog(file(), true, errors);
    errors.destroy(new Error('EPIPE'));
    log({ alarm: 'nobody hears' });
    log({ n: 2 });
    await expect.poll(() => written().length).toBe(2);
  });
});
