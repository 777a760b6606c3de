/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Ask } from './host.ts';
import { officerId, open, register, send, sent, startDesk, type Desk } from './desk.ts';

let desk: Desk;
let eve: Ask;
let caseId: string;
beforeAll(async () => {
  desk = await startDesk();
  eve = await desk.host.as('eve', ['CASE_OFFICER']);
  caseId = (await open(desk.sue, { leadOfficerId: officerId('ana') })).id;
});
afterAll(() => desk.stop());

const made = async (more: object = {}) =>
  (await sent(desk.ana, 'createTask', { caseId, title: 'Visit', ...more })).task as { id: string; version: number };
const on = ({ id, version }: { id: string; version: number }, more: object = {}) => ({
  taskId: id,
  expectedVersion: version,
  ...more,
});

/** The tasks of an inbox, by id. */
async function inbox(ask: Ask, filter: object, first = 100): Promise<string[]> {
  const query = `query ($f: TaskFilter!, $n: Int!) { tasks(filter: $f, first: $n) { edges { node { id status } } } }`;
  const { data, errors } = await ask(query, { f: filter, n: first });
  assert.equal(errors, undefined);
  return data.tasks.edges.map((edge: { node: { id: string } }) => edge.node.id);
}
async function ofCase(ask: Ask, id: string, openOnes: boolean): Promise<string[]> {
  const query = `query ($id: ID!, $open: Boolean!) { case(id: $id) { counts { openTasks } tasks(open: $open, first: 100) { edges { node { id } } } } }`;
  const { data } = await ask(query, { id, open: openOnes });
  if (openOnes) assert.equal(data.case.counts.openTasks, data.case.tasks.edges.length, 'count and list agree');
  return data.case.tasks.edges.map((edge: { node: { id: string } }) => edge.node.id);
}

