/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { newKey, startWorld, type World } from '../store/world.ts';
import { startHost, startIssuer, type Ask, type Host, type Reply, type TestIssuer } from './host.ts';

/** The API on a real socket, over a real store and engine, with a few officers at work. */
export type Desk = {
  world: World;
  host: Host;
  tokens: TestIssuer;
  ana: Ask;
  ben: Ask;
  sue: Ask;
  stop: () => Promise<void>;
};

export async function startDesk(): Promise<Desk> {
  const world = await startWorld();
  const tokens = await startIssuer();
  const host = await startHost(world.store, tokens);
  const [ana, ben, sue] = await Promise.all([
    host.as('ana', ['CASE_OFFICER', 'INVESTIGATOR']),
    host.as('ben', ['REVIEWER']),
    host.as('sue', ['SUPERVISOR']),
  ]);
  for (const subject of ['ana', 'ben', 'cat', 'dan', 'eve', 'sue']) await register(sue, subject);
  const stop = async () => {
    await host.stop();
    await world.stop();
  };
  return { world, host, tokens, ana, ben, sue, stop };
}

export const officerId = (subject: string) => Buffer.from(`Officer:${subject}`).toString('base64url');

export const errorFields = `errors { __typename code message path retry
  ... on VersionConflict { expected actual changedFields } ... on IllegalTransition { from allowed }
  ... on LimitReached { limit count } ... on UniqueViolation { field holder }
  ... on PreconditionFailed { name } ... on ReferenceInvalid { name } ... on ValidationFailed { rule } }`;
const caseFields = `case { id number status version } appliedVersion createdIds replayed ${errorFields}`;
const actionFields = `action { id status version notice { id status document { sha256 } } } ${caseFields}`;

const officerFields = `officer { id activeLoad version } appliedVersion replayed ${errorFields}`;
const onOfficers = ['registerOfficer', 'changeOfficerEmail', 'setOfficerLimit', 'setOfficerAbsence'];
const onActions = [
  'startEnforcement',
  'issueEnforcementAction',
  'serveNotice',
  'submitToRegistry',
  'withdrawEnforcementAction',
];

const onTasks = ['createTask', 'claimTask', 'assignTask', 'startTask', 'holdTask', 'completeTask', 'cancelTask'];
const holdFields = `hold { id status version } ${caseFields}`;
const taskFields = `task { id status version } ${caseFields}`;

/** Sends one mutation; the answer is its payload. */
export async function send(ask: Ask, name: string, input: object) {
  const reply = await sendRaw(ask, name, input);
  assert.equal(reply.errors, undefined, reply.text);
  return reply.data[name];
}

export const sendRaw = (ask: Ask, name: string, input: object): Promise<Reply> => {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const fields = onOfficers.includes(name)
    ? officerFields
    : onActions.includes(name)
      ? actionFields
      : onTasks.includes(name)
        ? taskFields
        : name.endsWith('Hold')
          ? holdFields
          : caseFields;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`;
  return ask(query, { input: { idempotencyKey: newKey().slice(0, 128), ...input } });
};

/** The same, for one that must succeed. */
export async function sent(ask: Ask, name: string, input: object) {
  const payload = await send(ask, name, input);
  assert.deepEqual(payload.errors, [], name);
  return payload;
}

export const register = (ask: Ask, subject: string, more: object = {}) =>
  sent(ask, 'registerOfficer', {
    officerId: subject,
    name: `Officer ${subject}`,
    email: `${subject}@regulator.example`,
    region: 'JKT',
    ...more,
  });

export const aCase = {
  caseType: 'COMPLAINT',
  title: 'Unlicensed storage',
  summary: 'Chemicals stored beside a school.',
  region: 'JKT',
};

export const open = async (ask: Ask, more: object = {}) => (await sent(ask, 'openCase', { ...aCase, ...more })).case;

export const aParty = {
  role: 'SUBJECT',
  kind: 'ORGANISATION',
  name: 'PT Contoh',
  addressLines: ['Jalan Satu 1', 'Jakarta'],
  serviceChannel: 'POST',
};

/** A case with a drafted action, by the shortest way there is. */
export async function enforced({ ana, ben, sue }: Desk) {
  const caseId: string = (await open(ana, { leadOfficerId: officerId('ana') })).id;
  const on = (expectedVersion: number, more: object) => ({ caseId, expectedVersion, ...more });
  const [partyId] = (await sent(ana, 'addParty', on(1, aParty))).createdIds as [string];
  const recorded = await sent(
    ana,
    'recordContravention',
    on(2, { provision: 'Act 12', date: '2026-01-15', partyIds: [] }),
  );
  const [contraventionId] = recorded.createdIds as [string];
  await sent(ana, 'setContraventionFinding', { contraventionId, expectedVersion: 3, finding: 'SUBSTANTIATED' });
  await sent(ana, 'submitForReview', on(4, { recommendation: 'Warn.' }));
  await sent(sue, 'assignReviewer', on(5, { reviewerId: officerId('ben') }));
  await sent(ben, 'approveCase', on(6, { reason: 'Agreed.' }));
  const made = await sent(
    ana,
    'startEnforcement',
    on(7, { type: 'WARNING', partyId, contraventionIds: [contraventionId] }),
  );
  return { caseId, actionId: made.action.id as string };
}
