/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { isInputObjectType, isNonNullType, type GraphQLArgument, type GraphQLInputType } from 'graphql';
import { isEnumType, isListType } from 'graphql';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { roles, type Role } from '../../domain/command.ts';
import type { OfficerId } from '../../domain/ids.ts';
import { permits } from '../../domain/policy.ts';
import { allowedBy } from '../../resolvers/access.ts';
import { nodeId } from '../../resolvers/nodeId.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { aParty, officerId, open, send, sent, startDesk, type Desk } from './desk.ts';
import type { Ask } from './host.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

describe('the door of every root field', () => {
  const schema = executableSchema();
  const people = roles.filter((role) => role !== 'SERVICE');
  const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ kind: type.name, field })),
  );

  /** The smallest value of a type: it need not mean anything, the door is before the meaning. */
  const valueOf = (type: GraphQLInputType): string => {
    if (isNonNullType(type)) return valueOf(type.ofType);
    if (isListType(type)) return '[]';
    if (isEnumType(type)) return type.getValues()[0]!.name;
    if (isInputObjectType(type)) return `{ ${argsOf(Object.values(type.getFields()))} }`;
    return (
      {
        Int: '1',
        Boolean: 'true',
        IdempotencyKey: '"k2345678901234567890"',
        LocalDate: '"2026-01-01"',
        MinorUnits: '1',
      }[type.name] ?? '"x"'
    );
  };
  const argsOf = (args: readonly Pick<GraphQLArgument, 'name' | 'type' | 'defaultValue'>[]) =>
    args
      .filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
      .map(({ name, type }) => `${name}: ${valueOf(type)}`)
      .join(' ');

  for (const role of people)
    it(`opens to ${role} exactly where the SDL says so`, async () => {
      const ask = await desk.host.as('someone', [role]);
      for (const { kind, field } of fields) {
        const args = argsOf(field.args);
        const query = `${kind.toLowerCase()} { ${field.name}${args && `(${args})`} { __typename } }`;
        const { errors } = await ask(query);
        const forbidden = errors?.some((error) => error.extensions['code'] === 'FORBIDDEN') ?? false;
        const allowed = allowedBy(schema, field)!.some((permission) =>
          permits(permission, { id: 'x' as OfficerId, roles: [role] }),
        );
        assert.equal(forbidden, !allowed, `${role} ${field.name}: ${JSON.stringify(errors)}`);
        assert.ok(
          !errors?.some((error) => error.extensions['code'] === 'INTERNAL'),
          `${field.name} ${JSON.stringify(errors)}`,
        );
      }
    });
});

