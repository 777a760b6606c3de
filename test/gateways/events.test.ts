import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, describe, it } from 'vitest';
import type { PublishedEvent } from '../../domain/ports.ts';
import { consumerEvents } from '../../gateways/consumerEvents.ts';
import { eventBridgeEvents } from '../../gateways/eventBridgeEvents.ts';

const event = (n: number, payload: Record<string, unknown> = {}): PublishedEvent => ({
  eventId: `event-${n}`,
  type: 'CaseApproved',
  tenant: 'de',
  aggregateType: 'Case',
  aggregateId: 'case-1',
  aggregateVersion: n,
  seq: n,
  at: '2026-03-02T12:00:00.000Z',
  correlationId: 'c-1',
  payload,
});
const events = (count: number) => Array.from({ length: count }, (_, n) => event(n));

type Entry = { EventBusName: string; Source: string; DetailType: string; Detail: string; Time: number };
const servers: http.Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

async function busThat(answer: (entries: Entry[], call: number) => { status: number; body: unknown }) {
  const calls: Entry[][] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { Entries } = JSON.parse(body) as { Entries: Entry[] };
      calls.push(Entries);
      const said = answer(Entries, calls.length);
      response.writeHead(said.status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(said.body));
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const client = new EventBridgeClient({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  return { calls, bus: eventBridgeEvents({ client, bus: 'docket', source: 'docket' }) };
}

const idOf = ({ Detail }: Entry) => (JSON.parse(Detail) as PublishedEvent).eventId;
const takes = (entries: Entry[]) => ({
  status: 200,
  body: { FailedEntryCount: 0, Entries: entries.map((entry) => ({ EventId: `bus-${idOf(entry)}` })) },
});

describe('events on a bus', () => {
  it('go out in order, ten at a time, each with its own answer', async () => {
    const { bus, calls } = await busThat(takes);
    const outcomes = await bus.publish(events(23));
    assert.deepEqual(
      calls.map((entries) => entries.length),
      [10, 10, 3],
    );
    assert.deepEqual(
      outcomes,
      events(23).map(({ eventId }) => ({ providerMessageId: `bus-${eventId}` })),
    );
    const [first] = calls[0]!;
    assert.deepEqual([first?.EventBusName, first?.Source, first?.DetailType], ['docket', 'docket', 'CaseApproved']);
    assert.deepEqual(JSON.parse(first!.Detail), event(0));
  });

  it('go out in smaller lots when they are long', async () => {
    const { bus, calls } = await busThat(takes);
    await bus.publish([1, 2, 3, 4, 5].map((n) => event(n, { text: 'ü'.repeat(30_000) })));
    assert.deepEqual(
      calls.map((entries) => entries.length),
      [3, 2],
    );
  });

  it('are looked at one by one: a call that succeeded may hold failures', async () => {
    const { bus } = await busThat((entries) => ({
      status: 200,
      body: {
        FailedEntryCount: 1,
        Entries: entries.map((_, n) => (n === 1 ? { ErrorCode: 'InternalFailure' } : { EventId: `bus-${n}` })),
      },
    }));
    const outcomes = await bus.publish(events(3));
    assert.deepEqual(outcomes, [
      { providerMessageId: 'bus-0' },
      { failed: 'InternalFailure' },
      { providerMessageId: 'bus-2' },
    ]);
  });

  it('have failed when the call has, and only those of that call', async () => {
    const { bus } = await busThat((entries, call) =>
      call === 1 ? takes(entries) : { status: 400, body: { __type: 'ThrottlingException', message: 'slow down' } },
    );
    const outcomes = await bus.publish(events(11));
    assert.deepEqual(outcomes.slice(9), [{ providerMessageId: 'bus-event-9' }, { failed: 'ThrottlingException' }]);
  });

  it('have failed when the answer leaves them out', async () => {
    const { bus } = await busThat(() => ({ status: 200, body: {} }));
    assert.deepEqual(await bus.publish(events(1)), [{ failed: 'NoAnswer' }]);
  });

  it('make no call when there are none', async () => {
    const { bus, calls } = await busThat(takes);
    assert.deepEqual(await bus.publish([]), []);
    assert.equal(calls.length, 0);
  });
});

describe('events without a bus', () => {
  it('reach every consumer in order, and one that fails keeps no other', async () => {
    const heard: string[] = [];
    const hears = (name: string) => ({
      name,
      handle: ({ eventId }: PublishedEvent) => {
        if (name === 'b' && eventId === 'event-1') throw new TypeError('about Müller');
        heard.push(`${name}:${eventId}`);
        return Promise.resolve();
      },
    });
    const outcomes = await consumerEvents([hears('a'), hears('b'), hears('c')]).publish([event(1), event(2)]);
    assert.deepEqual(heard, ['a:event-1', 'c:event-1', 'a:event-2', 'b:event-2', 'c:event-2']);
    assert.deepEqual(outcomes, [{ failed: 'b: TypeError' }, { providerMessageId: 'local-event-2' }]);
  });
});
