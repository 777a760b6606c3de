import { runtimeError, StateError } from './errors.ts';

/** What paths read: `$` is the state's input, `$$` the context object. */
export type Documents = { input: unknown; context: unknown };

export type Path = { text: string; root: '$' | '$$'; steps: Step[] };
type Step = { key: string } | { index: number } | 'EACH';

const STEP = /^(?:\.([\p{L}_][\p{L}\p{N}_-]*)|\[(?:'([^']*)'|"([^"]*)"|(-?\d+)|(\*))\]|\.(\*))/u;

/** Fields, indexes and wildcards. What lies outside (filters, slices, descent) is a SyntaxError, so that nothing is half understood. */
export function parsePath(text: string): Path {
  const root = text.startsWith('$$') ? '$$' : '$';
  if (!text.startsWith('$')) throw new SyntaxError(`'${text}' is not a path`);
  const steps: Step[] = [];
  for (let rest = text.slice(root.length); rest;) {
    const found = STEP.exec(rest);
    if (!found) throw new SyntaxError(`'${text}' is outside the supported JSONPath: fields, indexes and [*]`);
    const [whole, field, single, double, index, each, eachField] = found;
    const key = field ?? single ?? double;
    if (each ?? eachField) steps.push('EACH');
    else steps.push(key === undefined ? { index: Number(index) } : { key });
    rest = rest.slice(whole.length);
  }
  return { text, root, steps };
}

/** A reference path names exactly one place in the input, so that one can also write there. */
export function parseReferencePath(text: string): Path {
  const path = parsePath(text);
  if (path.root === '$$' || path.steps.some((step) => step === 'EACH' || ('index' in step && step.index < 0)))
    throw new SyntaxError(`'${text}' is not a reference path`);
  return path;
}

/** What the path points to; a path that points to nothing ends the execution. */
export function readPath(text: string, documents: Documents): unknown {
  const value = lookUp(text, documents);
  if (value === undefined)
    throw runtimeError(
      `The JSONPath '${text}' could not be found in the input '${JSON.stringify(documents.input).slice(0, 1000)}'`,
    );
  return value;
}

/** What the path points to, `undefined` for nothing. A wildcard gives a list, however many it finds. */
export function lookUp(text: string, documents: Documents): unknown {
  const path = parsePath(text);
  let found: unknown[] = [path.root === '$$' ? documents.context : documents.input];
  for (const step of path.steps)
    found = found.flatMap((node) => (step === 'EACH' ? children(node) : child(node, step)));
  return path.steps.includes('EACH') ? found : found[0];
}

const isObject = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null;

const children = (node: unknown): unknown[] => (isObject(node) ? Object.values(node) : []);

function child(node: unknown, step: { key: string } | { index: number }): unknown[] {
  if ('index' in step) return Array.isArray(node) && node.at(step.index) !== undefined ? [node.at(step.index)] : [];
  return isObject(node) && !Array.isArray(node) && Object.hasOwn(node, step.key) ? [node[step.key]] : [];
}

/** A copy of `document` with `value` at the path; fields on the way are made. */
export function writePath(text: string, document: unknown, value: unknown): unknown {
  const path = parseReferencePath(text);
  if (path.steps.length === 0) return value;
  if (!isObject(document) || Array.isArray(document)) throw unwritable(text, document);
  const copy = structuredClone(document) as Record<string | number, unknown>;
  const keys = path.steps.map((step) => (step === 'EACH' ? '' : 'key' in step ? step.key : step.index));
  let place = copy;
  for (const [depth, key] of keys.entries()) {
    if (Array.isArray(place) !== (typeof key === 'number') || (typeof key === 'number' && !(key in place)))
      throw unwritable(text, document);
    if (depth === keys.length - 1) place[key] = value;
    else place = isObject(place[key]) ? place[key] : (place[key] = {});
  }
  return copy;
}

const unwritable = (path: string, document: unknown) =>
  new StateError(
    'States.ResultPathMatchFailure',
    `Unable to apply ResultPath '${path}' to input '${JSON.stringify(document).slice(0, 1000)}'`,
  );
