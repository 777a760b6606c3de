import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './table-port.ts';

/**
 * What an answer of the database means for a transaction: the table of commands.md §5, in the order of its §4.
 * Pure; the one place where old images and error names are read.
 */
export type Outcome =
  /** Slot 0 failed and shows the record that is there: rule 3. */
  | { kind: 'recordFound'; record: Item }
  /** Another premise failed, or the reasons do not say: read and decide again. */
  | { kind: 'moved'; failed: number[] }
  /** Not applied; the same plan after a pause. */
  | { kind: 'pause'; why: 'CONTENTION' | 'OVERLOADED' }
  /** It may have been applied, or may be yet. */
  | { kind: 'ambiguous'; inProgress: boolean }
  /** Nothing left this machine. */
  | { kind: 'notSent' }
  /** A bug or a configuration; never the caller's doing. */
  | { kind: 'broken'; what: string };

type Reason = { Code?: string; Item?: Record<string, AttributeValue> };
type Thrown = {
  name?: string;
  code?: string;
  message?: string;
  CancellationReasons?: Reason[];
  $metadata?: { httpStatusCode?: number };
};

const throttled = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];
const neverLeft = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

export function outcomeOf(error: unknown, writes: number): Outcome {
  const thrown = error as Thrown;
  const name = thrown.name ?? '';
  const status = thrown.$metadata?.httpStatusCode ?? 0;
  if (name === 'TransactionCanceledException') return cancelled(thrown.CancellationReasons ?? [], writes);
  if (name === 'TransactionInProgressException') return { kind: 'ambiguous', inProgress: true };
  if (name === 'TransactionConflictException') return { kind: 'pause', why: 'CONTENTION' };
  if (throttled.includes(name)) return { kind: 'pause', why: 'OVERLOADED' };
  if (neverLeft.includes(thrown.code ?? name)) return { kind: 'notSent' };
  if (name === 'IdempotentParameterMismatchException') return { kind: 'broken', what: 'two plans under one token' };
  if (status >= 400 && status < 500) return { kind: 'broken', what: name };
  return { kind: 'ambiguous', inProgress: false }; // time-out, reset, abort after send, 5xx, and whatever is unknown
}

function cancelled(reasons: Reason[], writes: number): Outcome {
  const codes = reasons.map((reason) => reason.Code ?? 'None');
  const failed = codes.flatMap((code, slot) => (code === 'ConditionalCheckFailed' ? [slot] : []));
  const record = reasons[0]?.Item;
  if (failed.includes(0) && record && Object.keys(record).length > 0)
    return { kind: 'recordFound', record: unmarshall(record) as Item };
  if (failed.length > 0 || reasons.length < writes) return { kind: 'moved', failed };

  const causes = codes.filter((code) => code !== 'None');
  const bad = causes.find((code) => !throttled.includes(code) && code !== 'TransactionConflict');
  if (bad) return { kind: 'broken', what: bad };
  if (causes.length === 0) return { kind: 'moved', failed };
  return { kind: 'pause', why: causes.includes('TransactionConflict') ? 'CONTENTION' : 'OVERLOADED' };
}

/** Whether every write has its reason and all but the failed conditions have none: then nothing else was in the way. */
export function failedAlone(error: unknown, writes: number): boolean {
  const codes = ((error as Thrown).CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
  return codes.length === writes && codes.every((code) => code === 'None' || code === 'ConditionalCheckFailed');
}
