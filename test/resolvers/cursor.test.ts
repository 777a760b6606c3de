import assert from 'node:assert/strict';
import type { GraphQLError } from 'graphql';
import { describe, it } from 'vitest';
import { cursorsOf, type CursorScope } from '../../resolvers/cursor.ts';

const key = Buffer.alloc(32, 1);
const noon = Date.parse('2026-07-07T12:00:00.000Z');
const scope: CursorScope = { connection: 'cases', of: { status: 'OPEN' }, sort: 'OLDEST_FIRST' };
const position = { pk: 'partition', sk: 'somewhere' };
const at = (now: number, tenant = 'demo', secret: Uint8Array = key) => cursorsOf(secret, tenant, () => now);

const refusesWithOneCode = (open: () => unknown) =>
  assert.throws(open, (error: GraphQLError) => error.extensions['code'] === 'BAD_CURSOR');

describe('cursors', () => {
  const cursor = at(noon).seal(scope, position);

  it('lead back to their place, whatever the order of the filter and its empty parts', () => {
    assert.deepEqual(at(noon).open(scope, cursor), position);
    const two = at(noon).seal({ ...scope, of: { a: 1, b: 2, c: null } }, position);
    assert.deepEqual(at(noon).open({ ...scope, of: { b: 2, a: 1 } }, two), position);
  });

  it('do not tell what they hold', () => {
    assert.ok(!Buffer.from(cursor, 'base64url').toString('latin1').includes('partition'));
  });

  it('end after a day', () => {
    assert.deepEqual(at(noon + 86_399_000).open(scope, cursor), position);
    refusesWithOneCode(() => at(noon + 86_400_000).open(scope, cursor));
  });

  const elsewhere: [string, () => unknown][] = [
    ['another tenant', () => at(noon, 'other').open(scope, cursor)],
    ['another connection', () => at(noon).open({ ...scope, connection: 'officers' }, cursor)],
    ['another filter', () => at(noon).open({ ...scope, of: { status: 'CLOSED' } }, cursor)],
    ['a wider filter', () => at(noon).open({ ...scope, of: {} }, cursor)],
    ['another order', () => at(noon).open({ ...scope, sort: 'NEWEST_FIRST' }, cursor)],
    ['another secret', () => at(noon, 'demo', Buffer.alloc(32, 2)).open(scope, cursor)],
    ['no cursor at all', () => at(noon).open(scope, '')],
    ['some text', () => at(noon).open(scope, 'next page please')],
    ['a very long text', () => at(noon).open(scope, 'A'.repeat(1_000_000))],
    ['the same bytes spelled otherwise', () => at(noon).open(scope, `${cursor}=`)],
  ];
  for (const [what, open] of elsewhere) it(`are refused with ${what}`, () => refusesWithOneCode(open));

  it('are refused with any bit altered', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      refusesWithOneCode(() => at(noon).open(scope, altered.toString('base64url')));
    }
  });
});
