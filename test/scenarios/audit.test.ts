import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { on, openOffice, underReview, type Matter, type Office } from './office.ts';
import { auditVerifies, verifyAudit } from './outcome.ts';
import { deployedUrl, startTarget, type Local, type Target } from './target.ts';

type Item = Record<string, AttributeValue>;

const TableName = 'docket';
let target: Target;
let local: Local;
let office: Office;
let matter: Matter;
beforeAll(async () => {
  target = await startTarget();
  if (!target.local) return;
  ({ local } = target);
  office = await openOffice(target);
});
afterAll(() => target?.stop());
beforeEach(async () => {
  if (!local) return;
  const rejected = await on(office.ben, await underReview(office), 'rejectCase', { reason: 'Not proved.' });
  matter = await on(office.ana, rejected, 'closeCase', { reason: 'Nothing to enforce.' });
});

/** The stored events of the case, in their order. */
async function storedEvents(): Promise<Item[]> {
  const partition = `T#${target.tenant}#CASE#${Buffer.from(matter.caseId, 'base64url').toString().split(':')[1]}`;
  const { Items = [] } = await local.dynamodb.send(
    new QueryCommand({
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :event)',
      ExpressionAttributeValues: { ':pk': { S: partition }, ':event': { S: 'EVENT#' } },
    }),
  );
  return Items;
}

const put = (item: Item) => local.dynamodb.send(new PutItemCommand({ TableName, Item: item }));

/** One event changed behind the product's back. */
async function alter(seq: number, change: (event: Item) => Item): Promise<void> {
  const event = (await storedEvents())[seq - 1]!;
  await put(change(structuredClone(event)));
}

/** The text with one byte of it another. */
const nudged = (text: string) => String.fromCharCode(text.charCodeAt(0) ^ 1) + text.slice(1);
const nudge = (event: Item, name: string): Item => ({ ...event, [name]: { S: nudged(event[name]!.S!) } });

/** What stands at the door of a court: the command says no, and which event. */
async function isFoundOut(...wanted: string[]): Promise<void> {
  const { code, output } = await verifyAudit(local, matter.number);
  expect(code).toBe(1);
  for (const text of wanted) expect(output).toContain(text);
  expect(output).toContain(`the audit chain of case ${matter.number} does not verify`);
}

describe.skipIf(deployedUrl)('the audit of a finished case (whose table is at hand)', () => {
  it('verifies by the command', async () => {
    const events = await auditVerifies(target, office.sue, matter);
    expect(events.at(-1)!.type).toBe('closeCase');
  });

  it('is found out when one byte of a reason is another', async () => {
    const events = await storedEvents();
    const seq = events.findIndex((event) => event['details']?.M?.['reason']?.S === 'Not proved.') + 1;
    expect(seq).toBeGreaterThan(0);
    await alter(seq, (event) => {
      event['details']!.M!['reason'] = { S: nudged('Not proved.') };
      return event;
    });
    await isFoundOut(`event ${seq}: details were altered`);
  });

  const covered = ['actor', 'at', 'to'];
  for (const name of covered)
    it(`is found out when one byte of the ${name} of an event is another`, async () => {
      await alter(1, (event) => nudge(event, name));
      await isFoundOut('event 1: altered: the hash does not match');
    });

  it('is found out when an event and its own hash are made to agree, since the next one does not', async () => {
    await alter(2, (event) => nudge(event, 'hash'));
    await isFoundOut('event 2: altered', 'event 3: does not follow the event before it');
  });

  it('is found out when an event is gone, from the middle or from the end', async () => {
    const events = await storedEvents();
    const remove = ({ pk, sk }: Item) =>
      local.dynamodb.send(new DeleteItemCommand({ TableName, Key: { pk: pk!, sk: sk! } }));
    await remove(events[2]!);
    await isFoundOut('event 3: expected event 3, found 4');
    await put(events[2]!);
    await remove(events.at(-1)!);
    await isFoundOut(`event ${events.length}: ${events.length - 1} events are stored`);
    await put(events.at(-1)!);
    await auditVerifies(target, office.sue, matter);
  });

  it('is found out when details are taken away without a redaction', async () => {
    await alter(1, ({ details: _, ...event }) => event);
    await isFoundOut('event 1: details are missing without a redaction');
  });

  it('is found out when the case itself names another last event', async () => {
    const { pk } = (await storedEvents())[0]!;
    const Key = { pk: pk!, sk: { S: 'META' } };
    const { Item: meta } = await local.dynamodb.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    await put(nudge(meta as Item, 'auditHead'));
    await isFoundOut('the head is another event');
  });

  it('of a case that is not there is an error, not a chain without faults', async () => {
    const { code, output } = await verifyAudit(local, '2026-999999');
    expect(code).toBe(1);
    expect(output).toContain('has no case 2026-999999');
  });
});