describe('a task', () => {
  it('stands in the inbox of its team, then of whoever takes it, and in none once it is done', async () => {
    const task = await made();
    assert.ok((await inbox(eve, { teamId: 'JKT', status: 'UNASSIGNED' })).includes(task.id));
    assert.ok((await ofCase(eve, caseId, true)).includes(task.id));

    const claimed = await sent(eve, 'claimTask', on(task));
    assert.deepEqual([claimed.task.status, claimed.case.version], ['ASSIGNED', 1]);
    assert.ok((await inbox(eve, { mine: true })).includes(task.id));
    assert.ok((await inbox(desk.sue, { assigneeId: officerId('eve') })).includes(task.id));
    assert.ok(!(await inbox(eve, { teamId: 'JKT', status: 'UNASSIGNED' })).includes(task.id));

    const started = await sent(eve, 'startTask', on(claimed.task));
    const held = await sent(eve, 'holdTask', on(started.task, { until: '2099-01-01', reason: 'Shut.' }));
    const done = await sent(eve, 'completeTask', on(held.task, { note: 'Nothing was found.' }));
    assert.equal(done.task.status, 'COMPLETED');
    for (const filter of [{ mine: true }, { teamId: 'JKT' }, { assigneeId: officerId('eve') }])
      assert.ok(!(await inbox(eve, filter)).includes(task.id), JSON.stringify(filter));
    assert.ok(!(await ofCase(eve, caseId, true)).includes(task.id));
    assert.ok((await ofCase(eve, caseId, false)).includes(task.id));
  });

  it('is read as a node, with what may be done with it, by the rules that guard the commands', async () => {
    const task = await made({
      assigneeId: officerId('eve'),
      dueAt: '2099-01-02',
      blocks: 'CLOSE',
      note: 'Ring twice.',
    });
    const query = `query ($id: ID!) { node(id: $id) { ... on Task { type origin title status teamId priority dueAt blocks note
      version openedAt endedAt assignee { name } case { id } availableActions { command allowed refusal } } } }`;
    const { data } = await eve(query, { id: task.id });
    const { availableActions, ...said } = data.node;
    assert.deepEqual(
      { ...said, openedAt: null, origin: null },
      {
        ...{ type: 'GENERAL', origin: null, title: 'Visit', status: 'ASSIGNED', teamId: 'JKT', priority: 'NORMAL' },
        ...{ dueAt: '2099-01-02', blocks: 'CLOSE', note: 'Ring twice.', version: 1, openedAt: null, endedAt: null },
        ...{ assignee: { name: 'Officer eve' }, case: { id: caseId } },
      },
    );
    const allowed = availableActions.filter((one: { allowed: boolean }) => one.allowed);
    assert.deepEqual(
      allowed.map(({ command }: { command: string }) => command),
      ['assignTask', 'startTask', 'holdTask', 'completeTask'],
    );
  });

  it('is found by due date, the most urgent first, a page at a time', async () => {
    const due = ['2031-03-01', '2031-01-01', '2031-02-01'];
    const ids = new Map<string, string>();
    for (const dueAt of due) ids.set(dueAt, (await made({ assigneeId: officerId('dan'), dueAt })).id);
    await made({ assigneeId: officerId('dan') });
    const whose = { assigneeId: officerId('dan') };
    const inOrder = [...due].sort().map((day) => ids.get(day)!);
    assert.deepEqual((await inbox(desk.sue, whose)).slice(0, 3), inOrder);
    assert.deepEqual(await inbox(desk.sue, { ...whose, dueBefore: '2031-03-01' }), inOrder.slice(0, 2));
    assert.deepEqual(await inbox(desk.sue, { ...whose, caseId }), await inbox(desk.sue, whose));
    assert.deepEqual(await inbox(desk.sue, { ...whose, type: 'SUPERVISOR' }), []);

    const query = `query ($f: TaskFilter!, $a: Cursor) { tasks(filter: $f, first: 1, after: $a) {
      edges { node { id } } pageInfo { hasNextPage endCursor } } }`;
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { data } = await desk.sue(query, { f: whose, a: after });
      seen.push(...data.tasks.edges.map((edge: { node: { id: string } }) => edge.node.id));
      [after, more] = [data.tasks.pageInfo.endCursor, data.tasks.pageInfo.hasNextPage];
    }
    assert.deepEqual(seen, await inbox(desk.sue, whose));
  });

  it('of a restricted case is hidden with the case', async () => {
    const restricted = { classification: 'RESTRICTED', leadOfficerId: officerId('ana') };
    const hidden = (await open(desk.sue, restricted)).id;
    const { task } = await sent(desk.sue, 'createTask', { caseId: hidden, title: 'Look', teamId: 'HIDDEN' });
    assert.deepEqual(await inbox(eve, { teamId: 'HIDDEN' }), []);
    assert.deepEqual(await inbox(desk.sue, { teamId: 'HIDDEN' }), [task.id]);
    assert.deepEqual((await eve('query ($id: ID!) { node(id: $id) { id } }', { id: task.id })).data, { node: null });
    const { errors, task: shown } = await send(eve, 'claimTask', on(task));
    assert.deepEqual([errors[0].code, shown], ['NOT_FOUND', null]);
    const given = await send(desk.sue, 'assignTask', on(task, { assigneeId: officerId('eve') }));
    assert.deepEqual([given.errors[0].code, given.errors[0].name], ['PRECONDITION_FAILED', 'NOT_ON_CASE']);
  });

  it('of operations is all that an operator sees of a case', async () => {
    await register(desk.sue, 'opa', { region: 'HQ' });
    const opa = await desk.host.as('opa', ['OPERATOR']);
    const { task } = await sent(desk.sue, 'createTask', { caseId, title: 'Look', teamId: 'OPERATIONS' });
    const other = await made();
    assert.deepEqual(await inbox(opa, { teamId: 'OPERATIONS' }), [task.id]);
    assert.deepEqual(await inbox(opa, { teamId: 'JKT' }), []);
    const claimed = await sent(opa, 'claimTask', on(task));
    assert.deepEqual([claimed.task.status, claimed.case], ['ASSIGNED', null]);
    assert.equal((await send(opa, 'claimTask', on(other))).errors[0].code, 'NOT_FOUND');
    assert.equal((await sent(opa, 'completeTask', on(claimed.task))).task.status, 'COMPLETED');
  });

  it('asked for without saying whose, or of two, is a bad request', async () => {
    for (const filter of [
      {},
      { mine: false },
      { mine: true, teamId: 'JKT' },
      { teamId: 'a#b' },
      { status: 'ASSIGNED' },
    ]) {
      const { errors } = await desk.sue('query ($f: TaskFilter!) { tasks(filter: $f) { edges { cursor } } }', {
        f: filter,
      });
      assert.equal(errors?.[0]?.extensions['code'], 'BAD_USER_INPUT', JSON.stringify(filter));
    }
    assert.deepEqual(await inbox(desk.sue, { assigneeId: '' }), []);
  });

  it('costs a command two round trips, and a page of an inbox with its buttons at most four', async () => {
    const task = await made();
    desk.world.calls.reset();
    await sent(eve, 'claimTask', on(task));
    assert.equal(desk.world.calls.count, 1 + 2 + 2, 'who asks, the two of the command, and its answer');
    const query = `{ tasks(filter: { teamId: "JKT" }, first: 25) { edges { node { title assignee { name } case { number }
      availableActions { command allowed } } } } }`;
    desk.world.calls.reset();
    assert.equal((await eve(query)).errors, undefined);
    assert.ok(desk.world.calls.count <= 4, `${desk.world.calls.count} reads`);
  });
});

describe('two clerks who end one task', () => {
  it('make one transition, whatever they sent', async () => {
    for (let i = 0; i < 5; i++) {
      const task = await made({ assigneeId: officerId('eve') });
      const answers = await Promise.all([
        send(eve, 'completeTask', on(task)),
        send(desk.ana, 'completeTask', on(task)),
        send(desk.sue, 'cancelTask', on(task, { reason: 'Twice.' })),
      ]);
      const codes = answers.map(({ errors }) => errors[0]?.code ?? 'done').sort();
      assert.equal(codes.filter((code) => code === 'done').length, 1, codes.join());
      const about = `query ($id: ID!) { case(id: $id) { timeline(first: 100) { edges { node { type details { name value } } } } } }`;
      const { data } = await desk.sue(about, { id: caseId });
      const ids = (data.case.timeline.edges as { node: { type: string } }[]).map(({ node }) => node);
      assert.ok(ids.filter(({ type }) => type === 'completeTask' || type === 'cancelTask').length >= i + 1);
    }
  });
});
