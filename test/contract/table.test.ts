import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { absent, always, below, equals, exists } from '../../domain/condition.ts';
import { createTable } from '../../local/createTable.ts';
import { startDynamoDb, type DynamoDb } from '../../local/dynamodb.ts';
import { connect, type Clients } from '../../store/connect.ts';
import { dynamoTable } from '../../store/dynamo.ts';
import { outcomeOf } from '../../store/outcome.ts';
import type { Key, Table, Write } from '../../store/table-port.ts';
import { simulatedTable } from '../simulation/simulatedTable.ts';

let engine: DynamoDb;
let clients: Clients;
beforeAll(async () => {
  engine = await startDynamoDb({});
  clients = connect(engine.endpoint);
});
afterAll(async () => {
  clients.writer.destroy();
  clients.reader.destroy();
  await engine.stop();
});

const implementations: [string, () => Promise<Table>][] = [
  [
    'the embedded engine',
    async () => {
      const name = `contract-${randomUUID()}`;
      await createTable(clients.reader, name);
      return dynamoTable(clients, name);
    },
  ],
  [
    'the simulated table',
    () =>
      Promise.resolve(
        simulatedTable({
          now: () => Date.now(),
          random: () => Math.random(),
          step: () => new Promise((resolve) => setImmediate(resolve)),
          reasons: () => 'complete',
          oldImages: () => true,
          ttl: 'never',
          indexLagMs: 0,
          tornReads: false,
        }),
      ),
  ],
];

const key = (sk: string, pk = 'P'): Key => ({ pk, sk });
const put = (sk: string, item: object, when = absent): Write => ({
  kind: 'put',
  key: key(sk),
  item: { ...item },
  when,
});
const update = (sk: string, changes: object, when = exists): Write => ({
  kind: 'update',
  key: key(sk),
  update: changes,
  when,
});
const token = () => randomUUID();
const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error as Error & { CancellationReasons?: { Code?: string; Item?: object }[]; Item?: object };
};

