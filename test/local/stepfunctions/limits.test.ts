import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { GetExecutionHistoryCommand } from '@aws-sdk/client-sfn';
import { callback, machine, nameOf, named, run, startHost, task, useDynamoDb } from './host.ts';

useDynamoDb();

const LIMIT = 262_144;
const json = (bytes: number) => 'x'.repeat(bytes - 2); // as JSON text with its quotes
const pass = machine({ A: { Type: 'Pass', End: true } });

describe('limits', () => {
  it('takes an input of 262,144 bytes, carries it through, and refuses one byte more', async () => {
    const host = await startHost({ functions: {} });
    const { output, events } = await run(host, pass, json(LIMIT));
    assert.equal((output as string).length, LIMIT - 2);
    assert.equal(events[1]!.stateEnteredEventDetails!.input!.length, LIMIT);
    assert.equal(await nameOf(host.start(await host.create(pass), json(LIMIT + 1), 'more')), 'InvalidExecutionInput');
  });

  it('keeps text that JSON escapes twice', async () => {
    const host = await startHost({ functions: {} });
    const quotes = '"'.repeat(LIMIT / 2 - 2);
    assert.equal((await run(host, pass, quotes)).output, quotes);
  });

  it('fails a task whose result is larger, for a catcher that names it', async () => {
    const host = await startHost({ functions: { big: () => Promise.resolve(json(LIMIT)) } });
    const end = await run(
      host,
      machine({
        A: task('big', { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }], End: true }),
        B: { Type: 'Succeed' },
      }),
    );
    assert.equal(end.error, 'States.DataLimitExceeded');
    const other = await startHost({ functions: { big: () => Promise.resolve(json(LIMIT)) } });
    const caught = await run(
      other,
      machine({
        A: task('big', { Catch: [{ ErrorEquals: ['States.DataLimitExceeded'], Next: 'B' }], End: true }),
        B: { Type: 'Succeed' },
      }),
    );
    assert.equal(caught.status, 'SUCCEEDED');
  });

  it('fails a state whose output grows beyond the limit', async () => {
    const host = await startHost({ functions: {} });
    const twice = { Type: 'Pass', Parameters: { 'a.$': '$', 'b.$': '$' }, End: true };
    assert.equal((await run(host, machine({ A: twice }), json(LIMIT / 2))).error, 'States.DataLimitExceeded');
  });

  it('refuses a larger answer to a callback', async () => {
    let token = '';
    const host = await startHost({
      functions: { submit: (payload) => Promise.resolve(void ({ token } = payload as { token: string })) },
    });
    const arn = await host.start(await host.create(machine({ A: callback('submit') })), {});
    await host.reached(arn, 'TaskSubmitted');
    assert.equal(await nameOf(host.succeed(token, json(LIMIT + 1))), 'InvalidOutput');
    await host.succeed(token, json(LIMIT));
    assert.equal((await host.over(arn)).status, 'SUCCEEDED');
  });

  it('cuts a long cause as AWS does', async () => {
    const host = await startHost({ functions: { fails: () => Promise.reject(named('Long', 'x'.repeat(100_000))) } });
    assert.equal((await run(host, machine({ A: task('fails') }))).cause!.length, 32_768);
  });

  for (const name of ['', 'a b', 'a/b', 'a:b', 'x'.repeat(81), 'a\u0007'])
    it(`refuses ${JSON.stringify(name.slice(0, 10))} as a name`, async () => {
      const host = await startHost({ functions: {} });
      const arn = await host.create(pass);
      assert.match(await nameOf(host.start(arn, {}, name)), /InvalidName|ValidationException/);
      assert.equal(await nameOf(host.start(arn, {}, 'x'.repeat(80))), 'no error');
    });

  it('ends an execution at 25,000 events, and pages through them in both directions', async () => {
    const host = await startHost({ functions: {} });
    const { arn, status, error, cause, events } = await run(
      host,
      machine({
        A: { Type: 'Pass', Next: 'B' },
        B: { Type: 'Choice', Choices: [{ Variable: '$.x', IsPresent: true, Next: 'End' }], Default: 'A' },
        End: { Type: 'Succeed' },
      }),
    );
    assert.deepEqual([status, error, events.length], ['FAILED', 'States.Runtime', 25_000]);
    assert.match(cause!, /maximum number of history events/);
    assert.deepEqual(
      events.map((event) => event.id),
      Array.from({ length: 25_000 }, (_, n) => n + 1),
    );
    assert.equal(await nameOf(host.redrive(arn)), 'ExecutionNotRedrivable');

    const page = await host.sfn.send(
      new GetExecutionHistoryCommand({ executionArn: arn, maxResults: 3, reverseOrder: true }),
    );
    assert.deepEqual(
      page.events!.map((event) => event.id),
      [25_000, 24_999, 24_998],
    );
    const following = await host.sfn.send(
      new GetExecutionHistoryCommand({
        executionArn: arn,
        maxResults: 2,
        reverseOrder: true,
        nextToken: page.nextToken,
      }),
    );
    assert.deepEqual(
      following.events!.map((event) => event.id),
      [24_997, 24_996],
    );
  });
});
