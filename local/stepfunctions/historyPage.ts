import { ApiError } from './errors.ts';
import { asAwsEvent, type HistoryEvent } from './history.ts';
import type { Reader } from './reader.ts';
import type { Run } from './run.ts';

const MOST_PER_PAGE = 1000;

/** A page of GetExecutionHistory. What a running execution has not written yet is read from its memory. */
export async function readHistory(
  reader: Reader,
  run: Run | undefined,
  arn: string,
  request: Record<string, unknown>,
): Promise<object> {
  const size = Math.min((request.maxResults as number | undefined) || 100, MOST_PER_PAGE);
  const step = request.reverseOrder === true ? -1 : 1;
  const unsaved = [...(run?.unsavedEvents ?? [])]; // before the journal is read: what moves there meanwhile is seen twice, never not at all
  const first =
    firstOf(request.nextToken) ?? (step === 1 ? 1 : (unsaved.at(-1)?.id ?? (await reader.lastEventId(arn))));
  const saved = await reader.events(arn, first, step, size + 1);
  const events = merged(saved, unsaved, first, step);
  const page = events.slice(0, size);
  return {
    events: page.map((event) => asAwsEvent(event, request.includeExecutionData !== false)),
    nextToken: events.length > size ? String(events[size]!.id) : undefined,
  };
}

function firstOf(token: unknown): number | undefined {
  if (token === undefined || token === null) return undefined;
  if (typeof token !== 'string' || !/^\d{1,5}$/.test(token)) throw new ApiError('InvalidToken', 'Invalid Token');
  return Number(token);
}

function merged(saved: HistoryEvent[], unsaved: HistoryEvent[], first: number, step: 1 | -1): HistoryEvent[] {
  const known = new Set(saved.map((event) => event.id));
  const more = unsaved.filter((event) => !known.has(event.id) && (event.id - first) * step >= 0);
  return [...saved, ...more].sort((a, b) => (a.id - b.id) * step);
}