describe('a restricted case', () => {
  let paths: [string, string][];
  let ids: { caseId: string; number: string };

  beforeAll(async () => {
    const { sue, ana } = desk;
    const restricted = await open(sue, {
      classification: 'RESTRICTED',
      leadOfficerId: officerId('ana'),
      region: 'HIDDEN',
      externalReference: { sourceSystem: 'PORTAL', value: 'SECRET-1' },
    });
    const caseId: string = restricted.id;
    const party = await sent(ana, 'addParty', { caseId, expectedVersion: 1, ...aParty });
    const contravention = await sent(ana, 'recordContravention', {
      caseId,
      expectedVersion: 2,
      provision: 'Act 12',
      date: '2026-01-15',
      partyIds: [],
    });
    await sent(sue, 'addInvestigator', { caseId, officerId: officerId('cat') });
    ids = { caseId, number: restricted.number };
    const one = (field: string, args: string) => `{ it: ${field}(${args}) { id } }`;
    paths = [
      ['case', one('case', `id: "${caseId}"`)],
      ['node', one('node', `id: "${caseId}"`)],
      ['nodes', `{ it: nodes(ids: ["${caseId}"]) { id } }`],
      ['caseByNumber', one('caseByNumber', `number: "${restricted.number}"`)],
      ['caseByExternalReference', one('caseByExternalReference', 'sourceSystem: "PORTAL", value: "secret-1"')],
      ['a party', one('node', `id: "${party.createdIds[0]}"`)],
      ['a contravention', one('node', `id: "${contravention.createdIds[0]}"`)],
      ['cases by lead', `{ it: cases(filter: { leadOfficerId: "${officerId('ana')}" }) { edges { node { id } } } }`],
      ['cases by region', '{ it: cases(filter: { region: "HIDDEN" }) { edges { node { id } } } }'],
      [
        'cases by status',
        '{ it: cases(filter: { status: OPEN, classification: RESTRICTED }, first: 100) { edges { node { id } } } }',
      ],
    ];
  });

  const saw = (it: unknown) => /"id":"[^"]/.test(JSON.stringify(it));
  const look = async (ask: Ask, expected: boolean) => {
    for (const [path, query] of paths) {
      const { data, errors } = await ask(query);
      assert.equal(errors, undefined, path);
      assert.equal(saw(data), expected, `${path}: ${JSON.stringify(data)}`);
    }
  };

  const viewers: [string, string, Role[], boolean][] = [
    ['its lead', 'ana', ['CASE_OFFICER'], true],
    ['an investigator of it', 'cat', ['INVESTIGATOR'], true],
    ['a supervisor', 'zoe', ['SUPERVISOR'], true],
    ['a legal officer', 'leo', ['LEGAL_OFFICER'], true],
    ['an auditor', 'aud', ['AUDITOR'], true],
    ['another case officer', 'dan', ['CASE_OFFICER'], false],
    ['an investigator of other cases', 'eve', ['INVESTIGATOR'], false],
    ['a reviewer of other cases', 'ben', ['REVIEWER'], false],
    ['a records manager', 'rec', ['RECORDS_MANAGER'], false],
  ];
  for (const [who, subject, theirs, seen] of viewers)
    it(`is ${seen ? 'seen' : 'absent'} on every path for ${who}`, async () =>
      look(await desk.host.as(subject, theirs), seen));

  it('is absent on every path for a supervisor of another tenant', async () =>
    look(await desk.host.as('sue', ['SUPERVISOR'], { tenant: 'other' }), false));

  it('answers a command of who may not see it as if it were absent', async () => {
    const dan = await desk.host.as('dan', ['CASE_OFFICER', 'SUPERVISOR', 'REVIEWER'], { tenant: 'other' });
    const eve = await desk.host.as('eve', ['CASE_OFFICER']);
    for (const ask of [dan, eve]) {
      const hidden = await send(ask, 'addParty', { caseId: ids.caseId, expectedVersion: 3, ...aParty });
      const absent = await send(ask, 'addParty', {
        caseId: nodeId('Case', 'nosuchcase'),
        expectedVersion: 3,
        ...aParty,
      });
      assert.deepEqual(hidden, absent);
      assert.deepEqual([hidden.case, hidden.errors[0].code], [null, 'NOT_FOUND']);
    }
  });

  it('is no longer seen after a replay of who was taken off it', async () => {
    const cat = await desk.host.as('cat', ['INVESTIGATOR']);
    const input = { idempotencyKey: 'while-on-the-case-01', caseId: ids.caseId, expectedVersion: 3, ...aParty };
    assert.equal((await sent(cat, 'addParty', input)).case.id, ids.caseId);
    await sent(desk.sue, 'removeInvestigator', {
      caseId: ids.caseId,
      officerId: officerId('cat'),
      reason: 'Elsewhere.',
    });
    const replay = await send(cat, 'addParty', input);
    assert.deepEqual([replay.replayed, replay.case, replay.appliedVersion], [true, null, 4]);
    await look(cat, false);
  });
});

describe('available actions', () => {
  it('say no where the command says no, and yes where it is not refused for role or status', async () => {
    const { ana, sue } = desk;
    const made = await open(sue, { leadOfficerId: officerId('ana') });
    const query = 'query ($id: ID!) { case(id: $id) { availableActions { command allowed refusal reason } } }';
    const inputs: Record<string, object> = {
      addInvestigator: { officerId: officerId('dan') },
      assignReviewer: { expectedVersion: 1, reviewerId: officerId('ben') },
      withdrawReview: { expectedVersion: 1, reason: 'x' },
      submitForReview: { expectedVersion: 1, recommendation: 'x' },
      approveCase: { expectedVersion: 1, reason: 'x' },
      closeCase: { expectedVersion: 1, reason: 'x' },
    };
    const people: [string, Ask][] = [
      ['ana', ana],
      ['sue', sue],
      ['dan', await desk.host.as('dan', ['REVIEWER'])],
      ['aud', await desk.host.as('aud', ['AUDITOR'])],
    ];
    for (const [who, ask] of people) {
      const { data } = await ask(query, { id: made.id });
      for (const { command, allowed, refusal } of data.case.availableActions) {
        if (!inputs[command]) continue;
        const input = { idempotencyKey: `try-${who}-${command}-0001`, caseId: made.id, ...inputs[command] };
        const type = `${command[0].toUpperCase()}${command.slice(1)}Input`;
        const reply = await ask(`mutation ($i: ${type}!) { it: ${command}(input: $i) { errors { code } } }`, {
          i: input,
        });
        const code = reply.errors ? 'NOT_PERMITTED' : reply.data.it.errors[0]?.code;
        if (!allowed) assert.equal(code, refusal, `${who} ${command}`);
        else
          assert.ok(
            !['NOT_PERMITTED', 'ILLEGAL_TRANSITION', 'NOT_THE_REVIEWER', 'EXCLUDED'].includes(code),
            `${who} ${command}: ${code}`,
          );
      }
    }
  });
});
