import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { Events, PublishedEvent } from '../domain/ports.ts';
import { codeOf } from './httpExchange.ts';

/** The bus takes so much at once; an entry counts its detail, its names and some change. */
const mostEntries = 10;
const mostBytes = 240_000;

type Settings = { client: EventBridgeClient; bus: string; source: string };
type Outcome = Awaited<ReturnType<Events['publish']>>[number];

/** Events on an EventBridge bus. The call's success says nothing about its entries, so each is looked at. */
export function eventBridgeEvents({ client, bus, source }: Settings): Events {
  const put = async (entries: PutEventsRequestEntry[]): Promise<Outcome[]> => {
    try {
      const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: entries }));
      return entries.map((_, i) => {
        const { EventId, ErrorCode } = Entries[i] ?? {};
        return EventId ? { providerMessageId: EventId } : { failed: ErrorCode ?? 'NoAnswer' };
      });
    } catch (error) {
      return entries.map(() => ({ failed: codeOf(error) }));
    }
  };

  return {
    async publish(events) {
      const outcomes: Outcome[] = [];
      // One call after the other: what comes later must not overtake what came before.
      for (const batch of batches(events.map((event) => entryOf(event, bus, source))))
        outcomes.push(...(await put(batch)));
      return outcomes;
    },
  };
}

function entryOf(event: PublishedEvent, bus: string, source: string): PutEventsRequestEntry {
  return {
    EventBusName: bus,
    Source: source,
    DetailType: event.type,
    Time: new Date(event.at),
    Detail: JSON.stringify(event),
  };
}

function batches(entries: PutEventsRequestEntry[]): PutEventsRequestEntry[][] {
  const all: PutEventsRequestEntry[][] = [];
  let size = 0;
  for (const entry of entries) {
    const bytes = Buffer.byteLength(entry.Detail ?? '') + 512;
    const batch = all.at(-1);
    if (batch && batch.length < mostEntries && size + bytes <= mostBytes) {
      batch.push(entry);
      size += bytes;
      continue;
    }
    all.push([entry]);
    size = bytes;
  }
  return all;
}
