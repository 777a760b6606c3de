import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { inputFields } from './contract.ts';
import type { Input } from './office.ts';

/** The bounds of the contract: code points of a text (its shape where it has one), entries of a list. */
export const bounds: Record<string, { longest?: number; entries?: number; needed?: true; of?: string }> = {
  title: { longest: 200 },
  name: { longest: 200 },
  matterReference: { longest: 200 },
  provision: { longest: 200 },
  value: { longest: 200 },
  summary: { longest: 4_000 },
  recommendation: { longest: 4_000 },
  note: { longest: 4_000 },
  text: { longest: 4_000 },
  reason: { longest: 2_000 },
  overrideLimitReason: { longest: 2_000 },
  evidence: { longest: 2_000 },
  requiredChanges: { longest: 200, entries: 50, needed: true },
  addressLines: { longest: 200, entries: 8 },
  identifiers: { entries: 10 },
  teams: { longest: 64, entries: 20, of: 'T' },
  partyIds: { entries: 50 },
  contraventionIds: { entries: 50, needed: true },
  origin: { longest: 128, of: 'o' },
  teamId: { longest: 64, of: 'T' },
  region: { longest: 32, of: 'R' },
  sourceSystem: { longest: 32, of: 'S' },
  scheme: { longest: 32, of: 'S' },
  officerId: { longest: 128, of: 'o' },
  currency: { longest: 3, of: 'C' },
  sha256: { longest: 64, of: 'a' },
  mediaType: { longest: 15, of: 'x' },
  email: { longest: 254, of: '@' },
};

/** The bound of a text by its path; a text without one is a gap in these tests. */
export function boundOf(path: readonly string[]) {
  const name = path.findLast((part) => !/^\d+$/.test(part))!;
  const bound = bounds[name];
  if (!bound?.longest) throw new Error(`nobody said how long ${path.join('.')} may be`);
  return { name, longest: bound.longest, of: bound.of };
}

/** A text of exactly so many code points, each of two UTF-16 units where the field takes any text; it begins with one. */
export function textOf(length: number, of: string | undefined, begin = ''): string {
  if (of === '@') return `${'e'.repeat(length)}${begin || '@mail.example'}`.slice(-length);
  return begin.slice(0, length) + (of ?? '\u{1D4CD}').repeat(Math.max(0, length - begin.length));
}

const severalLines = ['text', 'note', 'summary', 'recommendation', 'reason', 'overrideLimitReason', 'evidence'];

/** Texts that a field must not take. */
export function badTexts(path: readonly string[]): Record<string, string> {
  const { name, longest, of } = boundOf(path);
  return {
    'no text': '',
    blanks: ' \t  ',
    'other blanks': '\u00a0\u2003\u3000',
    'nothing to see': '\u200b\u2060\u00ad\u3164',
    NUL: 'a\0b',
    'a bell': 'a\u0007b',
    'an escape': 'a\u001b[31mb',
    delete: 'a\u007fb',
    'a C1 control': 'a\u0085b',
    'half a character': 'a\ud800b',
    'the other half': '\udc00a',
    'an order of writing': 'a\u202eb',
    'an isolate': 'a\u2066b',
    'a line separator': 'a\u2028b',
    'a byte order mark': '\ufeffa',
    'a carriage return': 'a\rb',
    [`${longest + 1} characters`]: textOf(longest + 1, of),
    '50000 characters': 'x'.repeat(50_000),
    ...(severalLines.includes(name) ? {} : { 'two lines': 'a\nb' }),
    ...(of === 'S' || of === 'R' || of === 'C' ? { 'lower case': 'abc', 'an accent': 'ÀBC' } : {}),
    ...(of === '@'
      ? { 'no at': 'a.example', 'two at': 'a@b@c.example', 'no domain': 'a@', blank: 'a b@c.example' }
      : {}),
  };
}

/** The input with every text at its bound, to the code point, and every list of texts with as many as there may be. */
export function fullest(type: GraphQLInputObjectType, good: Input): Input {
  return Object.fromEntries(
    inputFields(type).map((field) => [field.name, grown(field.type, good[field.name], [field.name])]),
  );
}

function grown(type: GraphQLInputType, good: unknown, path: string[]): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    const [first] = good as unknown[];
    const { entries } = bounds[path.at(-1)!] ?? {};
    if (getNamedType(inner).name === 'ID') return good;
    return Array.from({ length: entries ?? 1 }, () => grown(inner.ofType, first, path));
  }
  if (isInputObjectType(inner)) return fullest(inner, good as Input);
  if (getNamedType(inner).name !== 'String') return good;
  const { longest, of } = boundOf(path);
  return textOf(longest, of, good as string);
}
