import { describe, expect, it } from 'vitest';
import { wireOf } from '../../store/dynamo.ts';
import { outcomeOf, type Outcome } from '../../store/outcome.ts';
import { answered, answerLost, cancelled } from './faults.ts';

const none = { Code: 'None' };
const failed = { Code: 'ConditionalCheckFailed' };
const because = (Code: string) => ({ Code });
const record = { status: 'COMPLETED', generation: 1 };
const failedOnRecord = { ...failed, Item: wireOf(record) };
const coded = (code: string) => Object.assign(new Error(code), { code });

const contention: Outcome = { kind: 'pause', why: 'CONTENTION' };
const overloaded: Outcome = { kind: 'pause', why: 'OVERLOADED' };
const ambiguous: Outcome = { kind: 'ambiguous', inProgress: false };
const broken = (what: string): Outcome => ({ kind: 'broken', what });
const moved = (...slots: number[]): Outcome => ({ kind: 'moved', failed: slots });

/** What the database answers to a transaction of two writes, and what it means: commands.md §5. */
const table: [string, Error, Outcome][] = [
  [
    'slot 0 failed, its record is there',
    cancelled(failedOnRecord, none),
    { kind: 'recordFound', record: record as never },
  ],
  ['slot 0 and another failed', cancelled(failedOnRecord, failed), { kind: 'recordFound', record: record as never }],
  ['slot 0 failed, no record with it', cancelled(failed, none), moved(0)],
  ['slot 0 failed, an empty record with it', cancelled({ ...failed, Item: {} }, none), moved(0)],
  ['another premise failed', cancelled(none, failed), moved(1)],
  ['a premise failed beside a conflict', cancelled(because('TransactionConflict'), failed), moved(1)],
  ['a premise failed beside a throttle', cancelled(failed, because('ThrottlingError')), moved(0)],
  ['the reasons are missing', cancelled(), moved()],
  ['fewer reasons than writes', cancelled(none), moved()],
  ['fewer reasons than writes, one a conflict', cancelled(because('TransactionConflict')), moved()],
  ['cancelled without any cause', cancelled(none, none), moved()],
  ['cancelled, a reason without its code', cancelled({}, {}), moved()],
  ['conflict', cancelled(none, because('TransactionConflict')), contention],
  ['conflict and throttle', cancelled(because('TransactionConflict'), because('ThrottlingError')), contention],
  ['throttle', cancelled(none, because('ThrottlingError')), overloaded],
  ['capacity', cancelled(because('ProvisionedThroughputExceeded'), none), overloaded],
  ['an invalid item', cancelled(none, because('ValidationError')), broken('ValidationError')],
  [
    'an invalid item beside a conflict',
    cancelled(because('TransactionConflict'), because('ValidationError')),
    broken('ValidationError'),
  ],
  [
    'a full collection',
    cancelled(because('ItemCollectionSizeLimitExceeded'), none),
    broken('ItemCollectionSizeLimitExceeded'),
  ],
  ['conflict on a single write', answered('TransactionConflictException', 400), contention],
  ['throttled', answered('ThrottlingException', 400), overloaded],
  ['capacity of the table', answered('ProvisionedThroughputExceededException', 400), overloaded],
  ['limit of the account', answered('RequestLimitExceeded', 400), overloaded],
  ['in progress', answered('TransactionInProgressException', 400), { kind: 'ambiguous', inProgress: true }],
  [
    'two plans under one token',
    answered('IdempotentParameterMismatchException', 400),
    broken('two plans under one token'),
  ],
  ['a server fault', answered('InternalServerError', 500), ambiguous],
  ['not available', answered('ServiceUnavailable', 503), ambiguous],
  ['time-out', answerLost(), ambiguous],
  ['our own abort', Object.assign(new Error('aborted'), { name: 'AbortError' }), ambiguous],
  ['reset', coded('ECONNRESET'), ambiguous],
  ['broken pipe', coded('EPIPE'), ambiguous],
  ['something nobody has seen', new Error('?'), ambiguous],
  ['connection refused', coded('ECONNREFUSED'), { kind: 'notSent' }],
  ['no such host', coded('ENOTFOUND'), { kind: 'notSent' }],
  ['name server busy', coded('EAI_AGAIN'), { kind: 'notSent' }],
  ['invalid request', answered('ValidationException', 400), broken('ValidationException')],
  ['no such table', answered('ResourceNotFoundException', 400), broken('ResourceNotFoundException')],
  ['access denied', answered('AccessDeniedException', 400), broken('AccessDeniedException')],
  ['wrong signature', answered('UnrecognizedClientException', 400), broken('UnrecognizedClientException')],
];

describe('an answer of the database', () => {
  for (const [what, error, outcome] of table)
    it(`means ${outcome.kind}${'why' in outcome ? ` for ${outcome.why}` : ''}: ${what}`, () => {
      expect(outcomeOf(error, 2)).toEqual(outcome);
    });

  it('about a read that timed out is ambiguous, too, and harmless: nothing was written', () => {
    expect(outcomeOf(answerLost(), 0)).toEqual(ambiguous);
  });
});
