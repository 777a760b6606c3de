import { createHash, randomInt, randomUUID } from 'node:crypto';
import { StateError } from './errors.ts';

type Intrinsic = { arguments: [least: number, most: number]; apply: (...args: never[]) => unknown };

/** The intrinsic functions, each `States.<name>` in a definition. */
export const intrinsics: Record<string, Intrinsic> = {
  Format: { arguments: [1, Infinity], apply: format },
  StringToJson: { arguments: [1, 1], apply: (text: string) => JSON.parse(text) as unknown },
  JsonToString: { arguments: [1, 1], apply: (value: unknown) => JSON.stringify(value) },
  Array: { arguments: [0, Infinity], apply: (...values: unknown[]) => values },
  ArrayPartition: { arguments: [2, 2], apply: partition },
  ArrayContains: {
    arguments: [2, 2],
    apply: (list: unknown[], value: unknown) => list.some((one) => same(one, value)),
  },
  ArrayRange: { arguments: [3, 3], apply: range },
  ArrayGetItem: { arguments: [2, 2], apply: itemAt },
  ArrayLength: { arguments: [1, 1], apply: (list: unknown[]) => array(list).length },
  ArrayUnique: { arguments: [1, 1], apply: unique },
  Base64Encode: { arguments: [1, 1], apply: (text: string) => Buffer.from(text, 'utf8').toString('base64') },
  Base64Decode: { arguments: [1, 1], apply: (text: string) => Buffer.from(text, 'base64').toString('utf8') },
  Hash: { arguments: [2, 2], apply: hash },
  JsonMerge: { arguments: [3, 3], apply: merge },
  MathRandom: { arguments: [2, 2], apply: (start: number, end: number) => randomInt(start, end) },
  MathAdd: { arguments: [2, 2], apply: (a: number, b: number) => number(a) + number(b) },
  StringSplit: { arguments: [2, 2], apply: split },
  UUID: { arguments: [0, 0], apply: () => randomUUID() },
};

export function applyIntrinsic(name: string, args: unknown[]): unknown {
  try {
    const result = intrinsics[name]!.apply(...(args as never[]));
    if (result === undefined) throw new TypeError('no result');
    return result;
  } catch (error) {
    throw new StateError('States.IntrinsicFailure', `States.${name}: ${(error as Error).message}`);
  }
}

/** `\{` and `\}` stand for the brace itself, so the template comes with its escapes. */
function format(template: string, ...values: unknown[]): string {
  const left = [...values];
  const text = template.replace(/\\(.)|\{\}/gs, (_, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    if (left.length === 0) throw new RangeError('more {} than arguments');
    const value = left.shift();
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  if (left.length > 0) throw new RangeError('fewer {} than arguments');
  return text;
}

function partition(list: unknown[], size: number): unknown[] {
  if (!(size > 0)) throw new RangeError('the size must be positive');
  return Array.from({ length: Math.ceil(array(list).length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
}

function range(first: number, last: number, step: number): number[] {
  const length = Math.floor((last - first) / step) + 1;
  if (!(length <= 1000)) throw new RangeError('a range has at most 1000 items');
  return Array.from({ length: Math.max(0, length) }, (_, n) => first + n * step);
}

function itemAt(list: unknown[], index: number): unknown {
  if (!(index in array(list))) throw new RangeError(`no item ${index}`);
  return list[index];
}

function unique(list: unknown[]): unknown[] {
  return array(list).filter((one, n) => list.findIndex((other) => same(one, other)) === n);
}

const ALGORITHMS = ['MD5', 'SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];

function hash(value: unknown, algorithm: string): string {
  if (!ALGORITHMS.includes(algorithm)) throw new RangeError(`unknown algorithm ${algorithm}`);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return createHash(algorithm.replace('-', '').toLowerCase()).update(text).digest('hex');
}

function merge(first: object, second: object, deep: boolean): object {
  if (deep) throw new TypeError('only a shallow merge exists: the third argument must be false');
  return { ...first, ...second };
}

/** Every character of the second argument separates; empty parts are dropped. */
function split(text: string, separators: string): string[] {
  return text.split(new RegExp(`[${separators.replace(/[\]\\^-]/g, '\\$&')}]`)).filter((part) => part !== '');
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function array(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError('not an array');
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('not a number');
  return value;
}
