import { applyIntrinsic, intrinsics } from './intrinsics.ts';
import { parsePath, readPath, type Documents } from './paths.ts';

/** A call of an intrinsic function with its arguments: `States.Format('case {}', $.id)`. */
export type Expression =
  | { kind: 'CALL'; name: string; args: Expression[] }
  | { kind: 'PATH'; path: string }
  | { kind: 'LITERAL'; value: unknown }
  | { kind: 'STRING'; escaped: string };

export function parseExpression(text: string): Expression {
  const scanner = { text, at: 0 };
  const expression = argument(scanner);
  skipSpace(scanner);
  if (expression.kind !== 'CALL' || scanner.at < text.length) throw unreadable(scanner);
  return expression;
}

export function evaluate(expression: Expression, documents: Documents): unknown {
  switch (expression.kind) {
    case 'LITERAL':
      return expression.value;
    case 'STRING':
      return expression.escaped.replace(/\\(.)/gs, '$1');
    case 'PATH':
      return readPath(expression.path, documents);
    case 'CALL': {
      const args = expression.args.map((arg) => evaluate(arg, documents));
      const [template] = expression.args;
      if (expression.name === 'Format' && template?.kind === 'STRING') args[0] = template.escaped;
      return applyIntrinsic(expression.name, args);
    }
  }
}

type Scanner = { text: string; at: number };

const TOKEN = /(?:States\.(\w+)\(|(\$[^\s,()]*)|(-?\d+(?:\.\d+)?)|(true|false|null)|'((?:[^'\\]|\\.)*)')/sy;

function argument(scanner: Scanner): Expression {
  skipSpace(scanner);
  TOKEN.lastIndex = scanner.at;
  const token = TOKEN.exec(scanner.text);
  if (!token) throw unreadable(scanner);
  scanner.at += token[0].length;
  const [, call, path, number, word, string] = token;
  if (call !== undefined) return callOf(call, scanner);
  if (path !== undefined) return { kind: 'PATH', path: parsePath(path).text };
  if (string !== undefined) return { kind: 'STRING', escaped: string };
  return { kind: 'LITERAL', value: JSON.parse(number ?? word ?? 'null') };
}

function callOf(name: string, scanner: Scanner): Expression {
  if (!Object.hasOwn(intrinsics, name)) throw new SyntaxError(`States.${name} is not a known intrinsic function`);
  const args: Expression[] = [];
  skipSpace(scanner);
  while (scanner.text[scanner.at] !== ')') {
    args.push(argument(scanner));
    skipSpace(scanner);
    if (scanner.text[scanner.at] === ',') scanner.at++;
    else if (scanner.text[scanner.at] !== ')') throw unreadable(scanner);
  }
  scanner.at++;
  const [least, most] = intrinsics[name]!.arguments;
  if (args.length < least || args.length > most)
    throw new SyntaxError(`States.${name} does not take ${args.length} arguments`);
  return { kind: 'CALL', name, args };
}

function skipSpace(scanner: Scanner): void {
  while (scanner.text[scanner.at] === ' ') scanner.at++;
}

const unreadable = ({ text, at }: Scanner) => new SyntaxError(`cannot read '${text}' from position ${at}`);
