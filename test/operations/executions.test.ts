/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InvariantBreach } from '../../domain/answer.ts';
import { pollRegistry } from '../../workflows/registration/poll.ts';
import { sweep } from '../../workflows/sweep.ts';
import type { ActionInput } from '../../workflows/task.ts';
import { newKey } from '../store/world.ts';
import { fakeDocuments, fakeMailer, fakeRegistry, type FakeMailer } from '../workflows/parties.ts';
import { issued, standing, submitted } from '../workflows/stage.ts';
import { act, auditOf, look, startControlRoom, type ControlRoom } from './controlRoom.ts';

let room: ControlRoom;
let mailer: FakeMailer;
let input: ActionInput;
let number: string;
let machine = 'notice';
beforeAll(async () => {
  room = await startControlRoom();
});
afterAll(() => room.stop());

const fields =
  'id name machine status round redriveCount startedAt stoppedAt error about { caseNumber } effect { status }';
async function ofTheCase(): Promise<Record<string, never>[]> {
  const filter = `filter: { caseNumber: $number, machine: "${machine}" }`; // plain mails run beside it
  const { executions } = await look(room.opa, `executions(${filter}) { edges { node { ${fields} } } }`, { number });
  return executions.edges.map(({ node }: { node: Record<string, never> }) => node);
}
/** Status changes are told beside the work: they arrive a moment later. */
async function until(status: string) {
  for (let tries = 0; tries < 1_000; tries++) {
    const [first] = await ofTheCase();
    if (first?.['status'] === status) return first as unknown as { id: string; name: string; redriveCount: number };
    await pause(10);
  }
  throw new Error(`no execution became ${status}`);
}
const steer = (name: string, executionId: string, expectedStatus: string, more: object = {}) =>
  act(room.opa, name, { executionId, expectedStatus, ...more });

