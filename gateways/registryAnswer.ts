import type { RegistryAnswer } from '../domain/ports.ts';
import { isObject, isText } from './json.ts';

export type FinalRegistryAnswer = Exclude<RegistryAnswer, { status: 'PENDING' }>;

/** One printable line, as a case can record it: what is not would be a registration that nobody can enter. */
const isRegistryNumber = (value: unknown): value is string =>
  isText(value) && /^[\x21-\x7e]([\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(value);

/** The registry's words as a value of ours, holding nothing but known fields; undefined if they are not the contract's. */
export function registryAnswerOf(value: unknown): RegistryAnswer | undefined {
  if (!isObject(value) || !isText(value.reference)) return undefined;
  const { status, reference, registryNumber, reason } = value;
  if (status === 'PENDING') return { status, reference };
  if (status === 'ACCEPTED' && isRegistryNumber(registryNumber)) return { status, registryNumber, reference };
  if (status === 'REFUSED' && isText(reason)) return { status, reason, reference };
  return undefined;
}
