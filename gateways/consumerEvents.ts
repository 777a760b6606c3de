import type { Events, PublishedEvent } from '../domain/ports.ts';
import { codeOf } from './httpExchange.ts';

/** Somebody who wants to know. Harmless under duplicates: a failed event is published again to everybody. */
export type Consumer = { name: string; handle: (event: PublishedEvent) => Promise<void> };

/** Events without a bus: the same consumers, called one by one and in order. One that fails does not keep the others. */
export function consumerEvents(consumers: Consumer[]): Events {
  return {
    async publish(events) {
      const outcomes = [];
      for (const event of events) {
        const failed = await tell(consumers, event);
        outcomes.push(
          failed.length > 0 ? { failed: failed.join(', ') } : { providerMessageId: `local-${event.eventId}` },
        );
      }
      return outcomes;
    },
  };
}

async function tell(consumers: Consumer[], event: PublishedEvent): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, handle } of consumers) {
    try {
      await handle(event);
    } catch (error) {
      failed.push(`${name}: ${codeOf(error)}`);
    }
  }
  return failed;
}
