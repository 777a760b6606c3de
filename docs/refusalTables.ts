import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What the tests' tables of refusals say: for each command, each answer and when it is given. */
export type RefusalTable = Map<string, Map<string, string[]>>;

const folder = join(import.meta.dirname, '../test/domain');

/** The tables are literals below `describe('<command>')`, so they can be read without running anything. */
export function refusalTables(commands: ReadonlySet<string>): RefusalTable {
  const tables: RefusalTable = new Map();
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .sort()) {
    const source = ts.createSourceFile(name, readFileSync(join(folder, name), 'utf8'), ts.ScriptTarget.ES2023, true);
    visit(source, undefined);
  }
  return tables;

  function visit(node: ts.Node, about: string | undefined): void {
    let command = about;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [first, second] = node.arguments;
      const named = first && ts.isStringLiteral(first) ? first.text : undefined;
      if (node.expression.text === 'describe' && named && commands.has(named)) command = named;
      if (node.expression.text === 'refuses' && command && second && ts.isArrayLiteralExpression(second))
        for (const row of second.elements) note(command, row);
    }
    node.forEachChild((child) => visit(child, command));
  }

  function note(command: string, row: ts.Expression): void {
    if (!ts.isArrayLiteralExpression(row)) return;
    const [answer, when] = row.elements;
    if (!answer || !when || !ts.isStringLiteral(answer) || !ts.isStringLiteral(when)) return;
    const table = tables.get(command) ?? new Map<string, string[]>();
    tables.set(command, table.set(answer.text, [...(table.get(answer.text) ?? []), when.text]));
  }
}
