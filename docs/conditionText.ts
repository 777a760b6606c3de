import type { Condition, Scalar } from '../domain/condition.ts';

/** A premise as it is stored data, in one line. */
export function conditionText(condition: Condition): string {
  switch (condition.is) {
    case 'absent':
    case 'exists':
      return condition.is;
    case 'missing':
      return `no ${condition.attribute}`;
    case 'present':
      return `some ${condition.attribute}`;
    case 'equals':
      return `${condition.attribute} = ${text(condition.value)}`;
    case 'oneOf':
      return `${condition.attribute} in (${condition.values.map(text).join(', ')})`;
    case 'below':
      return `${condition.attribute} < ${condition.value}`;
    case 'atMost':
      return `${condition.attribute} ≤ ${condition.value}`;
    case 'above':
      return `${condition.attribute} > ${condition.value}`;
    case 'atLeast':
      return `${condition.attribute} ≥ ${condition.value}`;
    case 'belowAttribute':
      return `${condition.attribute} < ${condition.other}`;
    case 'contains':
      return `${condition.attribute} contains ${condition.value}`;
    case 'all':
      return condition.of.length === 0 ? 'none: only the sum means something' : joined(condition.of, ' and ');
    case 'any':
      return joined(condition.of, ' or ');
    case 'not':
      return `not ${conditionText(condition.of)}`;
  }
}

/** One inside another is put in brackets, so that it cannot be read in two ways. */
const joined = (parts: readonly Condition[], word: string) =>
  parts
    .map((part) =>
      (part.is === 'all' || part.is === 'any') && part.of.length > 1 ? `(${conditionText(part)})` : conditionText(part),
    )
    .join(word);
const text = (value: Scalar) => (value === null ? 'null' : String(value));
