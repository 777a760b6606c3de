import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../domain/command.ts';
import { documentOf, mutationNames, type Payload } from './contract.ts';
import {
  drafted,
  each,
  approved,
  byPost,
  issue,
  newKey,
  openOffice,
  aCase,
  sent,
  type Enforced,
  type Office,
} from './office.ts';
import { noticeIs, until } from './outcome.ts';
import { rows } from './rows.ts';
import { post, startTarget, type Reply, type Target } from './target.ts';

let target: Target;
let office: Office;
let enforced: Enforced;
let noticeId: string;
let reviewId: string;
const reference = { sourceSystem: 'INTAKE', value: `REG-${newKey()}` };
const key = newKey();

/** A supervisor and an auditor of the other tenant, who there see everything; and a namesake of the case's lead. */
let strangers: Record<string, string>;

beforeAll(async () => {
  target = await startTarget();
  office = await openOffice(target);
  await sent(office.ana, 'openCase', { ...aCase, idempotencyKey: key, externalReference: reference });
  const issued = await issue(office, await drafted(office, await approved(office, byPost)));
  enforced = await until(office.sue, issued, noticeIs('RENDERED'));
  const { data } = await asked(office.tokens.sue, childrenOf, { id: enforced.caseId });
  const { notices, reviews } = data!['case'] as Record<string, { edges: { node: { id: string } }[] }>;
  [noticeId, reviewId] = [notices!.edges[0]!.node.id, reviews!.edges[0]!.node.id];
  const of = (actor: string, ...held: Role[]) => target.token(target.otherTenant, actor, ...held);
  const namesake = (
    JSON.parse(Buffer.from(office.tokens.sue.split('.')[1]!, 'base64url').toString()) as { sub: string }
  ).sub;
  strangers = {
    supervisor: await of(`sue-${newKey()}`, 'SUPERVISOR'),
    auditor: await of(`ada-${newKey()}`, 'AUDITOR'),
    namesake: await of(namesake, 'SUPERVISOR', 'LEGAL_OFFICER'),
  };
}, 60_000);
afterAll(() => target?.stop());

const childrenOf = `query ($id: ID!) { case(id: $id) {
  notices(first: 1) { edges { node { id } } } reviews(first: 1) { edges { node { id } } } } }`;

const asked = (token: string, query: string, variables: object): Promise<Reply> =>
  post(target.url, token, query, variables);

const ids = (): string[] => [
  ...[enforced.caseId, enforced.partyId, enforced.contraventionId, enforced.actionId, noticeId, reviewId],
  ...Object.values(office.officers),
];

describe('what one tenant made', () => {
  it('is there for itself', async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const { data } = await asked(office.tokens.sue, query, { ids: ids() });
    expect(data!['nodes']).toEqual(ids().map((id) => ({ id })));
  });

  it('is absent for another by every id', async () => {
    const query = `query ($ids: [ID!]!, $case: ID!, $officer: ID!) {
      nodes(ids: $ids) { id } node(id: $case) { id } case(id: $case) { id } officer(id: $officer) { id } }`;
    for (const [who, token] of Object.entries(strangers)) {
      const variables = { ids: ids(), case: enforced.caseId, officer: office.officers.ana };
      const { data, errors } = await asked(token, query, variables);
      expect(errors, who).toEqual([]);
      expect(data, who).toEqual({ nodes: ids().map(() => null), node: null, case: null, officer: null });
    }
  });

  it('is absent for another by number, by reference and by key', async () => {
    const query = `query ($number: String!, $system: String!, $value: String!, $key: IdempotencyKey!) {
      caseByNumber(number: $number) { id } caseByExternalReference(sourceSystem: $system, value: $value) { id }
      commandRun(idempotencyKey: $key) { command } }`;
    const variables = { number: enforced.number, system: reference.sourceSystem, value: reference.value, key };
    const own = await asked(office.tokens.sue, query, variables);
    expect(own.data).toMatchObject({ caseByNumber: { id: enforced.caseId }, caseByExternalReference: {} });
    for (const [who, token] of Object.entries(strangers)) {
      const { data, errors } = await asked(token, who === 'auditor' ? withoutKey(query) : query, variables);
      expect(errors, who).toEqual([]);
      for (const [field, value] of Object.entries(data!)) expect(value, `${who}: ${field}`).toBeNull();
    }
  });

  /** What a key has done is for those who send commands. */
  const withoutKey = (query: string) => query.replace(/commandRun[^}]*\}/, '').replace(', $key: IdempotencyKey!', '');

  it('is in none of the lists and counts of another, nor behind a cursor', async () => {
    const query = `query ($lead: ID!, $after: Cursor) {
      byLead: cases(filter: { leadOfficerId: $lead }) { edges { node { id } } }
      byStatus: cases(filter: { status: OPEN }, first: 1, after: $after) { edges { node { id } } pageInfo { endCursor } }
      byRegion: cases(filter: { region: "JKT" }) { edges { node { id } } }
      tasks(filter: { teamId: "JKT" }) { edges { node { id } } }
      officers { edges { node { id } } } openCaseCounts(regions: ["JKT"]) { count } }`;
    const own = await asked(office.tokens.sue, query, { lead: office.officers.ana });
    const { byStatus, openCaseCounts } = own.data as {
      byStatus: { pageInfo: { endCursor: string } };
      openCaseCounts: { count: number }[];
    };
    expect(openCaseCounts[0]!.count).toBeGreaterThan(0);
    for (const token of Object.values(strangers)) {
      const { data } = await asked(token, query, { lead: office.officers.ana });
      const none = { edges: [] };
      expect(data).toMatchObject({
        byLead: none,
        byStatus: none,
        byRegion: none,
        tasks: none,
        openCaseCounts: [{ count: 0 }],
      });
      const { errors } = await asked(token, query, { lead: office.officers.ana, after: byStatus.pageInfo.endCursor });
      expect(errors[0]!.extensions.code).toBe('BAD_CURSOR');
    }
  });

  it('is not found by any mutation of another, and a key of one tenant means nothing in the other', async () => {
    const existing = mutationNames.filter((name) => name in rows && name !== 'registerOfficer'); // that one makes its own
    await each(existing, async (mutation) => {
      const input: Record<string, unknown> = { idempotencyKey: newKey(), ...(await rows[mutation]!.good(office)) };
      const { text, data, errors } = await asked(strangers['namesake']!, documentOf(mutation), { input });
      expect(errors, text).toEqual([]);
      const { errors: refusals, case: shown, officer } = data!['answer'] as Payload;
      expect(['NOT_FOUND', 'REFERENCE_INVALID'], `${mutation}: ${text}`).toContain(refusals[0]?.code);
      expect([shown ?? null, officer ?? null], mutation).toEqual([null, null]);
      const { text: own } = await asked(office.tokens[rows[mutation]!.by], documentOf(mutation), { input });
      expect(own, `${mutation} by its own tenant, with the same key`).toContain('"errors":[]');
    });
  }, 120_000);
});

describe('a list that is asked for by an empty name', () => {
  it('is not every list', async () => {
    const { data } = await asked(
      office.tokens.sue,
      'query { cases(filter: { leadOfficerId: "", status: OPEN }) { edges { cursor } } }',
      {},
    );
    expect(data!['cases']).toEqual({ edges: [] });
    const { errors } = await asked(
      office.tokens.sue,
      'query { cases(filter: { region: "", status: OPEN }) { edges { cursor } } }',
      {},
    );
    expect(errors[0]!.extensions.code).toBe('BAD_USER_INPUT');
  });
});
