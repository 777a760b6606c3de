import { update, type Change } from '../change.ts';
import { all, any, equals, missing } from '../condition.ts';
import type { MessageName, MessageStatus, OutboxMessage } from '../message.ts';
import { preconditionFailed } from '../refusal.ts';
import { ref, type Ref } from '../refs.ts';
import { defineOperation, type Operation } from './operation.ts';

type OnMessage<Name extends 'retryOutboxMessage' | 'skipOutboxMessage'> = Operation<Name, MessageStatus> & {
  message: MessageName;
};
export type RetryOutboxMessage = OnMessage<'retryOutboxMessage'>;
export type SkipOutboxMessage = OnMessage<'skipOutboxMessage'>;

/** What was given up is told again, from the first attempt. */
export const retryOutboxMessage = defineOperation({
  type: 'retryOutboxMessage',
  invariant: ['Only what was given up is told again, and how often is counted.'],
  subject: ({ message }: RetryOutboxMessage) => ref.message(message),
  statusOf: (message: OutboxMessage) => message.status,
  belongs: ofItsAggregate,
  decide: (message, _found, command) => ({
    announces: 'OutboxMessageRetried',
    changed: 'outbox',
    details: { ...named(message), ...(message.error && { error: message.error }) },
    payload: named(message),
    changes: [
      update(
        ref.message(command.message),
        {
          set: { status: 'NEW', attempts: 0, redriveCount: message.redriveCount + 1 },
          remove: ['error', 'notBefore', 'claimUntil'],
        },
        asRead(message),
      ),
    ],
  }),
});

/**
 * Nobody will be told. Of ordered messages only the next one can be skipped: consumers hear the others in their order,
 * and the cursor moves past this one in the same transaction.
 */
export const skipOutboxMessage = defineOperation({
  type: 'skipOutboxMessage',
  invariant: [
    'An ordered message is skipped only when it is the next, and the cursor passes it in the same transaction.',
  ],
  subject: ({ message }: SkipOutboxMessage) => ref.message(message),
  statusOf: (message: OutboxMessage) => message.status,
  belongs: ofItsAggregate,
  then: (message): { cursor?: Ref<{ at: number }> } =>
    message.after === undefined ? {} : { cursor: ref.cursor(message.aggregateId) },
  decide: (message, { cursor }, command) => {
    const { after, aggregateId, seq } = message;
    if (after !== undefined && after !== (cursor?.at ?? 0))
      return preconditionFailed('NOT_NEXT', 'an earlier message of the same case or officer has not been told yet');
    const passed: Change[] =
      after === undefined ? [] : [update(ref.cursor(aggregateId), { set: { at: seq } }, standsAt(after))];
    return {
      announces: 'OutboxMessageSkipped',
      changed: 'outbox',
      details: { ...named(message), ...(message.error && { error: message.error }) },
      payload: named(message),
      changes: [
        update(
          ref.message(command.message),
          { set: { status: 'SKIPPED' }, remove: ['notBefore', 'claimUntil'] },
          asRead(message),
        ),
        ...passed,
      ],
    };
  },
});

function ofItsAggregate(
  message: OutboxMessage,
  { aggregateType, aggregateId }: RetryOutboxMessage | SkipOutboxMessage,
): boolean {
  return message.aggregateType === aggregateType && message.aggregateId === aggregateId;
}

const named = ({ eventId, messageType, seq, n }: OutboxMessage) => ({ eventId, messageType, seq, n });

/** Nobody has claimed it since. */
const asRead = ({ status, claim }: OutboxMessage) => all(equals('status', status), equals('claim', claim));

const standsAt = (at: number) => (at === 0 ? any(missing('at'), equals('at', 0)) : equals('at', at));
