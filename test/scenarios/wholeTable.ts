import canonicalize from 'canonicalize';
import { setTimeout as pause } from 'node:timers/promises';
import type { Local } from './target.ts';

/** Every item of the table, as the database tells it; undefined where the table is not at hand. */
export type WholeTable = Set<string> | undefined;

/** The table once publisher and machines have come to rest: nothing at work, and nothing changes any more. */
export async function tableAtRest(local: Local | undefined): Promise<WholeTable> {
  if (!local) return undefined;
  for (let before = new Set(['never']); ; await pause(50)) {
    const now = await scan(local);
    if (differences(before, now).length === 0) return now;
    before = [...now].some((item) => atWork.test(item) && !notYet.test(item)) ? new Set(['at work']) : now;
  }
}

export const wholeTable = (local: Local | undefined): Promise<WholeTable> =>
  local ? scan(local) : Promise.resolve(undefined);

/** What one has and the other has not: of two tables, that is what was written, changed or taken away. */
export const differences = (before: WholeTable, after: WholeTable): string[] => [
  ...[...(before ?? [])].filter((item) => !after!.has(item)),
  ...[...(after ?? [])].filter((item) => !before!.has(item)),
];

/** A message to be told, a lease that is held, a notice to be rendered: more is about to be written. */
const atWork = /"PENDING#OUTBOX|"HELD"|"REQUESTED"/;

/** Bytes are destroyed after the last link to them has ended: that waits for the clock, and nothing else does. */
const notYet = /"destroyContent"/;

/** Without a client in between: the tests look often, and at everything. */
async function scan({ parts }: Local): Promise<Set<string>> {
  const found = new Set<string>();
  let ExclusiveStartKey: unknown;
  do {
    const response = await fetch(parts.dynamodb, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.Scan',
        'x-amz-date': '20260101T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: JSON.stringify({ TableName: 'docket', ConsistentRead: true, ExclusiveStartKey }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the table cannot be scanned: ${text}`);
    const page = JSON.parse(text) as { Items: object[]; LastEvaluatedKey?: unknown };
    for (const item of page.Items) found.add(canonicalize(item)!);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}
