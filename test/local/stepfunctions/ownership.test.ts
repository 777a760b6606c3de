import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { movableClock } from '../../../local/stepfunctions/clock.ts';
import { callback, machine, nameOf, noon, startHost, task, until, useDynamoDb } from './host.ts';

useDynamoDb();

/** A function that counts its calls and waits to be let go. */
function gate() {
  const open: (() => void)[] = [];
  return { call: () => new Promise<void>((resolve) => open.push(resolve)), open };
}

describe('two processes over one table', () => {
  it('never both run an execution: the earlier one is fenced off at its next write', async () => {
    const held = gate();
    const later: string[] = [];
    const definition = machine({ A: task('held', { ResultPath: null, OutputPath: '$', Next: 'B' }), B: task('after') });
    const old = await startHost({
      functions: { held: held.call, after: () => Promise.resolve(void later.push('old')) },
    });
    const arn = await old.start(await old.create(definition), {});
    await until(() => held.open.length === 1);

    const young = await startHost({
      table: old.table,
      functions: { held: () => Promise.resolve(), after: () => Promise.resolve(void later.push('young')) },
    });
    assert.equal((await young.over(arn)).status, 'SUCCEEDED');
    held.open[0]!();
    await pause(50);

    assert.deepEqual(later, ['young']);
    assert.match(await nameOf(old.start(await old.create(definition), {}, 'another')), /ServiceUnavailable/);
  });

  it('never accept an answer that only the earlier one would hear', async () => {
    const tokens: string[] = [];
    const functions = {
      submit: (payload: unknown) => Promise.resolve(void tokens.push((payload as { token: string }).token)),
    };
    const old = await startHost({ functions });
    const arn = await old.start(await old.create(machine({ A: callback('submit') })), {});
    await old.reached(arn, 'TaskSubmitted');
    const young = await startHost({ table: old.table, functions });
    assert.notEqual(await nameOf(old.succeed(tokens[0]!, 'lost')), 'no error');
    await young.succeed(tokens[0]!, 'heard');
    assert.equal((await young.over(arn)).output, '"heard"');
  });

  it('without a lock wait for the lease of a dead one, and refuse to start beside a living one', async () => {
    const clock = movableClock(noon);
    const old = await startHost({ functions: {}, clock, exclusive: false });
    const beside = startHost({ table: old.table, functions: {}, clock, exclusive: false }).then(
      () => 'started',
      (error: Error) => error.message,
    );
    for (let tenth = 0; tenth < 6; tenth++) {
      await pause(20); // the living one renews in between
      clock.moveBy(5_000);
    }
    assert.match(await beside, /another process runs the state machines/);

    await old.close();
    const next = await startHost({ table: old.table, functions: {}, clock, exclusive: false });
    assert.equal(await nameOf(next.create(machine({ A: { Type: 'Succeed' } }))), 'no error');
  });
});
