import type { RegistryAnswer } from '../domain/ports.ts';

export type FinalRegistryAnswer = Exclude<RegistryAnswer, { status: 'PENDING' }>;

/** The registry's words as a value of ours, holding nothing but known fields; undefined if they are not the contract's. */
export function registryAnswerOf(value: unknown): RegistryAnswer | undefined {
  if (!isObject(value) || !isText(value.reference)) return undefined;
  const { status, reference, registryNumber, reason } = value;
  if (status === 'PENDING') return { status, reference };
  if (status === 'ACCEPTED' && isText(registryNumber)) return { status, registryNumber, reference };
  if (status === 'REFUSED' && isText(reason)) return { status, reason, reference };
  return undefined;
}

/** JSON from outside: undefined instead of an error, because the caller must say what a malformed answer means. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 2000;
