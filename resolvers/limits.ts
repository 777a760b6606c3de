import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';
import { invalid, type Refused } from '../domain/refusal.ts';

/** What one request may ask for; refused above, before anything is read. */
export const limits = {
  bodyBytes: 256 * 1024,
  tokens: 2_000,
  depth: 12,
  aliases: 30,
  directives: 20,
  pageSize: 100,
  /** Objects, weighed (cost.ts), that one request asks for. */
  cost: 3_000,
  /** Text in one answer: half of what the function's host lets through. */
  answerBytes: 3 * 1024 * 1024,
  /** Pages of lists that one request reads. */
  lists: 300,
  /** Regions whose counters one field adds up: 32 parts each. */
  regions: 10,
  /** Entries of any list in an input. */
  listItems: 100,
  /** Code points of any text in an input; fields have tighter bounds of their own. */
  textLength: 4_000,
} as const;

/** The rules report and go on: thrown, an error of validation would come out as an internal one. */
const reporting = {
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, error: GraphQLError) =>
      context?.reportError(new GraphQLError(error.message.replace('Syntax Error: ', ''))),
  ],
};

export const limitRules = [
  maxDepthRule({ n: limits.depth, flattenFragments: true, ...reporting }),
  maxAliasesRule({ n: limits.aliases, ...reporting }),
  maxDirectivesRule({ n: limits.directives, ...reporting }),
] as unknown as ValidationRule[];

/** The page size as asked for; a client that asks for too much is told, not quietly served less. */
export function pageSize(first: number): number {
  if (first >= 1 && first <= limits.pageSize) return first;
  throw badUserInput(`first must be between 1 and ${limits.pageSize}`);
}

export function atMostIds<Id>(ids: readonly Id[]): readonly Id[] {
  if (ids.length <= limits.listItems) return ids;
  throw badUserInput(`at most ${limits.listItems} ids at once`);
}

export const isRegion = (text: string) => /^[A-Z0-9_-]{1,32}$/.test(text);

export function atMostRegions(regions: readonly string[]): readonly string[] {
  if (regions.length > limits.regions) throw badUserInput(`at most ${limits.regions} regions at once`);
  if (regions.every(isRegion)) return regions;
  throw badUserInput('regions holds something that is not a region');
}

export const badUserInput = (message: string) => new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });

/**
 * What is wrong with the shape of an input, whatever command it is for: checked before anything is read or hashed, so
 * that no text can come so far as to be an error of the database.
 */
export function misshapen(value: unknown, path: string[] = []): Refused | undefined {
  if (typeof value === 'string') return misshapenText(value, path);
  if (Array.isArray(value) && value.length > limits.listItems)
    return invalid('AT_MOST', path, `has more than ${limits.listItems} entries`);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, entry] of Object.entries(value)) {
    const no = misshapen(entry, [...path, name]);
    if (no) return no;
  }
  return undefined;
}

function misshapenText(value: string, path: string[]): Refused | undefined {
  if (value.length > limits.textLength * 2 || [...value].length > limits.textLength)
    return invalid('TOO_LONG', path, `is longer than ${limits.textLength} characters`);
  return notText.test(value)
    ? invalid('CONTROL_CHARACTERS', path, 'holds characters that cannot be printed')
    : undefined;
}

// Lone surrogates have no UTF-8, and NUL ends text elsewhere; finer rules are the fields' own.
const notText = /[\0\p{Cs}]/u;

/**
 * Text that names something unique is looked up by its key before any rule of the domain sees it, and a key has 2048
 * bytes. Measured as it will be normalised: some characters become eighteen.
 */
export const keyable = (value: string, ...path: string[]): Refused | undefined =>
  Buffer.byteLength(value.normalize('NFKC'), 'utf8') > 1024 ? invalid('TOO_LONG', path, 'is too long') : undefined;
