import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { badTexts, bounds } from './bounds.ts';
import { inputFields, isRequired } from './contract.ts';
import type { Input } from './office.ts';

/** One way to spoil a good input, and the codes of which one must come back. */
export type Bad = { what: string; path: string[]; value: unknown; codes: readonly string[] };

/** Stands for a field that is not sent at all. */
export const missing = Symbol('missing');

const atTheDoor = ['BAD_USER_INPUT'] as const;
const byARule = ['VALIDATION_FAILED'] as const;
const notThere = [
  'NOT_FOUND',
  'REFERENCE_INVALID',
  'LEAD_CHANGED',
  'PRECONDITION_FAILED',
  'VALIDATION_FAILED',
] as const;

/** Ids that are there and not meant: another case's of the same office, by what they name, and another tenant's. */
export type Strange = {
  own: Record<'case' | 'party' | 'contravention' | 'action' | 'officer', string>;
  foreign: readonly string[];
};

type Known = Strange & { ofTheCase: readonly string[] };

/** Everything wrong with an input that its type in the SDL, and the bounds of its fields, can tell. */
export function badInputs(type: GraphQLInputObjectType, good: Input, strange: Strange): Bad[] {
  const extra: Bad = { what: 'an unknown field', path: ['unheardOf'], value: 1, codes: atTheDoor };
  // Beside the case itself they name something of it; alone they name the aggregate, and another's is as good.
  const ofTheCase = type.getFields()['caseId'] ? ['partyId', 'partyIds', 'contraventionIds'] : [];
  return [extra, ...spoiltFields(type, good, [], { ...strange, ofTheCase })];
}

function spoiltFields(type: GraphQLInputObjectType, good: Input, path: string[], strange: Known): Bad[] {
  return inputFields(type).flatMap((field) => {
    const at = [...path, field.name];
    const value = good[field.name];
    if (value === undefined) throw new Error(`the good input leaves ${at.join('.')} out`);
    const owed: Bad[] = isRequired(field) ? [{ what: 'missing', path: at, value: missing, codes: atTheDoor }] : [];
    return [...owed, ...spoilt(field.type, value, at, strange)];
  });
}

function spoilt(type: GraphQLInputType, good: unknown, path: string[], strange: Known): Bad[] {
  const bad = (codes: readonly string[], values: Record<string, unknown>): Bad[] =>
    Object.entries(values).map(([what, value]) => ({ what, path, value, codes }));
  const nothing = isNonNullType(type) ? bad(atTheDoor, { null: null }) : [];
  const inner = getNullableType(type);
  if (isListType(inner)) return [...nothing, ...spoiltList(inner.ofType, good as unknown[], path, strange)];
  if (isInputObjectType(inner)) {
    const none = bad(atTheDoor, { 'a text for an object': 'x', 'an empty object': {}, 'a list': [good, good] });
    return [...nothing, ...none, ...spoiltFields(inner, good as Input, path, strange)];
  }
  if (isEnumType(inner)) {
    const wrong = { 'no such word': 'WIZARD', 'lower case': String(good).toLowerCase(), 'no text': '', 'a number': 1 };
    return [...nothing, ...bad(atTheDoor, { ...wrong, 'an object': {} })];
  }
  return [...nothing, ...spoiltScalar(getNamedType(type).name, good, path, strange, bad)];
}

function spoiltList(item: GraphQLInputType, good: unknown[], path: string[], strange: Known): Bad[] {
  const [first] = good as [unknown];
  const most = bounds[path.at(-1)!]?.entries;
  const more: Bad[] = [101, 5_000, ...(most ? [most + 1] : [])].map((n) => {
    const value = Array.from({ length: n }, (_, i) => (typeof first === 'string' ? `${first}${i}` : first));
    const codes = n > 4_000 ? [...byARule, 'PAYLOAD_TOO_LARGE'] : byARule;
    return { what: `${n} entries`, path, value, codes };
  });
  const wrong = { 'a null entry': [null], 'a list of lists': [[first], [first]], 'a number': 1.5 };
  const atDoor = Object.entries(wrong).map(([what, value]) => ({ what, path, value, codes: atTheDoor }));
  const twice: Record<string, unknown> = path.at(-1)!.endsWith('Ids') ? { 'the same twice': [first, first] } : {};
  const none: Record<string, unknown> = bounds[path.at(-1)!]?.needed ? { 'no entries': [] } : {};
  const ruled = Object.entries({ ...twice, ...none }).map(([what, value]) => ({ what, path, value, codes: byARule }));
  return [...more, ...atDoor, ...ruled, ...spoilt(item, first, [...path, '0'], strange)];
}

