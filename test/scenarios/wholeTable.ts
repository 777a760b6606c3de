import { ScanCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import canonicalize from 'canonicalize';
import { setTimeout as pause } from 'node:timers/promises';
import type { Local } from './target.ts';

/** Every item of the table as text, once publisher and machines have come to rest; nothing where it is not at hand. */
export async function wholeTable(local: Local | undefined): Promise<string[]> {
  if (!local) return [];
  for (let before: string[] = []; ; await pause(50)) {
    const now = await scan(local);
    if (now.length === before.length && now.every((item, i) => item === before[i])) return now;
    before = now.some((item) => atWork.test(item)) ? [] : now;
  }
}

/** A message to be told, a lease that is held, a notice to be rendered: more is about to be written. */
const atWork = /"PENDING#OUTBOX|"HELD"|"REQUESTED"/;

/** What one has and the other has not: of two tables, that is what was written, changed or taken away. */
export const differences = (before: string[], after: string[]): string[] => {
  const [had, has] = [new Set(before), new Set(after)];
  return [...before.filter((item) => !has.has(item)), ...after.filter((item) => !had.has(item))];
};

async function scan({ dynamodb }: Local): Promise<string[]> {
  const items: string[] = [];
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await dynamodb.send(new ScanCommand({ TableName: 'docket', ConsistentRead: true, ExclusiveStartKey }));
    items.push(...(page.Items ?? []).map((item) => canonicalize(item)!));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items.sort();
}
