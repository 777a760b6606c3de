import type { RegistrySubmission } from '../../domain/ports.ts';
import { isObject, isText } from '../../gateways/json.ts';

/** The request as the contract knows it, or what is wrong with it. */
export function submissionOf(value: unknown): RegistrySubmission | string {
  if (!isObject(value)) return 'the body is not a JSON object';
  const { actionId, caseNumber, actionType, submissionNumber, partyName, provisions, issuedOn, ...unknown } = value;
  if (Object.keys(unknown).length > 0) return 'the body has fields the contract does not know';
  if (!isText(actionId)) return 'actionId is missing';
  if (!isText(caseNumber)) return 'caseNumber is missing';
  if (!isText(actionType)) return 'actionType is missing';
  if (!isCount(submissionNumber)) return 'submissionNumber is not a positive whole number';
  if (!isText(partyName)) return 'partyName is missing';
  if (!areTexts(provisions)) return 'provisions is not a list of texts';
  if (!isDate(issuedOn)) return 'issuedOn is not a date';
  return { actionId, caseNumber, actionType, submissionNumber, partyName, provisions, issuedOn };
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 100 && value.every(isText);

const isDate = (value: unknown): value is string =>
  isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`));