type Several = (codes: readonly string[], values: Record<string, unknown>) => Bad[];

function spoiltScalar(name: string, good: unknown, path: string[], strange: Known, bad: Several): Bad[] {
  const noText = { 'a number': 7.5, 'a truth value': true, 'an object': { a: 1 }, 'a list': [good, good] };
  switch (name) {
    case 'String':
      return [...bad(atTheDoor, noText), ...bad(byARule, badTexts(path))];
    case 'ID': {
      const odd = { 'no text': '', blanks: '  ', malformed: 'x', 'an emoji': '💥', 'a key': 'T#demo#CASE#1', zero: 0 };
      const worse = {
        NUL: `${String(good)}\0`,
        'half a character': '\ud800',
        padded: `${String(good)}=`,
        long: 'x'.repeat(9_000),
      };
      return [
        ...bad(atTheDoor, noText),
        ...bad(notThere, { ...odd, ...worse, ...strangeIds(path, String(good), strange) }),
      ];
    }
    case 'Int': {
      const none = {
        'a text': '1',
        'a fraction': 1.5,
        'above 2^31': 2 ** 31,
        'below -2^31': -(2 ** 31) - 1,
        huge: 1e300,
      };
      const wrong = { zero: 0, negative: -1, 'too high': path.at(-1) === 'size' ? 2 ** 31 - 1 : 99_999 };
      const codes = path.at(-1) === 'expectedVersion' ? ['VERSION_CONFLICT'] : byARule;
      return [...bad(atTheDoor, { ...none, 'a truth value': true, 'an object': {} }), ...bad(codes, wrong)];
    }
    case 'MinorUnits': {
      const none = { 'a text': '1', 'a fraction': 0.5, negative: -1, 'above 2^53': 2 ** 53, 'a truth value': true };
      return [...bad(atTheDoor, none), ...bad(byARule, { zero: 0 })];
    }
    case 'LocalDate': {
      const none = {
        'no text': '',
        short: '2026-1-1',
        'another order': '07/07/2026',
        'an instant': '2026-07-07T00:00:00.000Z',
      };
      const odd = { 'a line end': '2026-07-07\n', 'wide digits': '２０２６-07-07', signed: '+2026-07-07', ...noText };
      const unreal = ['2026-02-30', '2025-02-29', '1900-02-29', '2026-06-31', '2026-13-01', '2026-00-10', '2026-06-00'];
      const dates = Object.fromEntries(unreal.map((date) => [`the date ${date}`, date]));
      return [...bad(atTheDoor, { ...none, ...odd }), ...bad(byARule, dates)];
    }
    case 'IdempotencyKey': {
      const key = 'k'.repeat(16);
      const wrong = {
        'no text': '',
        short: key.slice(1),
        long: 'k'.repeat(129),
        'a blank': `${key} x`,
        'a line end': `${key}\n`,
      };
      return bad(atTheDoor, { ...wrong, 'a slash': `${key}/`, NUL: `${key}\0`, 'an accent': `${key}é`, ...noText });
    }
    case 'Boolean':
      return bad(atTheDoor, { 'a text': 'true', 'a number': 1, 'an object': {} });
    default:
      throw new Error(`nobody said what is wrong with a ${name}`);
  }
}

const names: Record<string, keyof Strange['own']> = {
  caseId: 'case',
  partyId: 'party',
  partyIds: 'party',
  contraventionId: 'contravention',
  contraventionIds: 'contravention',
  actionId: 'action',
  otherCaseId: 'case',
  duplicateOfCaseId: 'case',
};

function strangeIds(path: readonly string[], good: string, { own, foreign, ofTheCase }: Known): Record<string, string> {
  const name = path.findLast((part) => !/^\d+$/.test(part))!;
  const kind = names[name] ?? 'officer';
  const usable = Object.entries(own).filter(([of]) => of !== kind || ofTheCase.includes(name));
  return {
    ...Object.fromEntries(usable.map(([of, id]) => [`another case's ${of}`, id])),
    ...Object.fromEntries(foreign.map((id, i) => [`another tenant's id ${i}`, id])),
    ...(ofTheCase.includes(name) && { 'its own id under another case': crossed(good, own[kind]) }),
  };
}

/** An id that was never given out: the last part of one id behind the first parts of another. */
function crossed(id: string, other: string): string {
  const parts = (text: string) => Buffer.from(text, 'base64url').toString().split(':');
  return Buffer.from([...parts(other).slice(0, -1), parts(id).at(-1)].join(':')).toString('base64url');
}
