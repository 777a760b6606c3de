import { randomUUID } from 'node:crypto';
import type { Role } from '../../domain/command.ts';
import type { Ask } from '../../local/demo/client.ts';
import { documentOf, type Payload } from './contract.ts';
import type { Target } from './target.ts';

export type Input = Record<string, unknown>;
export const newKey = () => randomUUID();

const inTheZone = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' });
/** The legal date where the tenants are. */
export const today = () => inTheZone.format();
export const dayFromNow = (days: number) => inTheZone.format(Date.now() + days * 86_400_000);
/** A working day that is some weeks away. */
export const mondayFromNow = () =>
  dayFromNow([22, 21, 27, 26, 25, 24, 23][new Date(`${today()}T00:00:00Z`).getUTCDay()]!);

/** Sends one mutation; a refusal is an answer. */
export async function send(ask: Ask, mutation: string, input: Input): Promise<Payload> {
  const data = await ask(documentOf(mutation), { input: { idempotencyKey: newKey(), ...input } });
  return data['answer'] as Payload;
}

/** The same, for what must succeed. */
export async function sent(ask: Ask, mutation: string, input: Input): Promise<Payload> {
  const payload = await send(ask, mutation, input);
  if (payload.errors.length > 0) throw new Error(`${mutation} was refused: ${JSON.stringify(payload.errors)}`);
  return payload;
}

/** The people of one office: Ana leads, Ida investigates, Ben and Bob review, Sue supervises; Leo and Lea are its lawyers. */
export type Office = {
  sue: Ask;
  ana: Ask;
  ida: Ask;
  ben: Ask;
  leo: Ask;
  lea: Ask;
  tokens: Record<Person, string>;
  /** Their ids in the API. */
  officers: Record<Name, string>;
};
type Name = 'ana' | 'ida' | 'ben' | 'bob';
export type Person = 'sue' | 'ana' | 'ida' | 'ben' | 'leo' | 'lea';

export async function openOffice(target: Target, tenant = target.tenant): Promise<Office> {
  const run = randomUUID().slice(0, 8);
  const token = (name: string, ...roles: Role[]) => target.token(tenant, `${name}-${run}`, ...roles);
  const [sue, ana, ida, ben, leo, lea] = await Promise.all([
    token('sue', 'SUPERVISOR'),
    token('ana', 'CASE_OFFICER', 'INVESTIGATOR'),
    token('ida', 'INVESTIGATOR'),
    token('ben', 'REVIEWER'),
    token('leo', 'LEGAL_OFFICER'),
    token('lea', 'LEGAL_OFFICER'),
  ]);
  const tokens = { sue, ana, ida, ben, leo, lea };
  const people = Object.entries(tokens) as [Person, string][];
  const asks = Object.fromEntries(people.map(([name, its]) => [name, target.ask(its)])) as Record<Person, Ask>;
  const names: Name[] = ['ana', 'ida', 'ben', 'bob'];
  const ids = await Promise.all(names.map((name) => register(asks.sue, `${name}-${run}`)));
  const officers = Object.fromEntries(names.map((name, i) => [name, ids[i]!])) as Office['officers'];
  return { ...asks, tokens, officers };
}

export async function register(sue: Ask, subject: string, maxLoad = 1000): Promise<string> {
  const email = `${subject}@regulator.example`;
  const input = { officerId: subject, name: `Officer ${subject}`, email, region: 'JKT', maxLoad };
  return (await sent(sue, 'registerOfficer', input)).officer!.id;
}

export const aCase = {
  caseType: 'COMPLAINT',
  title: 'Unlicensed storage of chemicals',
  summary: 'A neighbour reports drums stored beside a school.',
  region: 'JKT',
};

/** Reached by mail, unless a scenario says otherwise. */
export const aParty = {
  role: 'SUBJECT',
  kind: 'ORGANISATION',
  name: 'PT Contoh Kimia',
  addressLines: ['Jalan Satu 1', 'Jakarta 10110'],
  email: 'office@contoh.example',
  serviceChannel: 'EMAIL',
};
export const byPost = { ...aParty, email: null, serviceChannel: 'POST' };

/** A case on its way, as its officers hold it: what the next command has to echo. */
export type Matter = { caseId: string; number: string; version: number; partyId: string; contraventionId: string };

export async function investigated({ ana, officers }: Office, party: Input = aParty): Promise<Matter> {
  const opened = await sent(ana, 'openCase', { ...aCase, leadOfficerId: officers.ana });
  const { id: caseId, number } = opened.case!;
  const withParty = await sent(ana, 'addParty', { caseId, expectedVersion: 1, ...party });
  const [partyId] = withParty.createdIds as [string];
  const recorded = await sent(ana, 'recordContravention', {
    caseId,
    expectedVersion: 2,
    provision: 'Hazardous Goods Act, section 12',
    date: '2026-06-30',
    partyIds: [partyId],
  });
  const [contraventionId] = recorded.createdIds as [string];
  const finding = { contraventionId, expectedVersion: 3, finding: 'SUBSTANTIATED' };
  const { appliedVersion } = await sent(ana, 'setContraventionFinding', finding);
  return { caseId, number, version: appliedVersion!, partyId, contraventionId };
}

/** The matter, after a command on its case. */
export async function on(ask: Ask, matter: Matter, mutation: string, input: Input): Promise<Matter> {
  const { caseId, version } = matter;
  const { appliedVersion } = await sent(ask, mutation, { caseId, expectedVersion: version, ...input });
  return { ...matter, version: appliedVersion! };
}

export async function underReview(office: Office, party?: Input): Promise<Matter> {
  return reviewed(office, await investigated(office, party));
}

/** Submitted, and Ben decides. */
export async function reviewed({ ana, sue, officers }: Office, matter: Matter): Promise<Matter> {
  const submitted = await on(ana, matter, 'submitForReview', { recommendation: 'Enforce.' });
  return on(sue, submitted, 'assignReviewer', { reviewerId: officers.ben });
}

export async function approved(office: Office, party?: Input): Promise<Matter> {
  return on(office.ben, await underReview(office, party), 'approveCase', { reason: 'The finding is well founded.' });
}

export type Enforced = Matter & { actionId: string; actionVersion: number };

/** An action is drafted on an approved case. */
export async function drafted({ ana }: Office, matter: Matter, type = 'COMPLIANCE_NOTICE'): Promise<Enforced> {
  const { caseId, version, partyId, contraventionId } = matter;
  const input = { caseId, expectedVersion: version, type, partyId, contraventionIds: [contraventionId] };
  const { action, appliedVersion } = await sent(ana, 'startEnforcement', input);
  return { ...matter, version: appliedVersion!, actionId: action!.id, actionVersion: action!.version };
}

/** The enforced case, after a command on its action. */
export async function onAction(ask: Ask, enforced: Enforced, mutation: string, input: Input = {}): Promise<Enforced> {
  const { actionId, actionVersion } = enforced;
  const { action, case: now } = await sent(ask, mutation, { actionId, expectedVersion: actionVersion, ...input });
  return { ...enforced, version: now!.version, actionVersion: action!.version };
}

export const issue = ({ sue }: Office, enforced: Enforced) => onAction(sue, enforced, 'issueEnforcementAction');
export const submit = ({ sue }: Office, enforced: Enforced) => onAction(sue, enforced, 'submitToRegistry');

/** So many at a time: the host answers them as it would answer many people. */
export async function each<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...list];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
