import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { caseIdOf, childIdOf, childOf, decoded, nodeId, officerIdOf, officerIdOrNull } from '../../resolvers/nodeId.ts';

describe('node ids', () => {
  it('come back as what they were made of', () => {
    assert.deepEqual(decoded(nodeId('Party', 'c1', 'p1')), { type: 'Party', ids: ['c1', 'p1'] });
    assert.deepEqual(childIdOf('Party', nodeId('Party', 'c1', 'p1')), { caseId: 'c1', id: 'p1' });
    assert.equal(officerIdOf(nodeId('Officer', 'ana.b@x-y_z')), 'ana.b@x-y_z');
  });

  it('of another type name nothing', () => {
    assert.equal(caseIdOf(nodeId('Officer', 'c1')), '~');
    assert.deepEqual(childIdOf('Review', nodeId('Party', 'c1', 'p1')), { caseId: '~', id: '~' });
  });

  it('of another case name nothing of this one', () => {
    const c1 = caseIdOf(nodeId('Case', 'c1'));
    assert.equal(childOf('Party', c1, nodeId('Party', 'c1', 'p1')), 'p1');
    assert.equal(childOf('Party', c1, nodeId('Party', 'c2', 'p1')), '~');
  });

  it('that are empty name somebody who is not there, and only null names nobody', () => {
    assert.deepEqual([officerIdOrNull(''), officerIdOrNull(null), officerIdOrNull(undefined)], ['~', null, null]);
  });

  const raw = (text: string) => Buffer.from(text).toString('base64url');
  for (const [what, id] of [
    ['empty', ''],
    ['plain text', 'Case:c1'],
    ['a type we do not have', raw('Tenant:t1')],
    ['a name of every object', raw('constructor:t1')],
    ['too few parts', raw('Party:c1')],
    ['too many parts', raw('Case:c1:x')],
    ['an empty part', raw('Case:')],
    ['part of a key', raw('Case:a#META')],
    ['a control character', raw('Case:a\0b')],
    ['padding', Buffer.from('Case:c12').toString('base64')],
    ['a second spelling', nodeId('Case', 'c1').slice(0, -1) + 'x'],
    ['very long', raw('Case:' + 'a'.repeat(100_000))],
  ] as const)
    it(`with ${what} name nothing`, () => {
      assert.equal(decoded(id), undefined);
      assert.equal(caseIdOf(id), '~');
    });

  it('are one spelling for one thing, whatever text is tried', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = decoded(text);
        return found === undefined || nodeId(found.type, ...found.ids) === text;
      }),
    );
  });
});
