/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { aCase, aParty, officerId, open, send, sendRaw, startDesk, type Desk } from './desk.ts';

let desk: Desk;
let caseId: string;
beforeAll(async () => {
  desk = await startDesk();
  caseId = (await open(desk.sue, { leadOfficerId: officerId('ana') })).id;
});
afterAll(() => desk.stop());

/** What is never text, and what is in some places: there it is taken, elsewhere refused, nowhere an internal error. */
const never: [string, string][] = [
  ['NUL', 'a\0b'],
  ['a control character', 'a\u0007b'],
  ['a lone surrogate', 'a\ud800b'],
  ['an order of writing', 'a\u202Eb'],
  ['a very long text', 'x'.repeat(50_000)],
  ['nothing but blanks', '   '],
];
const sometimes: [string, string][] = [
  ['a text over the bytes of a key', 'é'.repeat(3_000)],
  ['a text whose normal form is over the bytes of a key', '\uFDFA'.repeat(200)],
  ['the separator of keys', '#'.repeat(30)],
  ['a text of the longest kind', 'x'.repeat(4_000)],
];
const odd = [...never, ...sometimes];

const versionOf = async ({ expectedVersion }: { expectedVersion?: number }) => {
  if (expectedVersion === undefined) return {};
  const { data } = await desk.sue('query ($id: ID!) { case(id: $id) { version } }', { id: caseId });
  return { expectedVersion: data.case.version as number };
};

describe('text nobody should send', () => {
  const places: [string, (text: string) => [string, object]][] = [
    ['a title', (text) => ['openCase', { ...aCase, title: text }]],
    ['a summary', (text) => ['openCase', { ...aCase, summary: text }]],
    ['a region', (text) => ['openCase', { ...aCase, region: text }]],
    ['a source system', (text) => ['openCase', { ...aCase, externalReference: { sourceSystem: text, value: 'x' } }]],
    [
      'an external reference',
      (text) => ['openCase', { ...aCase, externalReference: { sourceSystem: 'S', value: text } }],
    ],
    ['an officer', (text) => ['registerOfficer', { officerId: text, name: 'N', email: 'n@x.example', region: 'JKT' }]],
    ['a name', (text) => ['registerOfficer', { officerId: 'new', name: text, email: 'n@x.example', region: 'JKT' }]],
    ['an e-mail address', (text) => ['registerOfficer', { officerId: 'new', name: 'N', email: text, region: 'JKT' }]],
    [
      'a team',
      (text) => [
        'registerOfficer',
        { officerId: 'new', name: 'N', email: 'n@x.example', region: 'JKT', teams: [text] },
      ],
    ],
    ['a party', (text) => ['addParty', { caseId, expectedVersion: 1, ...aParty, name: text }]],
    ['an address', (text) => ['addParty', { caseId, expectedVersion: 1, ...aParty, addressLines: [text] }]],
    [
      'an identifier',
      (text) => ['addParty', { caseId, expectedVersion: 1, ...aParty, identifiers: [{ scheme: 'NPWP', value: text }] }],
    ],
    [
      'a provision',
      (text) => [
        'recordContravention',
        { caseId, expectedVersion: 1, provision: text, date: '2026-01-01', partyIds: [] },
      ],
    ],
  ];
  for (const [place, mutation] of places)
    it(`in ${place} is a refusal, with the rule and the place`, async () => {
      for (const [what, text] of odd) {
        const [name, input] = mutation(text);
        const { errors } = await send(desk.sue, name, { ...input, ...(await versionOf(input)) });
        if (errors.length === 0)
          assert.ok(
            sometimes.some(([, taken]) => taken === text),
            `${what} in ${place} was taken`,
          );
        for (const error of errors) {
          const taken = error.code === 'UNIQUE_VIOLATION' && sometimes.some(([, some]) => some === text);
          assert.ok(error.code === 'VALIDATION_FAILED' || taken, `${what} in ${place}: ${JSON.stringify(error)}`);
          assert.ok(taken || (error.rule && error.path.length > 0));
        }
      }
    });

  it('in a look-up finds nothing', async () => {
    for (const [what, text] of odd) {
      const { data, errors } = await desk.sue(
        'query ($t: String!, $i: ID!) { a: caseByNumber(number: $t) { id } b: caseByExternalReference(sourceSystem: $t, value: $t) { id } c: caseByExternalReference(sourceSystem: "S", value: $t) { id } d: node(id: $i) { id } e: case(id: $i) { id } f: officer(id: $i) { id } }',
        { t: text, i: text },
      );
      assert.equal(errors, undefined, what);
      const found = Object.entries(data as Record<string, unknown>).filter(([, value]) => value !== null);
      assert.deepEqual(
        found.filter(([name]) => name !== 'c'),
        [],
        what,
      );
    }
  });

  it('as a region of a list is a bad request', async () => {
    for (const [, text] of odd) {
      const { errors } = await desk.sue('query ($t: String!) { cases(filter: { region: $t }) { edges { cursor } } }', {
        t: text,
      });
      assert.equal(errors?.[0]?.extensions['code'], 'BAD_USER_INPUT');
    }
  });
});

