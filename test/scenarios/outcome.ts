import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Ask } from '../../local/demo/client.ts';
import type { Submission } from '../../local/registry/startRegistry.ts';
import type { Enforced, Matter } from './office.ts';
import type { Local, Target } from './target.ts';

export type ActionNow = {
  status: string;
  version: number;
  submissionNumber: number;
  registryNumber: string | null;
  registrationRefusal: string | null;
  notice: { status: string; failure: string | null; service: { method: string; evidence: string } | null } | null;
  case: { version: number; status: string; counts: { openEffects: number } };
};

const actionNow = `query ($id: ID!) { node(id: $id) { ... on EnforcementAction {
  status version submissionNumber registryNumber registrationRefusal
  notice { status failure service { method evidence } } case { version status counts { openEffects } } } } }`;

export const patienceMs = 40_000;

/** Looks until the workflows have brought the action where it should be. */
export async function until(
  ask: Ask,
  enforced: Enforced,
  there: (now: ActionNow) => boolean,
): Promise<Enforced & { now: ActionNow }> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const now = (await ask(actionNow, { id: enforced.actionId }))['node'] as ActionNow;
    if (there(now)) return { ...enforced, version: now.case.version, actionVersion: now.version, now };
    if (Date.now() > deadline) throw new Error(`it is still ${JSON.stringify(now)}`);
    await pause(50);
  }
}

export const noticeIs = (status: string) => (now: ActionNow) => now.notice?.status === status;
export const actionIs = (status: string) => (now: ActionNow) => now.status === status;

export type TimelineEvent = { seq: number; type: string; actorId: string; hash: string; previousHash: string };

export async function timelineOf(ask: Ask, caseId: string): Promise<TimelineEvent[]> {
  const query = `query ($id: ID!) { case(id: $id) { timeline(first: 100) {
    edges { node { seq type actorId hash previousHash } } } } }`;
  const found = (await ask(query, { id: caseId }))['case'] as { timeline: { edges: { node: TimelineEvent }[] } };
  return found.timeline.edges.map(({ node }) => node);
}

/** The chain as the API shows it is contiguous and linked; where the table is at hand, the command verifies it whole. */
export async function auditVerifies(target: Target, ask: Ask, { caseId, number }: Pick<Matter, 'caseId' | 'number'>) {
  const events = await timelineOf(ask, caseId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.map(({ previousHash }) => previousHash)).toEqual(['', ...events.map(({ hash }) => hash)].slice(0, -1));
  if (!target.local) return events;
  const { code, output } = await verifyAudit(target.local, number);
  expect(output).toContain(`verifies: ${events.length} events`);
  expect(code).toBe(0);
  return events;
}

/** The command that an auditor runs. */
export async function verifyAudit({ directory }: Local, number: string): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DOCKET_DATA: directory };
  const run = promisify(execFile)(process.execPath, ['dist/verifyAudit.mjs', '--case', number], { env });
  return run.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, output: error.stderr }),
  );
}

/** The mails about a case that the mailbox has taken in. */
export function mailsAbout({ directory }: Local, number: string): string[] {
  const folder = join(directory, 'mailbox');
  const mails = readdirSync(folder).filter((file) => file.endsWith('.eml'));
  return mails
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((mail) => mail.includes(`in case ${number}`));
}

type RegistryLine = { is: string; key?: string; submission?: Submission; answer?: Submission['answer'] };

/** What the registry has taken in about a case, each with its last answer, oldest first. */
export function submissionsAbout({ directory }: Local, number: string) {
  const text = readFileSync(join(directory, 'registry', 'registry.jsonl'), 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RegistryLine);
  const taken = lines.flatMap(({ submission }) => (submission?.request.caseNumber === number ? [submission] : []));
  return taken.map(({ key, request, answer }) => {
    const last = lines.findLast((line) => line.is === 'answered' && line.key === key)?.answer ?? answer;
    return { submissionNumber: request.submissionNumber, ...last };
  });
}

/** How a party misbehaves from now on; it replaces what was set before. */
export async function faults(local: Local, party: 'registry' | 'mailbox', wanted: object): Promise<void> {
  const response = await fetch(`${local.parts[party]}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  if (!response.ok) throw new Error(`the fault was not taken: ${await response.text()}`);
}
