import assert from 'node:assert/strict';
import { GraphQLError } from 'graphql';
import { describe, it } from 'vitest';
import { Busy, InvariantBreach, NotAccepted, OutcomeUnknown, type BusyReason } from '../../domain/answer.ts';
import { failure, masked, publicCodes } from '../../resolvers/masking.ts';

const secret = 'T#demo#CASE#1 ana@regulator.example';
const told = (error: unknown) => {
  const log: Record<string, unknown>[] = [];
  const answer = failure(
    masked((line) => log.push(line)),
    error,
  );
  const { errors } = JSON.parse(answer.body) as { errors: { message: string; extensions: Record<string, unknown> }[] };
  return { ...answer, message: errors[0]!.message, extensions: errors[0]!.extensions, log };
};

describe('masking', () => {
  const reasons: [BusyReason, string][] = [
    ['CONTENTION', 'CONTENTION'],
    ['OVERLOADED', 'OVERLOADED'],
    ['UNAVAILABLE', 'UNAVAILABLE'],
    ['NOT_YET', 'CONTENTION'],
  ];
  for (const [reason, code] of reasons)
    it(`tells that nothing was done and when to try again: ${reason}`, () => {
      const { message, extensions } = told(new Busy(secret, reason));
      assert.deepEqual([extensions['code'], extensions['retryable']], [code, true]);
      assert.ok((extensions['retryAfterMs'] as number) > 0 && !message.includes(secret));
    });

  it('tells that something may have been done', () => {
    const { message, extensions } = told(new OutcomeUnknown(secret));
    assert.deepEqual([extensions['code'], extensions['retryable']], ['OUTCOME_UNKNOWN', true]);
    assert.ok(!message.includes(secret));
  });

  const ours: [string, unknown][] = [
    ['an error', new Error(secret)],
    ['a bug', new TypeError(secret)],
    ['a breach', new InvariantBreach(secret, { cause: new Error(secret) })],
    ['a refusal of another party', new NotAccepted(secret, 'later')],
    ['an error of the database', Object.assign(new Error(secret), { name: 'ValidationException', $metadata: {} })],
    ['an error with an unknown code', new GraphQLError(secret, { extensions: { code: 'E_SECRET', secret } })],
    ['an error without a code', new GraphQLError(secret)],
    ['a text', secret],
    ['nothing', undefined],
    ['null', null],
    ['an object', { message: secret }],
  ];
  for (const [what, error] of ours)
    it(`keeps ${what} to itself, under an id that the log knows`, () => {
      const { status, body, extensions, log } = told(error);
      assert.deepEqual(
        [status, extensions['code'], Object.keys(extensions).sort()],
        [500, 'INTERNAL', ['code', 'errorId', 'retryable']],
      );
      assert.ok(!body.includes('T#demo') && !body.includes('ana@'));
      assert.deepEqual(
        log.map((line) => line['errorId']),
        [extensions['errorId']],
      );
    });

  it('keeps persons and keys out of the log, too, where a message may quote them', () => {
    for (const [, error] of ours.filter(([what]) => !['a bug', 'a breach'].includes(what)))
      assert.ok(!JSON.stringify(told(error).log).includes('ana@'));
  });

  for (const code of publicCodes)
    it(`lets ${code} through with what the contract names and nothing else`, () => {
      const { message, extensions } = told(
        new GraphQLError('Said so. Did you mean "summary" or "status"?', {
          extensions: { code, stacktrace: ['at x'], inner: secret, retryable: true, http: { status: 503 } },
        }),
      );
      assert.deepEqual([message, extensions], ['Said so.', { code, retryable: true }]);
    });
});
