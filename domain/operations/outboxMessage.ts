import { check, update, type Change } from '../change.ts';
import { all, any, equals, missing, not } from '../condition.ts';
import type { LedgerRow, Provider } from '../effect.ts';
import type { EffectId } from '../ids.ts';
import type { MessageName, MessageStatus, OutboxCursor, OutboxMessage } from '../message.ts';
import { preconditionFailed } from '../refusal.ts';
import { ref, type Ref } from '../refs.ts';
import { askedOf, stillAsked, type Execution } from './execution.ts';
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
    'Work that is still owed is not skipped: it is withdrawn where it was asked for.',
  ],
  subject: ({ message }: SkipOutboxMessage) => ref.message(message),
  statusOf: (message: OutboxMessage) => message.status,
  belongs: ofItsAggregate,
  then: (message): Beside => ({
    ...(message.after !== undefined && { cursor: ref.cursor(message.aggregateId) }),
    ...(effectOf(message) && { effect: effectOf(message) }),
    ...(steers(message) && { execution: ref.execution(message.payload['execution'] as string) }),
  }),
  decide: (message, { cursor, execution, effect }, command) => {
    const { after, aggregateId, seq } = message;
    if (after !== undefined && after !== (cursor?.at ?? 0))
      return preconditionFailed('NOT_NEXT', 'an earlier message of the same case or officer has not been told yet');
    if (effect?.status === 'PLANNED')
      return preconditionFailed(
        'WORK_OWED',
        'the act is still owed, and is done by a later round: withdraw it in its case',
      );
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
        ...(execution ? [notAsked(message, execution)] : []),
        ...(effect ? [check(effectOf(message)!, not(equals('status', 'PLANNED')))] : []),
      ],
    };
  },
});

type Beside = {
  cursor?: Ref<OutboxCursor>;
  execution?: Ref<Execution>;
  effect?: Ref<LedgerRow> | undefined;
};

/** The act that a work request asks for. */
function effectOf({ n, messageType, payload }: OutboxMessage): Ref<LedgerRow> | undefined {
  const effectId = payload['effectId'] as EffectId | undefined;
  if (n === 0 || effectId === undefined) return undefined;
  const asked = messageType === 'registration' ? 'registry' : 'mailer';
  return ref.effect((payload['provider'] as Provider | undefined) ?? asked, effectId);
}

/** Whether it asks something of an execution. */
const steers = ({ n, messageType }: OutboxMessage): boolean => n > 0 && ['redrive', 'stop'].includes(messageType);

/** What was asked of an execution will not be done: it can be asked for again. */
function notAsked({ messageType, payload }: OutboxMessage, execution: Execution): Change {
  const asked = askedOf(messageType as 'redrive' | 'stop', payload as { redriveCount: number });
  const item = ref.execution(execution.name);
  return execution.asked === asked
    ? update(item, { remove: ['asked'] }, stillAsked(execution))
    : check(item, stillAsked(execution));
}

function ofItsAggregate(
  message: OutboxMessage,
  { aggregateType, aggregateId }: RetryOutboxMessage | SkipOutboxMessage,
): boolean {
  return message.aggregateType === aggregateType && message.aggregateId === aggregateId;
}

const named = ({ eventId, messageType, seq, n }: OutboxMessage) => ({ eventId, messageType, seq, n });

/** It is what was read, in its place; who claims it changes its status, and who retries it the count. */
const asRead = ({ status, redriveCount, seq, n, after }: OutboxMessage) =>
  all(
    ...[equals('status', status), equals('redriveCount', redriveCount)],
    ...[equals('seq', seq), equals('n', n), after === undefined ? missing('after') : equals('after', after)],
  );

const standsAt = (at: number) => (at === 0 ? any(missing('at'), equals('at', 0)) : equals('at', at));
