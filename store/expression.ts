import type { Attributes, Condition } from '../domain/condition.ts';
import type { Update } from '../domain/change.ts';

/** A DynamoDB expression with its placeholders; values still as plain data. */
export type Placeholders = {
  name: (attribute: string) => string;
  value: (value: unknown) => string;
  names: () => Record<string, string>;
  values: () => Attributes;
};

export function placeholders(): Placeholders {
  const names = new Map<string, string>();
  const values: Attributes = {};
  return {
    name: (attribute) => {
      const known = names.get(attribute) ?? `#n${names.size}`;
      names.set(attribute, known);
      return known;
    },
    value: (value) => {
      const slot = `:v${Object.keys(values).length}`;
      values[slot] = value;
      return slot;
    },
    names: () => Object.fromEntries([...names].map(([attribute, slot]) => [slot, attribute])),
    values: () => values,
  };
}

/** The condition as DynamoDB reads it; `undefined` where there is no premise at all. */
export function conditionExpression(condition: Condition, at: Placeholders): string | undefined {
  const said = simplified(condition);
  if (typeof said !== 'boolean') return expressionOf(said, at);
  // What no item satisfies: a key attribute is never absent and present at once.
  return said ? undefined : `attribute_exists(${at.name('pk')}) AND attribute_not_exists(${at.name('pk')})`;
}

/** Without the parts that hold for every item or for none: DynamoDB refuses names and values that no text uses. */
function simplified(condition: Condition): Condition | boolean {
  switch (condition.is) {
    case 'oneOf':
      return condition.values.length > 0 && condition;
    case 'not': {
      const of = simplified(condition.of);
      return typeof of === 'boolean' ? !of : { is: 'not', of };
    }
    case 'all':
    case 'any': {
      const neutral = condition.is === 'all';
      const parts = condition.of.map(simplified).filter((part) => part !== neutral);
      if (parts.includes(!neutral)) return !neutral;
      const [first, ...more] = parts as Condition[];
      if (!first) return neutral;
      return more.length === 0 ? first : { is: condition.is, of: [first, ...more] };
    }
    default:
      return condition;
  }
}

function expressionOf(condition: Condition, at: Placeholders): string {
  switch (condition.is) {
    case 'absent':
      return `attribute_not_exists(${at.name('pk')})`;
    case 'exists':
      return `attribute_exists(${at.name('pk')})`;
    case 'missing':
      return `attribute_not_exists(${at.name(condition.attribute)})`;
    case 'present':
      return `attribute_exists(${at.name(condition.attribute)})`;
    case 'equals':
      return `${at.name(condition.attribute)} = ${at.value(condition.value)}`;
    case 'oneOf':
      return `${at.name(condition.attribute)} IN (${condition.values.map((value) => at.value(value)).join(', ')})`;
    case 'below':
      return `${at.name(condition.attribute)} < ${at.value(condition.value)}`;
    case 'atMost':
      return `${at.name(condition.attribute)} <= ${at.value(condition.value)}`;
    case 'above':
      return `${at.name(condition.attribute)} > ${at.value(condition.value)}`;
    case 'atLeast':
      return `${at.name(condition.attribute)} >= ${at.value(condition.value)}`;
    case 'belowAttribute':
      return `${at.name(condition.attribute)} < ${at.name(condition.other)}`;
    case 'contains':
      return `contains(${at.name(condition.attribute)}, ${at.value(condition.value)})`;
    case 'not':
      return negation(expressionOf(condition.of, at));
    case 'all':
      return joined(condition.of, 'AND', at);
    case 'any':
      return joined(condition.of, 'OR', at);
  }
}

/** DynamoDB refuses parentheses around parentheses. */
const negation = (text: string) => `(NOT ${text.startsWith('(') ? text : `(${text})`})`;

const joined = (parts: readonly Condition[], operator: 'AND' | 'OR', at: Placeholders) =>
  `(${parts.map((part) => expressionOf(part, at)).join(` ${operator} `)})`;

/** SET, REMOVE, ADD and DELETE clauses that touch what the update names and nothing else. */
export function updateExpression(update: Update, at: Placeholders): string {
  const clauses = [
    clause('SET', Object.entries(update.set ?? {}), ([name, value]) => `${at.name(name)} = ${at.value(value)}`),
    clause('REMOVE', update.remove ?? [], (name) => at.name(name)),
    clause('ADD', Object.entries(update.add ?? {}), ([name, value]) => `${at.name(name)} ${at.value(value)}`),
    clause('DELETE', Object.entries(update.drop ?? {}), ([name, value]) => `${at.name(name)} ${at.value(value)}`),
  ];
  return clauses.filter((text) => text !== '').join(' ');
}

const clause = <T>(word: string, parts: T[], text: (part: T) => string) =>
  parts.length === 0 ? '' : `${word} ${parts.map(text).join(', ')}`;
