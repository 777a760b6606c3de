import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { Role } from '../../domain/command.ts';
import { asPerson } from '../../local/demo/client.ts';
import { tell, type Told } from '../../local/demo/story.ts';
import { mintToken, secretsIn } from '../../local/issuer.ts';
import { freePort, startHostProcess } from './runningHost.ts';

/** How many lives of a case are told, each with one kill at a moment of its own; `npm run test:kill` takes ten. */
const kills = Number(process.env['DOCKET_KILLS'] ?? 2);
const seed = Number(process.env['DOCKET_KILL_SEED'] ?? Date.now() % 1_000_000);
const directory = mkdtempSync(join(tmpdir(), 'docket-kill-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const fractions = (function* (state: number) {
  for (;;) yield (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647; // Park and Miller
})(seed + 1);

describe('the host, killed outright', () => {
  it(
    `loses nothing and repeats nothing over ${kills} kills`,
    async () => {
      const port = await freePort();
      let host = await startHostProcess(directory, port);
      const began = performance.now();
      const told: Told[] = [await life(host.url, `${seed}-0`)];
      const lifeMs = performance.now() - began; // how long one takes that nobody disturbs: a kill falls anywhere into it
      for (let n = 1, tries = 1; n <= kills; tries++) {
        let over = false;
        const story = life(host.url, `${seed}-${tries}`).finally(() => (over = true));
        const moment = Math.floor(fractions.next().value * lifeMs);
        await pause(moment);
        const late = over; // a life that was over before is told, and counts for no kill
        await host.kill();
        host = await startHostProcess(directory, port);
        console.log(
          `kill ${n} of ${kills}, seed ${seed}: at ${moment} of ${Math.floor(lifeMs)} ms${late ? ', too late' : ''}`,
        );
        told.push(await story);
        if (!late) n++;
      }
      for (const { number } of told) expect(auditOf(number)).toContain('verifies');
      expect(await host.stop()).toBe(0);

      expect(new Set(told.map(({ registryNumber }) => registryNumber)).size).toBe(told.length);
      expect(submissions()).toHaveLength(told.length);
      for (const { number } of told) expect(mailsAbout(number)).toHaveLength(1);
      await expect.poll(() => processesOn(directory), { timeout: 5_000 }).toEqual([]); // a shell takes an instant to end
    },
    (kills + 1) * 90_000,
  );
});

async function life(url: string, run: string): Promise<Told> {
  const secrets = await secretsIn(directory);
  const as = async (actor: string, ...roles: Role[]) =>
    asPerson(url, await mintToken(secrets, { tenant: 'demo', actor, roles, hours: 1 }));
  return tell({ run, as, say: () => undefined, patienceMs: 150_000 });
}

const auditOf = (number: string) =>
  execFileSync(process.execPath, ['dist/verifyAudit.mjs', '--case', number], {
    env: { ...process.env, DOCKET_DATA: directory },
    encoding: 'utf8',
  });

/** The registry's own log: one line per thing that happened to a submission; distinct keys are submissions. */
function submissions(): string[] {
  const folder = join(directory, 'registry');
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));
  const keys = lines.map((line) => (JSON.parse(line) as { key?: string }).key).filter((key) => key !== undefined);
  return [...new Set(keys)];
}

function mailsAbout(number: string): string[] {
  const folder = join(directory, 'mailbox');
  const mails = readdirSync(folder).filter((file) => file.endsWith('.eml'));
  return mails.filter((file) => readFileSync(join(folder, file), 'utf8').includes(`in case ${number}`));
}

const processesOn = (data: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(data) && !line.startsWith('ps '));
