import { lookUp, parsePath, readPath, type Documents } from './paths.ts';
import { problemOf } from './template.ts';

export type ChoiceRule = { Next?: string; Comment?: string; Variable?: string } & Record<string, unknown>;

const KINDS = {
  String: (value: unknown) => typeof value === 'string',
  Numeric: (value: unknown) => typeof value === 'number',
  Boolean: (value: unknown) => typeof value === 'boolean',
  Timestamp: (value: unknown) => typeof value === 'string' && TIMESTAMP.test(value) && !isNaN(Date.parse(value)),
  Null: (value: unknown) => value === null,
};
type Kind = keyof typeof KINDS;

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const COMPARISON =
  /^(String|Numeric|Timestamp|Boolean)(Equals|LessThan|LessThanEquals|GreaterThan|GreaterThanEquals)(Path)?$/;
const TYPE_TEST = /^Is(String|Numeric|Boolean|Timestamp|Null)$/;

export function holds(rule: ChoiceRule, documents: Documents): boolean {
  if (rule.And) return (rule.And as ChoiceRule[]).every((part) => holds(part, documents));
  if (rule.Or) return (rule.Or as ChoiceRule[]).some((part) => holds(part, documents));
  if (rule.Not) return !holds(rule.Not as ChoiceRule, documents);

  const operator = operatorOf(rule)!;
  const wanted = rule[operator];
  if (operator === 'IsPresent') return (lookUp(rule.Variable!, documents) !== undefined) === wanted;
  const value = readPath(rule.Variable!, documents);
  if (operator === 'StringMatches') return typeof value === 'string' && matches(value, wanted as string);
  const type = TYPE_TEST.exec(operator);
  if (type) return KINDS[type[1] as Kind](value) === wanted;

  const [, kind, relation, path] = COMPARISON.exec(operator)!;
  const other = path ? readPath(wanted as string, documents) : wanted;
  // Values of another type are simply not in that relation; nothing is converted.
  if (!KINDS[kind as Kind](value) || !KINDS[kind as Kind](other)) return false;
  return compare(relation!, comparable(kind!, value), comparable(kind!, other));
}

const comparable = (kind: string, value: unknown) =>
  kind === 'Timestamp' ? Date.parse(value as string) : (value as string | number | boolean);

function compare(relation: string, a: string | number | boolean, b: string | number | boolean): boolean {
  switch (relation) {
    case 'Equals':
      return a === b;
    case 'LessThan':
      return a < b;
    case 'LessThanEquals':
      return a <= b;
    case 'GreaterThan':
      return a > b;
    default:
      return a >= b;
  }
}

/** `*` stands for any text, `\*` for the character. */
function matches(value: string, pattern: string): boolean {
  const source = pattern.replace(/\\([\\*])|[.+?^${}()|[\]\\/]|\*/g, (found, escaped: string | undefined) =>
    escaped ? `\\${escaped}` : found === '*' ? '.*' : `\\${found}`,
  );
  return new RegExp(`^${source}$`, 's').test(value);
}

const operatorOf = (rule: ChoiceRule) =>
  Object.keys(rule).find((key) => !['Next', 'Comment', 'Variable'].includes(key));

export function ruleProblems(rule: ChoiceRule, where: string, top: boolean): string[] {
  const problems: string[] = [];
  if (top !== (typeof rule.Next === 'string'))
    problems.push(`${where}: Next belongs to the outermost rule, and only there`);
  const operators = Object.keys(rule).filter((key) => !['Next', 'Comment', 'Variable'].includes(key));
  if (operators.length !== 1) return [...problems, `${where}: a rule has exactly one operator`];
  return [...problems, ...operatorProblems(operators[0]!, rule, where)];
}

function operatorProblems(operator: string, rule: ChoiceRule, where: string): string[] {
  const wanted = rule[operator];
  if (operator === 'And' || operator === 'Or')
    return Array.isArray(wanted) && wanted.length > 0
      ? wanted.flatMap((part, n) => ruleProblems(part as ChoiceRule, `${where}.${operator}[${n}]`, false))
      : [`${where}.${operator} must be a list of rules`];
  if (operator === 'Not') return ruleProblems(wanted as ChoiceRule, `${where}.Not`, false);

  const problems = problemOf(() => parsePath(rule.Variable ?? ''), `${where}.Variable`);
  if (operator === 'IsPresent' || TYPE_TEST.test(operator))
    return typeof wanted === 'boolean' ? problems : [...problems, `${where}.${operator} must be true or false`];
  if (operator === 'StringMatches')
    return typeof wanted === 'string' ? problems : [...problems, `${where}.StringMatches must be a string`];
  const comparison = COMPARISON.exec(operator);
  if (!comparison || (comparison[1] === 'Boolean' && comparison[2] !== 'Equals'))
    return [...problems, `${where}.${operator} is not a known operator`];
  if (comparison[3]) return [...problems, ...problemOf(() => parsePath(wanted as string), `${where}.${operator}`)];
  return KINDS[comparison[1] as Kind](wanted)
    ? problems
    : [...problems, `${where}.${operator} compares with a value of another type`];
}
