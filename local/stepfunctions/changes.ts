import type { FrameItem } from './frame.ts';
import type { HistoryEvent } from './history.ts';
import { keys } from './table.ts';

/** What has happened in an execution since the journal last heard of it. */
export type Changes = { events: HistoryEvent[]; frames: FrameItem[]; tokens: string[] };

/** Events lie side by side in one item as long as they fit: most writes then need a single one. */
const MOST_BYTES_OF_EVENTS = 300_000;
const MOST_BYTES_OF_TRANSACTION = 3_500_000; // DynamoDB: 4 MB
const MOST_ITEMS_OF_TRANSACTION = 90; // DynamoDB: 100

export function eventItems(arn: string, events: HistoryEvent[]): { events: HistoryEvent[] }[] {
  return groups(events, MOST_BYTES_OF_EVENTS, Infinity).map((group) => ({
    ...keys.events(arn, group[0]!.id),
    events: group,
  }));
}

export const transactionsOf = <T>(items: T[]): T[][] =>
  groups(items, MOST_BYTES_OF_TRANSACTION, MOST_ITEMS_OF_TRANSACTION);

function groups<T>(things: T[], mostBytes: number, most: number): T[][] {
  const all: T[][] = [];
  let room = 0;
  for (const thing of things) {
    const bytes = Buffer.byteLength(JSON.stringify(thing));
    if (all.length === 0 || bytes > room || all.at(-1)!.length === most) {
      all.push([]);
      room = mostBytes;
    }
    all.at(-1)!.push(thing);
    room -= bytes;
  }
  return all;
}