describe('an execution that failed', () => {
  /** The notice cannot be stored, and that is not a matter of time. */
  beforeEach(async () => {
    room.machines.together();
    input = await issued(room.stage);
    number = (await standing(room.stage, 'NOTICE_MAIL', input)).case.number;
    room.machines.together();
    mailer = fakeMailer();
    room.machines.deps.documents = {
      ...fakeDocuments(),
      put: () => Promise.reject(new InvariantBreach('the bucket is not ours')),
    };
    Object.assign(room.machines.deps, { mailer, registry: fakeRegistry() });
    await sweep(room.machines.publisher, -1);
    await until('FAILED');
    room.machines.deps.documents = fakeDocuments();
  });
  const mails = () => mailer.mails.filter(({ messageId }) => messageId.includes(input.effectId)).length;

  it('is found by its case, its status and its machine, newest first, and within its hour', async () => {
    const { id } = await until('FAILED');
    expect(await ofTheCase()).toMatchObject([
      {
        ...{ machine: 'notice', status: 'FAILED', round: 0, redriveCount: 0, error: 'InvariantBreach' },
        ...{ about: { caseNumber: number }, effect: { status: 'PLANNED' } },
      },
    ]);
    const found = async (filter: string) => {
      const { executions } = await look(
        room.opa,
        `executions(filter: { ${filter} }, first: 1) { edges { node { id } } }`,
      );
      return executions.edges.map(({ node }: { node: { id: string } }) => node.id);
    };
    expect(await found('status: FAILED')).toEqual([id]);
    expect(await found('machine: "notice"')).toEqual([id]);
    expect(await found('machine: "notice", status: SUCCEEDED, startedFrom: "2100-01-01T00:00:00.000Z"')).toEqual([]);
    expect(await found('status: FAILED, startedTo: "2020-01-01T00:00:00.000Z"')).toEqual([]);
    expect(room.stage.log).toContainEqual(
      expect.objectContaining({
        alarm: 'execution ended badly',
        status: 'FAILED',
        error: 'InvariantBreach',
      }),
    );
  });

  it('shows its steps page by page, and nothing of what passed through', async () => {
    const { id } = await until('FAILED');
    const types: string[] = [];
    let after = '';
    do {
      const page = `history(first: 2${after && `, after: "${after}"`})`;
      const { execution } = await look(
        room.opa,
        `execution(id: $id) { ${page} { events { id type state } pageInfo { hasNextPage endCursor } } }`,
        { id },
      );
      types.push(...execution.history.events.map(({ type, state }: { type: string; state: string }) => state ?? type));
      after = execution.history.pageInfo.endCursor ?? '';
    } while (after);
    expect(types.slice(0, 3)).toEqual(['ExecutionStarted', 'RenderNotice', 'TaskScheduled']);
    expect(types.at(-1)).toBe('ExecutionFailed');
  });

  it('is taken up again where it failed, by whoever asks first; the mail is sent once', async () => {
    const { id } = await until('FAILED');
    const idempotencyKey = newKey().slice(0, 64);
    const answer = await steer('redriveExecution', id, 'FAILED', { idempotencyKey });
    expect(answer).toMatchObject({ errors: [], replayed: false, execution: { status: 'FAILED' } });
    const second = await steer('redriveExecution', id, 'FAILED');
    expect(second.errors).toMatchObject([{ code: 'NO_CHANGE' }]);
    await sweep(room.machines.publisher, -1);
    expect(await until('SUCCEEDED')).toMatchObject({ redriveCount: 1 });
    expect((await steer('redriveExecution', id, 'FAILED', { idempotencyKey })).replayed).toBe(true);
    const { notice } = await standing(room.stage, 'NOTICE_MAIL', input);
    expect([notice!.status, mails()]).toEqual(['SERVED', 1]);
    const acts = (await auditOf(room, input.caseId)).filter(({ type }) => type === 'redriveExecution');
    expect(acts).toMatchObject([{ actor: 'opa', details: { was: 'FAILED', redriveCount: 0 } }]);
  });

  it('is not steered on another status, in another tenant, or once it has succeeded', async () => {
    const { id } = await until('FAILED');
    const foreign = await room.api.as('opa', ['OPERATOR'], { tenant: 'other' });
    expect((await steer('redriveExecution', id, 'ABORTED')).errors).toMatchObject([{ code: 'ILLEGAL_TRANSITION' }]);
    expect((await steer('stopExecution', id, 'FAILED')).errors).toMatchObject([{ code: 'ILLEGAL_TRANSITION' }]);
    const asked = { executionId: id, expectedStatus: 'FAILED' };
    expect((await act(foreign, 'redriveExecution', asked)).errors).toMatchObject([{ code: 'NOT_FOUND' }]);
    await steer('redriveExecution', id, 'FAILED');
    await sweep(room.machines.publisher, -1);
    await until('SUCCEEDED');
    expect((await steer('redriveExecution', id, 'SUCCEEDED')).errors).toMatchObject([
      { code: 'ILLEGAL_TRANSITION', from: 'SUCCEEDED', allowed: ['FAILED', 'TIMED_OUT', 'ABORTED'] },
    ]);
  });
});

describe('an execution that runs', () => {
  it('is stopped, and its submission is not lost: the answer is recorded by a later round', async () => {
    machine = 'registration';
    room.machines.together();
    input = await submitted(room.stage);
    number = (await standing(room.stage, 'REGISTRATION', input)).case.number;
    room.machines.together();
    const registry = fakeRegistry();
    Object.assign(room.machines.deps, { registry, mailer: fakeMailer() });
    await sweep(room.machines.publisher, -1);
    const { id } = await until('RUNNING');
    while (registry.applications.size === 0) await pause(10);

    const answer = await steer('stopExecution', id, 'RUNNING');
    expect(answer.errors).toEqual([]);
    await sweep(room.machines.publisher, -1);
    await until('ABORTED');
    expect(room.stage.log).toContainEqual(expect.objectContaining({ status: 'ABORTED', error: 'Operator.Stopped' }));

    registry.decides({ status: 'ACCEPTED', registryNumber: 'R-9', reference: 'REF-1' });
    room.machines.clock.moveBy(300_000); // until the poller comes
    await pollRegistry(room.machines.deps);
    await room.machines.carryOut('registration', { registry, mailer: fakeMailer() });
    const { action } = await standing(room.stage, 'REGISTRATION', input);
    expect(action).toMatchObject({ status: 'REGISTERED', registryNumber: 'R-9' });
    expect(registry.bodies).toHaveLength(1);
    expect((await ofTheCase()).slice(0, 2)).toMatchObject([
      { machine: 'registration', round: 1, status: 'SUCCEEDED' },
      { machine: 'registration', round: 0, status: 'ABORTED' },
    ]);
  });
});
