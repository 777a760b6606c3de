import { GraphQLError, Kind, type ValueNode } from 'graphql';

/** What a scalar accepts; everything else is refused while the request is coerced, before any resolver runs. */
type Scalar = {
  parseValue: (value: unknown) => unknown;
  parseLiteral: (node: ValueNode) => unknown;
};

export const scalars: Record<string, Scalar> = {
  DateTime: text(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/,
    'is not an instant like 2026-07-07T10:15:00.000Z',
    withMilliseconds,
  ),
  // Whether the date exists is a rule of the domain, so that a form gets its answer as data.
  LocalDate: text(/^\d{4}-\d{2}-\d{2}$/, 'is not a date like 2026-07-07'),
  Cursor: text(/^[\s\S]*$/, 'is not a cursor'),
  IdempotencyKey: text(/^[A-Za-z0-9_-]{16,128}$/, 'is not 16 to 128 characters of A-Z a-z 0-9 _ -'),
  MinorUnits: {
    parseValue: minorUnits,
    parseLiteral: (node) => minorUnits(node.kind === Kind.INT && Number(node.value)),
  },
};

/** Instants are compared as texts, so each has exactly three digits of a second. */
function withMilliseconds(instant: string): string {
  const [seconds, fraction = ''] = instant.slice(0, -1).split('.');
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

function text(pattern: RegExp, complaint: string, normal = (value: string) => value): Scalar {
  const parseValue = (value: unknown) => {
    if (typeof value === 'string' && pattern.test(value)) return normal(value);
    throw new GraphQLError(complaint);
  };
  return { parseValue, parseLiteral: (node) => parseValue(node.kind === Kind.STRING && node.value) };
}

function minorUnits(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new GraphQLError('is not a whole number between 0 and 2^53 - 1');
}
