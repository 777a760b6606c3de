/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { CaseId, NoteId, TaskId } from '../../domain/ids.ts';
import { absent } from '../../domain/condition.ts';
import { ref, type Ref } from '../../domain/refs.ts';
import { keysOf } from '../../store/keys.ts';
import type { Write } from '../../store/table-port.ts';
import { decoded } from '../../resolvers/nodeId.ts';
import { demo } from '../store/world.ts';
import { note, task } from '../domain/builders.ts';
import { officerId, open, sent, startDesk, type Desk } from './desk.ts';

const many = 10_000;
let desk: Desk;
let caseId: string;
beforeAll(async () => {
  desk = await startDesk();
  caseId = (await open(desk.sue, { leadOfficerId: officerId('ana') })).id;
  const id = decoded(caseId)!.ids[0] as CaseId;
  await fill(id);
}, 120_000);
afterAll(() => desk.stop());

/** Years of work, as it would be stored: written beside the commands, since ten thousand of them would take minutes. */
async function fill(id: CaseId) {
  const put = (about: Ref, itemType: string, item: object): Write => ({
    kind: 'put',
    key: keysOf(demo.id).of(about),
    item: { itemType, ...item },
    when: absent,
  });
  const rows = Array.from({ length: many }, (_, i): Write[] => {
    const [noteId, taskId] = [`note${i}` as NoteId, `task${i}` as TaskId];
    const seq = 1_000_000 + i;
    return [
      put(ref.note(id, noteId), 'Note', note({ id: noteId, caseId: id, seq, text: `Note ${i}` })),
      put(ref.notePlace(id, seq), 'NotePlace', { noteId }),
      put(
        ref.task(id, taskId),
        'Task',
        task({ id: taskId, caseId: id, status: 'COMPLETED', endedAt: task().openedAt }),
      ),
    ];
  }).flat();
  const batches = Array.from({ length: Math.ceil(rows.length / 99) }, (_, n) => rows.slice(n * 99, n * 99 + 99));
  for (let n = 0; n < batches.length; n += 8)
    await Promise.all(
      batches
        .slice(n, n + 8)
        .map((batch, i) => desk.world.store.table.transactWrite(batch, `fill-${n + i}-of-a-large-case`)),
    );
}

describe('a case with ten thousand notes and as many tasks that are done', () => {
  const lists = {
    notes: 'notes(first: 100, after: $after) { edges { node { text } } pageInfo { hasNextPage endCursor } }',
    tasks:
      'tasks(open: false, first: 100, after: $after) { edges { node { title } } pageInfo { hasNextPage endCursor } }',
  };
  for (const [name, list] of Object.entries(lists))
    it(`costs no more for any page of its ${name} than for the first, and has every one of them once`, async () => {
      const query = `query ($id: ID!, $after: Cursor) { case(id: $id) { it: ${list} } }`;
      const costs: number[] = [];
      let seen = 0;
      for (let after: string | null = null, more = true; more;) {
        desk.world.calls.reset();
        const { data, errors } = await desk.ana(query, { id: caseId, after });
        assert.equal(errors, undefined);
        costs.push(desk.world.calls.count);
        seen += data.case.it.edges.length;
        [after, more] = [data.case.it.pageInfo.endCursor, data.case.it.pageInfo.hasNextPage];
      }
      // The triage task is open still, and the case's own.
      assert.equal(seen, name === 'tasks' ? many + 1 : many);
      assert.equal(Math.max(...costs), costs[0], costs.join());
      assert.ok(costs[0]! <= 5, `${costs[0]} calls a page`);
    }, 60_000);

  it('shows its notes in the order of writing', async () => {
    const query =
      'query ($id: ID!) { case(id: $id) { notes(first: 3) { edges { node { text writtenBy { name } } } } } }';
    const { data } = await desk.ana(query, { id: caseId });
    const [first, second] = data.case.notes.edges.map(({ node }: { node: { text: string } }) => node.text);
    assert.deepEqual([first, second], ['Note 0', 'Note 1']);
  });

  it('is noted on, linked, closed and reopened at the cost of any other', async () => {
    const other = await open(desk.sue);
    desk.world.calls.reset();
    const { createdIds } = await sent(desk.ana, 'addNote', { caseId, text: 'One more.' });
    assert.equal(desk.world.calls.count, 1 + 2 + 1, 'who asks, the two of the command, and its answer');
    const { data } = await desk.ana('query ($id: ID!) { node(id: $id) { ... on Note { text } } }', {
      id: createdIds[0],
    });
    assert.deepEqual(data.node, { text: 'One more.' });

    await sent(desk.sue, 'linkCases', { caseId, otherCaseId: other.id, nature: 'DUPLICATE_OF' });
    desk.world.calls.reset();
    const closing = { caseId, expectedVersion: 1, duplicateOfCaseId: other.id, reason: 'Reported twice.' };
    assert.equal((await sent(desk.sue, 'closeCaseAsDuplicate', closing)).case.status, 'CLOSED');
    assert.ok(desk.world.calls.count <= 6, `${desk.world.calls.count} calls to close`);
    desk.world.calls.reset();
    const reopening = { caseId, expectedVersion: 2, ground: 'ENDED_IN_ERROR', reason: 'It was another plant.' };
    assert.equal((await sent(desk.sue, 'reopenCase', reopening)).case.status, 'OPEN');
    assert.ok(desk.world.calls.count <= 6, `${desk.world.calls.count} calls to reopen`);
  });
});
