import { setTimeout as pause } from 'node:timers/promises';
import type { Role } from '../../domain/command.ts';
import type { Ask } from './client.ts';
import { must, send } from './commands.ts';

export type Story = {
  /** Makes this telling's officers, references and keys its own; the same run told again is the same commands. */
  run: string;
  as: (actor: string, ...roles: Role[]) => Promise<Ask>;
  say: (text: string) => void;
  /** How long the workflows may take, in milliseconds. */
  patienceMs: number;
};

export type Told = { caseId: string; number: string; actionId: string; registryNumber: string; sha256: string };

/** The whole life of a case, through the public endpoint only: from opening to registration and closing. */
export async function tell({ run, as, say, patienceMs }: Story): Promise<Told> {
  const name = (who: string) => `${who}-${run}`;
  const key = (step: string) => `demo-${run}-${step}`.padEnd(16, '-');
  const sue = await as(name('sue'), 'SUPERVISOR');
  const ana = await as(name('ana'), 'CASE_OFFICER', 'INVESTIGATOR');
  const ida = await as(name('ida'), 'INVESTIGATOR');
  const ben = await as(name('ben'), 'REVIEWER');

  const officers: Record<string, string> = {};
  for (const who of ['ana', 'ida', 'ben']) {
    const { officer } = await must(sue, 'registerOfficer', {
      idempotencyKey: key(`officer-${who}`),
      officerId: name(who),
      name: `${who[0]!.toUpperCase()}${who.slice(1)} of ${run}`,
      email: `${name(who)}@regulator.example`,
      region: 'JKT',
    });
    officers[who] = officer!.id;
  }
  say('Sue, a supervisor, registered the officers Ana, Ida and Ben.');

  const opened = await must(ana, 'openCase', {
    idempotencyKey: key('open'),
    caseType: 'COMPLAINT',
    title: 'Unlicensed storage of chemicals',
    summary: 'A neighbour reports drums stored beside a school.',
    region: 'JKT',
    externalReference: { sourceSystem: 'INTAKE', value: `REG-${run}` },
    leadOfficerId: officers['ana'],
  });
  const caseId = opened.case!.id;
  say(`Ana opened case ${opened.case!.number} and leads it.`);

  const party = await must(ana, 'addParty', {
    idempotencyKey: key('party'),
    caseId,
    expectedVersion: 1,
    role: 'SUBJECT',
    kind: 'ORGANISATION',
    name: 'PT Contoh Kimia',
    addressLines: ['Jalan Satu 1', 'Jakarta 10110'],
    email: `office-${run}@contoh.example`,
    serviceChannel: 'EMAIL',
  });
  const partyId = await childId(ana, caseId, 'parties');
  say(`Ana added the subject; the case is now at version ${party.appliedVersion}.`);

  const stale = await send(ana, 'addParty', {
    idempotencyKey: key('stale'),
    caseId,
    expectedVersion: 1,
    role: 'WITNESS',
    kind: 'PERSON',
    name: 'A neighbour',
    addressLines: ['Jalan Satu 2'],
    serviceChannel: 'POST',
  });
  const [conflict] = stale.errors;
  if (conflict?.code !== 'VERSION_CONFLICT') throw new Error('a stale version was not refused');
  say(`A second window still showed version ${conflict.expected}: its change was refused, since ${conflict.message}.`);

  const recorded = await must(ana, 'recordContravention', {
    idempotencyKey: key('contravention'),
    caseId,
    expectedVersion: party.appliedVersion,
    provision: 'Hazardous Goods Act, section 12',
    date: '2026-06-30',
    partyIds: [partyId],
  });
  const contraventionId = await childId(ana, caseId, 'contraventions');
  await must(ana, 'addInvestigator', { idempotencyKey: key('investigator'), caseId, officerId: officers['ida'] });
  const found = await must(ida, 'setContraventionFinding', {
    idempotencyKey: key('finding'),
    contraventionId,
    expectedVersion: recorded.appliedVersion,
    finding: 'SUBSTANTIATED',
  });
  say('Ida joined as investigator and found the contravention substantiated.');

  const submitted = await must(ana, 'submitForReview', {
    idempotencyKey: key('submit'),
    caseId,
    expectedVersion: found.appliedVersion,
    recommendation: 'A compliance notice.',
  });
  const assigned = await must(ben, 'assignReviewer', {
    idempotencyKey: key('reviewer'),
    caseId,
    expectedVersion: submitted.appliedVersion,
    reviewerId: officers['ben'],
  });
  const approval = {
    idempotencyKey: key('approve'),
    caseId,
    expectedVersion: assigned.appliedVersion,
    reason: 'The finding is well founded.',
  };
  const approved = await must(ben, 'approveCase', approval);
  const again = await must(ben, 'approveCase', approval);
  if (!again.replayed || again.appliedVersion !== approved.appliedVersion)
    throw new Error('the repeat was not replayed');
  say('Ana submitted the case for review; Ben, the reviewer, approved it.');
  say(
    `Ben's browser sent the approval twice: the second was answered with the first (version ${again.appliedVersion}).`,
  );

  const started = await must(ana, 'startEnforcement', {
    idempotencyKey: key('enforce'),
    caseId,
    expectedVersion: approved.appliedVersion,
    type: 'COMPLIANCE_NOTICE',
    partyId,
    contraventionIds: [contraventionId],
  });
  const actionId = started.action!.id;
  const issued = await must(sue, 'issueEnforcementAction', {
    idempotencyKey: key('issue'),
    actionId,
    expectedVersion: started.action!.version,
    complyBy: '2099-12-31',
  });
  say('Ana started enforcement and Sue issued a compliance notice; a workflow renders and mails it.');

  const served = await until(sue, actionId, patienceMs, ({ notice }) => notice?.status === 'SERVED');
  say(`The notice is served by mail on ${served.notice!.service!.date}.`);
  await must(sue, 'submitToRegistry', {
    idempotencyKey: key('register'),
    actionId,
    expectedVersion: issued.action!.version,
  });
  say('Sue submitted the action to the public registry, which answers in its own time.');
  const registered = await until(sue, actionId, patienceMs, ({ status }) => status === 'REGISTERED');
  say(`The registry entered it as ${registered.registryNumber}.`);

  const closed = await must(ana, 'closeCase', {
    idempotencyKey: key('close'),
    caseId,
    expectedVersion: registered.case.version,
    outcome: 'ENFORCED',
    reason: 'Registered; nothing is owed.',
  });
  if (closed.case!.status !== 'CLOSED') throw new Error('the case is not closed');
  say(`Ana closed case ${closed.case!.number}.`);
  const { number } = closed.case!;
  return {
    caseId,
    number,
    actionId,
    registryNumber: registered.registryNumber!,
    sha256: served.notice!.document!.sha256,
  };
}

