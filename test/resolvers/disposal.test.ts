/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { LocalDate } from '../../domain/ids.ts';
import { caseIndexes } from '../../store/indexes.ts';
import { closed, open as opened, tenant } from '../domain/builders.ts';
import { officerId, open, sent, startDesk, type Desk } from './desk.ts';
import type { Ask } from './host.ts';

let desk: Desk;
let rex: Ask;
let leo: Ask;
let years = 0;
beforeAll(async () => {
  desk = await startDesk();
  const yearMs = 365.25 * 86_400_000;
  desk.world.store.now = () => Date.now() + years * yearMs;
  rex = await desk.host.as('rex', ['RECORDS_MANAGER']);
  leo = await desk.host.as('leo', ['LEGAL_OFFICER']);
});
afterAll(() => desk.stop());

/** Closed as the duplicate of another, which stays: such are kept for two years. */
async function duplicate(more: object = {}): Promise<string> {
  const original = (await open(desk.sue)).id;
  const caseId = (await open(desk.sue, more)).id;
  await sent(desk.sue, 'linkCases', { caseId, otherCaseId: original, nature: 'DUPLICATE_OF' });
  const input = { caseId, expectedVersion: 1, duplicateOfCaseId: original, reason: 'The same drums.' };
  await sent(desk.sue, 'closeCaseAsDuplicate', input);
  return caseId;
}

const query = `query ($n: Int! = 100, $after: Cursor) { casesDueForDisposal(first: $n, after: $after) {
  edges { node { id counts { activeHolds } closure { retention { disposeAfter } } } } pageInfo { hasNextPage endCursor } } }`;

async function due(ask = rex): Promise<string[]> {
  const { data, errors } = await ask(query, {});
  assert.equal(errors, undefined);
  return data.casesDueForDisposal.edges.map(({ node }: { node: { id: string } }) => node.id);
}

describe('cases due for disposal', () => {
  it('are found once their time has passed, held or not, until they are reopened', async () => {
    const [first, second] = [await duplicate(), await duplicate()];
    const hidden = await duplicate({ classification: 'RESTRICTED' });
    await sent(leo, 'placeHold', {
      caseId: second,
      matterReference: '12/2026',
      reason: 'The court asks for the file.',
    });
    assert.deepEqual(await due(), []);
    years = 1.9;
    assert.deepEqual(await due(), []);
    years = 2.1;
    const found = await due();
    assert.deepEqual([...found].sort(), [first, second].sort());
    assert.ok(!found.includes(hidden), 'what one may not see is in no list');

    const again = { ground: 'NEW_EVIDENCE', reason: 'A witness.', leadOfficerId: officerId('ana') };
    await sent(desk.sue, 'reopenCase', { caseId: first, expectedVersion: 2, ...again });
    assert.deepEqual(await due(), [second]);
  });

  it('are paged without repeating', async () => {
    years = 0;
    for (let i = 0; i < 3; i++) await duplicate();
    years = 2.1;
    const all = await due();
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { data } = await rex(query, { n: 1, after });
      seen.push(...data.casesDueForDisposal.edges.map(({ node }: { node: { id: string } }) => node.id));
      ({ endCursor: after, hasNextPage: more } = data.casesDueForDisposal.pageInfo);
    }
    assert.deepEqual(seen, all);
  });

  it('are shown to records managers alone', async () => {
    for (const ask of [desk.sue, desk.ana, leo]) {
      const { errors } = await ask(query, {});
      assert.equal(errors?.[0]?.extensions.code, 'FORBIDDEN');
    }
  });

  it('stand in the index while they are closed and not kept for ever', () => {
    const placeOf = (current: Parameters<typeof caseIndexes>[1]) => caseIndexes(tenant.id, current)['pendingSk'];
    const retention = { schedule: 'ENFORCED', trigger: '2026-07-07' as LocalDate };
    assert.equal(placeOf(closed()), '2028-07-06#c1');
    assert.equal(placeOf(closed({ retention: { ...retention, disposeAfter: 'PERMANENT' } })), undefined);
    assert.equal(placeOf(opened()), undefined);
  });
});