for (const [name, begin] of implementations)
  describe(`a table: ${name}`, () => {
    let table: Table;
    beforeAll(async () => {
      table = await begin();
    });
    const read = async (sk: string) => (await table.batchGet([key(sk)]))[0];

    it('reads in the order that was asked, and nothing where nothing is', async () => {
      await table.write(put('r1', { n: 1 }));
      await table.write(put('r2', { n: 2 }));
      const found = await table.batchGet([key('r2'), key('nothing'), key('r1'), key('r2')]);
      expect(found.map((item) => item?.['n'])).toEqual([2, undefined, 1, 2]);
    });

    it('reads more keys than one request may hold, and a key that is asked for twice', async () => {
      const all = Array.from({ length: 230 }, (_, i) => String(i));
      for (let i = 0; i < all.length; i += 100)
        await table.transactWrite(
          all.slice(i, i + 100).map((sk) => put(sk, { n: sk })),
          randomUUID(),
        );
      const items = await table.batchGet([...all, '7'].map((sk) => key(sk)));
      expect(items.map((item) => item?.['n'])).toEqual([...all, '7']);
    });

    it('writes all of a transaction, each write as it is said', async () => {
      await table.write(put('t-set', { kept: 1, gone: 2, names: new Set(['a', 'b']), count: 1 }));
      await table.write(put('t-old', {}));
      await table.transactWrite(
        [
          put('t-new', { text: 'x', nothing: undefined, empty: new Set() }),
          update('t-set', {
            set: { more: { deep: [1, 'two', null] } },
            remove: ['gone'],
            add: { count: 2, names: new Set(['c']) },
          }),
          { kind: 'delete', key: key('t-old'), when: exists },
          { kind: 'check', key: key('t-nobody'), when: absent },
        ],
        token(),
      );
      expect(await read('t-new')).toEqual({ ...key('t-new'), text: 'x' });
      expect(await read('t-set')).toEqual({
        ...key('t-set'),
        kept: 1,
        count: 3,
        names: new Set(['a', 'b', 'c']),
        more: { deep: [1, 'two', null] },
      });
      expect(await read('t-old')).toBeUndefined();
    });

    it('drops members of a set, and the set with its last one', async () => {
      await table.write(put('d', { names: new Set(['a', 'b']) }));
      await table.write(update('d', { drop: { names: new Set(['a', 'x']) } }));
      expect((await read('d'))?.['names']).toEqual(new Set(['b']));
      await table.write(update('d', { drop: { names: new Set(['b']) } }));
      expect(await read('d')).toEqual(key('d'));
    });

    it('writes nothing of a transaction with a failed condition, and says which failed with its old image', async () => {
      await table.write(put('c', { n: 5 }));
      const error = await failure(
        table.transactWrite([put('c-new', {}), update('c', { add: { n: 1 } }, below('n', 5))], token()),
      );
      expect(error.name).toBe('TransactionCanceledException');
      expect(error.CancellationReasons?.map(({ Code }) => Code)).toEqual(['None', 'ConditionalCheckFailed']);
      expect(error.CancellationReasons?.[1]?.Item).toMatchObject({ n: { N: '5' } });
      expect(await read('c-new')).toBeUndefined();
    });

    it('shows the record that slot 0 met', async () => {
      await table.write(put('s', { status: 'COMPLETED' }));
      const error = await failure(table.transactWrite([put('s', { status: 'NEW' })], token()));
      expect(outcomeOf(error, 1)).toEqual({ kind: 'recordFound', record: { ...key('s'), status: 'COMPLETED' } });
    });

    it('takes a repeat under the same token for the same transaction, and refuses other bytes under it', async () => {
      await table.write(put('k', { n: 0 }));
      const same = token();
      const add: Write[] = [update('k', { add: { n: 1 } })];
      await table.transactWrite(add, same);
      await table.transactWrite(add, same);
      expect((await read('k'))?.['n']).toBe(1);
      const error = await failure(table.transactWrite([update('k', { add: { n: 2 } })], same));
      expect(error.name).toBe('IdempotentParameterMismatchException');
    });

    it('decides anew under the token of a cancelled transaction', async () => {
      const same = token();
      const writes = [update('again', { set: { n: 1 } }, exists)];
      await failure(table.transactWrite(writes, same));
      await table.write(put('again', {}));
      await table.transactWrite(writes, same);
      expect((await read('again'))?.['n']).toBe(1);
    });

    it('refuses two writes of one key in one transaction', async () => {
      const error = await failure(table.transactWrite([put('two', {}), update('two', { set: { n: 1 } })], token()));
      expect(error.name).toBe('ValidationException');
    });

    it('lets one of twenty parallel transactions win a condition', async () => {
      await table.write(put('race', { n: 0 }));
      const won = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          table.transactWrite([update('race', { set: { n: 1, by: i } }, equals('n', 0))], token()),
        ),
      );
      expect(won.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('writes single items on a condition, and shows what it met or made', async () => {
      expect(await table.write(put('w', { n: 1 }))).toEqual({});
      const error = await failure(table.write(put('w', { n: 2 })));
      expect(error.name).toBe('ConditionalCheckFailedException');
      expect(error.Item).toMatchObject({ n: { N: '1' } });
      expect(await table.write(update('w-made', { add: { n: 1 } }, always))).toEqual({
        after: { ...key('w-made'), n: 1 },
      });
    });

    it('walks a partition page by page, both ways and within bounds', async () => {
      for (const sk of ['A#1', 'A#2', 'A#3', 'B#1'])
        await table.write({ kind: 'put', key: key(sk, 'Q'), item: {}, when: absent });
      const walk = async (forward: boolean) => {
        const seen: string[] = [];
        let after: Record<string, string> | undefined;
        do {
          const page = await table.query({ partition: 'Q', prefix: 'A#', forward, limit: 2, after, consistent: true });
          seen.push(...page.items.map(({ sk }) => sk));
          after = page.lastKey;
        } while (after);
        return seen;
      };
      expect(await walk(true)).toEqual(['A#1', 'A#2', 'A#3']);
      expect(await walk(false)).toEqual(['A#3', 'A#2', 'A#1']);
      const bounded = { partition: 'Q', from: 'A#2', to: 'B#1', forward: true, limit: 10, consistent: true };
      expect((await table.query(bounded)).items.map(({ sk }) => sk)).toEqual(['A#2', 'A#3', 'B#1']);
    });

    it('finds by an index what has its attributes, and shows keys alone', async () => {
      await table.write(put('i1', { pendingPk: 'PENDING', pendingSk: '2', more: 1 }));
      await table.write(put('i2', { pendingPk: 'PENDING', pendingSk: '1' }));
      await table.write(put('i3', { more: 1 }));
      const asked = { index: 'pending', partition: 'PENDING', forward: true, limit: 10, consistent: false } as const;
      const { items } = await table.query(asked);
      expect(items).toEqual([
        { ...key('i2'), pendingPk: 'PENDING', pendingSk: '1' },
        { ...key('i1'), pendingPk: 'PENDING', pendingSk: '2' },
      ]);
      await table.write(update('i1', { remove: ['pendingPk', 'pendingSk'] }));
      expect((await table.query(asked)).items.map(({ sk }) => sk)).toEqual(['i2']);
    });
  });
