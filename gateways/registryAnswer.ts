import { isRegistryNumber } from '../domain/action/registryNumber.ts';
import type { RegistryAnswer } from '../domain/ports.ts';
import { isObject, isText } from './json.ts';

export type FinalRegistryAnswer = Exclude<RegistryAnswer, { status: 'PENDING' }>;

/** The registry's words as a value of ours, holding nothing but known fields; undefined if they are not the contract's. */
export function registryAnswerOf(value: unknown): RegistryAnswer | undefined {
  if (!isObject(value) || !isText(value.reference)) return undefined;
  const { status, reference, registryNumber, reason } = value;
  if (status === 'PENDING') return { status, reference };
  if (status === 'ACCEPTED' && isText(registryNumber) && isRegistryNumber(registryNumber))
    return { status, registryNumber, reference };
  if (status === 'REFUSED' && isText(reason)) return { status, reason, reference };
  return undefined;
}