describe('ids that are not ours', () => {
  beforeAll(async () => {
    caseId = (await open(desk.sue)).id;
  });
  const strange = [
    '',
    'x',
    caseId,
    officerId('ana'),
    Buffer.from('Case:a#b').toString('base64url'),
    '~',
    'T#demo#CASE#1',
    '💥',
  ];
  it('of the aggregate are not found', async () => {
    for (const id of strange.filter(Boolean)) {
      const asCase = await send(desk.sue, 'addParty', { caseId: id, expectedVersion: 1, ...aParty });
      assert.deepEqual([asCase.errors[0].code, asCase.case], ['NOT_FOUND', null]);
      const asFinding = await send(desk.sue, 'setContraventionFinding', {
        contraventionId: id,
        expectedVersion: 1,
        finding: 'SUBSTANTIATED',
      });
      assert.equal(asFinding.errors[0].code, 'NOT_FOUND');
      const asAction = await send(desk.sue, 'submitToRegistry', { actionId: id, expectedVersion: 1 });
      assert.deepEqual([asAction.errors[0].code, asAction.action], ['NOT_FOUND', null]);
    }
  });

  it('of something referred to are an invalid reference, by its name', async () => {
    for (const id of [
      'x',
      Buffer.from('Officer:nobody').toString('base64url'),
      Buffer.from('Case:a').toString('base64url'),
    ]) {
      const lead = (await send(desk.sue, 'openCase', { ...aCase, leadOfficerId: id })).errors[0];
      assert.deepEqual([lead.code, lead.name], ['REFERENCE_INVALID', 'leadOfficerId']);
      const member = (await send(desk.sue, 'addInvestigator', { caseId, officerId: id })).errors[0];
      assert.deepEqual([member.code, member.name], ['REFERENCE_INVALID', 'officerId']);
      const party = (
        await send(desk.sue, 'recordContravention', {
          caseId,
          expectedVersion: 1,
          provision: 'P',
          date: '2026-01-01',
          partyIds: [id],
        })
      ).errors[0];
      assert.deepEqual([party.code, party.name], ['REFERENCE_INVALID', 'partyIds']);
    }
  });

  it('in a list of more than a hundred are not even looked at', async () => {
    const partyIds = Array.from({ length: 101 }, (_, i) => Buffer.from(`Party:c:p${i}`).toString('base64url'));
    desk.world.calls.reset();
    const payload = await send(desk.sue, 'recordContravention', {
      caseId,
      expectedVersion: 1,
      provision: 'P',
      date: '2026-01-01',
      partyIds,
    });
    assert.deepEqual(
      [payload.errors[0].code, payload.errors[0].rule, payload.errors[0].path],
      ['VALIDATION_FAILED', 'AT_MOST', ['partyIds']],
    );
    assert.equal(desk.world.calls.count, 1, 'only who asks was looked up');
  });
});

describe('values that are none of their type', () => {
  const bad: [string, string, object][] = [
    ['a date', 'recordContravention', { provision: 'P', date: '2026-1-1', partyIds: [] }],
    ['an enum', 'addParty', { ...aParty, role: 'WIZARD' }],
    ['a version', 'addParty', { ...aParty, expectedVersion: '1' }],
    [
      'an amount',
      'startEnforcement',
      { type: 'ADVICE', partyId: 'x', contraventionIds: [], penalty: { minorUnits: 1.5, currency: 'IDR' } },
    ],
    ['an unknown field', 'addParty', { ...aParty, version: 1 }],
  ];
  for (const [what, name, input] of bad)
    it(`are refused with the request: ${what}`, async () => {
      const reply = await sendRaw(desk.sue, name, { caseId, expectedVersion: 1, ...input });
      assert.deepEqual(
        [reply.errors?.length, reply.errors?.[0]?.extensions],
        [1, { code: 'BAD_USER_INPUT' }],
        reply.text,
      );
    });

  it('but a date that does not exist is an answer for the form', async () => {
    const payload = await send(desk.sue, 'recordContravention', {
      caseId,
      expectedVersion: 1,
      provision: 'P',
      date: '2026-02-30',
      partyIds: [],
    });
    assert.deepEqual([payload.errors[0].rule, payload.errors[0].path], ['LOCAL_DATE', ['date']]);
  });
});
