import { evaluate, parseExpression } from './expression.ts';
import { parsePath, readPath, type Documents } from './paths.ts';

/** Fills a payload template: a field whose name ends in `.$` holds a path or an intrinsic function. */
export function render(template: unknown, documents: Documents): unknown {
  if (Array.isArray(template)) return template.map((entry) => render(entry, documents));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) =>
      key.endsWith('.$') ? [key.slice(0, -2), resolve(value as string, documents)] : [key, render(value, documents)],
    ),
  );
}

const resolve = (text: string, documents: Documents) =>
  text.startsWith('$') ? readPath(text, documents) : evaluate(parseExpression(text), documents);

/** Says what of a template could not be filled, whatever the data. */
export function templateProblems(template: unknown, where: string): string[] {
  if (Array.isArray(template)) return template.flatMap((entry, n) => templateProblems(entry, `${where}[${n}]`));
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([key, value]) => {
    if (!key.endsWith('.$')) return templateProblems(value, `${where}.${key}`);
    if (typeof value !== 'string') return [`${where}.${key} must be a string`];
    return problemOf(() => (value.startsWith('$') ? parsePath(value) : parseExpression(value)), `${where}.${key}`);
  });
}

export function problemOf(parse: () => unknown, where: string): string[] {
  try {
    parse();
    return [];
  } catch (error) {
    return [`${where}: ${(error as Error).message}`];
  }
}