async function childId(ask: Ask, caseId: string, kind: 'parties' | 'contraventions'): Promise<string> {
  const data = await ask(`query ($id: ID!) { case(id: $id) { ${kind}(first: 1) { edges { node { id } } } } }`, {
    id: caseId,
  });
  const found = data['case'] as Record<string, { edges: { node: { id: string } }[] }>;
  return found[kind]!.edges[0]!.node.id;
}

type ActionNow = {
  status: string;
  registryNumber: string | null;
  notice: { status: string; document: { sha256: string } | null; service: { date: string } | null } | null;
  case: { version: number };
};

/** Looks again until the workflows have brought the action where it should be. */
async function until(
  ask: Ask,
  id: string,
  patienceMs: number,
  there: (action: ActionNow) => boolean,
): Promise<ActionNow> {
  const deadline = Date.now() + patienceMs;
  const query = `query ($id: ID!) { node(id: $id) { ... on EnforcementAction {
    status registryNumber notice { status document { sha256 } service { date } } case { version } } } }`;
  for (;;) {
    const action = (await ask(query, { id }))['node'] as ActionNow;
    if (there(action)) return action;
    if (Date.now() > deadline)
      throw new Error(`the action is still ${action.status}, its notice ${action.notice?.status ?? 'not there'}`);
    await pause(200);
  }
}
