/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-argument --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInterfaceType, isListType, isNonNullType, isObjectType, type GraphQLOutputType } from 'graphql';
import { roles } from '../../domain/command.ts';
import type { CaseId } from '../../domain/ids.ts';
import { commandIdOf } from '../../store/identity.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { ana, demo, done, newKey, openCase } from '../store/world.ts';
import { look, startControlRoom, type ControlRoom } from './controlRoom.ts';

let room: ControlRoom;
let caseId: CaseId;
const title = 'Unlicensed storage';
beforeAll(async () => {
  room = await startControlRoom();
  caseId = (await done(room.stage.world, ana, openCase({ title }))).aggregateId as CaseId;
});
afterAll(() => room.stop());

describe('an operator', () => {
  it('is told who they are, like everybody', async () => {
    for (const role of roles.filter((one) => one !== 'SERVICE')) {
      const ask = await room.api.as('somebody', [role]);
      const { data, errors } = await ask('{ viewer { subject roles permissions officer { id } } }');
      expect(errors).toBeUndefined();
      expect(data.viewer).toMatchObject({ subject: 'somebody', roles: [role], officer: null });
      expect(data.viewer.permissions.includes('OPERATE')).toBe(role === 'OPERATOR');
    }
  });

  it('sees no case, on whatever path', async () => {
    const id = Buffer.from(`Case:${caseId}`).toString('base64url');
    for (const query of [`{ case(id: "${id}") { title } }`, `{ node(id: "${id}") { id } }`]) {
      const { data, errors, text } = await room.opa(query);
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      expect(data && Object.values(data as object).every((value) => value === null)).not.toBe(false);
      expect(text).not.toContain(title);
    }
  });

  it('reaches no type that says what a case is about', () => {
    const schema = executableSchema();
    const reached = new Set<string>();
    const reach = (type: GraphQLOutputType): void => {
      if (isNonNullType(type) || isListType(type)) return reach(type.ofType as GraphQLOutputType);
      if ((!isObjectType(type) && !isInterfaceType(type)) || reached.has(type.name)) return;
      reached.add(type.name);
      for (const field of Object.values(type.getFields())) reach(field.type);
    };
    reach(schema.getQueryType()!.getFields()['operations']!.type);
    expect([...reached].filter((name) => !/Connection$|Edge$/.test(name)).sort()).toEqual([
      ...[
        'CommandRecord',
        'Effect',
        'Execution',
        'ExecutionEvent',
        'ExecutionHistory',
        'FindingValue',
        'Lease',
        'Operations',
      ],
      ...['OutboxMessage', 'PageInfo', 'ReconciliationFinding', 'WorkSubject'],
    ]);
  });

  it('is the only one to whom operations are shown', async () => {
    for (const role of roles.filter((one) => one !== 'SERVICE' && one !== 'OPERATOR')) {
      const ask = await room.api.as('somebody', [role]);
      const { errors } = await ask('{ operations { leases { edges { cursor } } } }');
      expect(errors, role).toMatchObject([{ path: ['operations'], extensions: { code: 'FORBIDDEN' } }]);
    }
  });

  it('sees nothing of another tenant', async () => {
    const foreign = await room.api.as('opa', ['OPERATOR'], { tenant: 'other' });
    const { outbox } = await look(foreign, 'outbox(queue: WAITING, first: 100) { edges { cursor } }');
    expect(outbox.edges).toEqual([]);
    const ours = await look(room.opa, 'outbox(queue: WAITING, first: 100) { edges { cursor } }');
    expect(ours.outbox.edges).not.toEqual([]);
  });

  it('reads what a command did by the id that the log has, and not what was said in it', async () => {
    const idempotencyKey = newKey();
    await done(room.stage.world, ana, openCase({ title: 'Another' }), { idempotencyKey });
    const id = commandIdOf(demo.id, ana.id, idempotencyKey);
    const fields = 'id command status generation actorId appliedVersion about { type caseNumber } refusal';
    const { commands } = await look(room.opa, `commands(ids: ["${id}", "nonsense"]) { ${fields} }`);
    expect(commands).toMatchObject([
      {
        ...{ id, command: 'openCase', status: 'COMPLETED', generation: 1, actorId: 'ana', appliedVersion: 1 },
        about: { type: 'Case', caseNumber: expect.stringMatching(/^\d{4}-\d{6}$/) },
      },
      null,
    ]);
  });

  it('goes through a long list page by page, and meets each entry once', async () => {
    for (let i = 0; i < 7; i++) await done(room.stage.world, ana, openCase());
    const seen: string[] = [];
    let after = '';
    for (let more = true; more;) {
      const page = `outbox(queue: WAITING, first: 2${after && `, after: "${after}"`})`;
      const { outbox } = await look(room.opa, `${page} { edges { node { id } } pageInfo { hasNextPage endCursor } }`);
      seen.push(...outbox.edges.map(({ node }: { node: { id: string } }) => node.id));
      more = outbox.pageInfo.hasNextPage;
      after = outbox.pageInfo.endCursor;
    }
    const { outbox } = await look(room.opa, 'outbox(queue: WAITING, first: 100) { edges { node { id } } }');
    expect(seen).toEqual(outbox.edges.map(({ node }: { node: { id: string } }) => node.id));
    expect(new Set(seen).size).toBe(seen.length);
  });
});
