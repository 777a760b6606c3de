import type { FrameItem } from './frame.ts';
import type { HistoryEvent } from './history.ts';
import { keys } from './table.ts';

/** What has happened in an execution since the journal last heard of it. */
export type Changes = { events: HistoryEvent[]; frames: FrameItem[]; tokens: string[] };

/** Events lie side by side in one item as long as they fit: most writes then need a single one. */
const MOST_BYTES_OF_EVENTS = 300_000;
const MOST_BYTES_OF_TRANSACTION = 3_500_000; // DynamoDB: 4 MB
const MOST_ITEMS_OF_TRANSACTION = 90; // DynamoDB: 100

export const eventItems = (arn: string, events: HistoryEvent[]): EventItem[] =>
  groups(events, MOST_BYTES_OF_EVENTS, Infinity).map((group) => ({
    ...keys.events(arn, group[0]!.id),
    ...packed(group),
  }));

/** One text is read many times faster than nested attributes; long strings stay out of it, since escaping could double them. */
export type EventItem = { events: string; long?: string[] };

const LONG = 1000;

function packed(events: HistoryEvent[]): EventItem {
  const long: string[] = [];
  const text = JSON.stringify(events, (_, value: unknown) =>
    typeof value === 'string' && value.length >= LONG ? { long: long.push(value) - 1 } : value,
  );
  return { events: text, long: long.length > 0 ? long : undefined };
}

export const unpacked = ({ events, long }: EventItem): HistoryEvent[] =>
  JSON.parse(events, (_, value: unknown) =>
    long && typeof value === 'object' && value !== null && 'long' in value ? long[value.long as number] : value,
  ) as HistoryEvent[];

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
