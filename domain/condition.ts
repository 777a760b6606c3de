/**
 * A premise about one stored item, as data. `holds` evaluates it in memory; `store/expression.ts` turns the same value
 * into a DynamoDB expression; a property test holds the two equal. Comparison is by type, as in DynamoDB: a number is
 * never below a string, and a missing attribute satisfies nothing but `missing`.
 */
export type Scalar = string | number | boolean | null;

export type Condition =
  | { is: 'absent' }
  | { is: 'exists' }
  | { is: 'missing'; attribute: string }
  | { is: 'present'; attribute: string }
  | { is: 'equals'; attribute: string; value: Scalar }
  | { is: 'oneOf'; attribute: string; values: readonly Scalar[] }
  | { is: 'below' | 'atMost' | 'above' | 'atLeast'; attribute: string; value: number | string }
  | { is: 'belowAttribute'; attribute: string; other: string }
  | { is: 'contains'; attribute: string; value: string }
  | { is: 'all' | 'any'; of: readonly Condition[] }
  | { is: 'not'; of: Condition };

export const absent: Condition = { is: 'absent' };
export const exists: Condition = { is: 'exists' };
export const missing = (attribute: string): Condition => ({ is: 'missing', attribute });
export const present = (attribute: string): Condition => ({ is: 'present', attribute });
export const equals = (attribute: string, value: Scalar): Condition => ({ is: 'equals', attribute, value });
export const oneOf = (attribute: string, values: readonly Scalar[]): Condition => ({ is: 'oneOf', attribute, values });
export const below = (attribute: string, value: number | string): Condition => ({ is: 'below', attribute, value });
export const atMost = (attribute: string, value: number | string): Condition => ({ is: 'atMost', attribute, value });
export const above = (attribute: string, value: number | string): Condition => ({ is: 'above', attribute, value });
export const atLeast = (attribute: string, value: number | string): Condition => ({ is: 'atLeast', attribute, value });
export const belowAttribute = (attribute: string, other: string): Condition => ({
  is: 'belowAttribute',
  attribute,
  other,
});
export const contains = (attribute: string, value: string): Condition => ({ is: 'contains', attribute, value });
export const all = (...of: readonly Condition[]): Condition => ({ is: 'all', of });
export const any = (...of: readonly Condition[]): Condition => ({ is: 'any', of });
export const not = (of: Condition): Condition => ({ is: 'not', of });

/** No premise at all: for items without a bound, such as the shards of a counter. */
export const always: Condition = all();

/** What is stored, as plain data; the key attributes are not part of it. */
export type Attributes = Record<string, unknown>;

/** Whether the condition is true of the item, `undefined` meaning that there is none. */
export function holds(condition: Condition, item: Attributes | undefined): boolean {
  switch (condition.is) {
    case 'absent':
      return item === undefined;
    case 'exists':
      return item !== undefined;
    case 'all':
      return condition.of.every((part) => holds(part, item));
    case 'any':
      return condition.of.some((part) => holds(part, item));
    case 'not':
      return !holds(condition.of, item);
    default:
      return holdsOf(condition, item?.[condition.attribute], item);
  }
}

type OfAttribute = Extract<Condition, { attribute: string }>;

function holdsOf(condition: OfAttribute, value: unknown, item: Attributes | undefined): boolean {
  if (condition.is === 'missing') return value === undefined;
  if (value === undefined) return false;
  switch (condition.is) {
    case 'present':
      return true;
    case 'equals':
      return value === condition.value;
    case 'oneOf':
      return condition.values.some((wanted) => wanted === value);
    case 'contains':
      return containsValue(value, condition.value);
    case 'belowAttribute':
      return ordered(value, item?.[condition.other], (order) => order < 0);
    case 'below':
      return ordered(value, condition.value, (order) => order < 0);
    case 'atMost':
      return ordered(value, condition.value, (order) => order <= 0);
    case 'above':
      return ordered(value, condition.value, (order) => order > 0);
    case 'atLeast':
      return ordered(value, condition.value, (order) => order >= 0);
  }
}

function containsValue(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.includes(wanted);
  if (value instanceof Set) return value.has(wanted);
  return Array.isArray(value) && value.includes(wanted);
}

function ordered(left: unknown, right: unknown, verdict: (order: number) => boolean): boolean {
  if (typeof left === 'number' && typeof right === 'number') return verdict(left - right);
  if (typeof left === 'string' && typeof right === 'string') return verdict(inBytes(left, right));
  return false;
}

/** DynamoDB orders text by its UTF-8 bytes, which is the order of code points, not of UTF-16 units. */
function inBytes(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = a[i]!.codePointAt(0)! - b[i]!.codePointAt(0)!;
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
