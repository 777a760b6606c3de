import type { Provider } from '../domain/effect.ts';
import type { ContentOwner, Documents, Events, PublishedEvent } from '../domain/ports.ts';
import { instantOf } from '../store/calendar.ts';
import {
  claim,
  cursorOf,
  isClaimed,
  markFailed,
  markPublished,
  nextOrdered,
  readMessages,
  type Message,
} from '../store/claims.ts';
import type { Store } from '../store/store.ts';
import type { Key } from '../store/table-port.ts';
import { eachApart } from './eachApart.ts';
import type { EffectInput } from './task.ts';
import type { StateMachines } from './stateMachines.ts';
import { redrive, stop, type Asked } from './steer.ts';
import { startEffect, wake, type Started } from './wake.ts';

export type Publisher = {
  store: Store;
  stateMachines: StateMachines;
  events: Events;
  documents: Pick<Documents, 'destroy'>;
};

/**
 * Tells what the messages say, each at least once and, for one aggregate's ordered messages, in their order. What fed
 * the keys (stream, middleware, sweep) is a hint: the message itself, read consistently, decides.
 */
export async function publish(publisher: Publisher, keys: readonly Key[]): Promise<void> {
  await eachApart(await readMessages(publisher.store, keys), async (message) => {
    let next: Message | undefined = message;
    while (next && (await publishOne(publisher, next))) next = await following(publisher.store, next);
  });
}

/** An ordered message may make its aggregate's next one due; others have no next. */
const following = (store: Store, message: Message) =>
  message.after === undefined ? Promise.resolve(undefined) : nextOrdered(store, message);

/** One message, if it is due and nobody else has it; answers whether it is published now. */
async function publishOne(publisher: Publisher, message: Message): Promise<boolean> {
  const { store } = publisher;
  const now = instantOf(store.now());
  if (message.status !== 'NEW' && message.status !== 'PUBLISHING') return message.status === 'PUBLISHED';
  if (message.notBefore !== undefined && message.notBefore > now) return false;
  if (isClaimed(store, message)) return false;
  // A message whose turn has not come is not claimed and costs no attempt.
  if (message.after !== undefined && (await cursorOf(store, message)) !== message.after) return false;

  const mine = await claim(store, message);
  if (!mine) return false;
  const told = await tell(publisher, mine);
  if ('failed' in told || 'conflict' in told) {
    const dead = 'conflict' in told;
    await markFailed(store, mine, dead ? told.conflict : told.failed, dead);
    return false;
  }
  // It is told: that it cannot be marked is no failed attempt. It stays claimed, and is told once more after the claim.
  return markPublished(store, mine, told.providerMessageId);
}

async function tell(publisher: Publisher, mine: Message): Promise<Started | { failed: string }> {
  try {
    return await (mine.n === 0 ? announce(publisher.events, mine) : askFor(publisher, mine));
  } catch (error) {
    return { failed: (error as Error).name };
  }
}

async function announce(events: Events, message: Message): Promise<Started> {
  const [entry] = await events.publish([eventOf(message)]);
  if (!entry || 'failed' in entry) throw new NotPublished(entry?.failed ?? 'no entry');
  return entry;
}

/** The event bus did not take the entry; the whole call may have succeeded all the same. */
class NotPublished extends Error {
  override readonly name = 'NotPublished';
}

const eventOf = (message: Message): PublishedEvent => ({
  eventId: message.eventId,
  type: message.messageType,
  tenant: message.tenant,
  aggregateType: message.aggregateType,
  aggregateId: message.aggregateId,
  aggregateVersion: message.aggregateVersion,
  seq: message.seq,
  at: message.createdAt,
  correlationId: message.correlationId,
  payload: message.payload,
});

function askFor({ store, stateMachines, documents }: Publisher, message: Message): Promise<Started> {
  const input = {
    ...message.payload,
    tenant: message.tenant,
    correlationId: message.correlationId,
    requestedBy: message.requestedBy,
  } as EffectInput & { provider: Provider };
  switch (message.messageType) {
    case 'notice':
    case 'notification':
    case 'registration':
      return startEffect(store, stateMachines, message.messageType, input);
    case 'wake':
      return wake(store, stateMachines, input.provider, input);
    case 'redrive':
      return redrive(stateMachines, message.payload as Asked);
    case 'stop':
      return stop(stateMachines, message.payload as Asked);
    case 'destroyContent':
      return destroyed(documents, { ...(message.payload as Omit<ContentOwner, 'tenant'>), tenant: message.tenant });
    default:
      return Promise.resolve({ conflict: `nobody knows how to do ${message.messageType}` });
  }
}

/** Short and repeatable, so that it needs no machine: what is gone is destroyed already. */
async function destroyed(documents: Publisher['documents'], owner: ContentOwner): Promise<Started> {
  await documents.destroy(owner);
  return { providerMessageId: owner.ownerId };
}
