/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return --
   answers are JSON, as a client gets them: what is in them is what the tests say */
import assert from 'node:assert/strict';
import type { CaseId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { chainFaults, type AuditEvent } from '../../store/audit.ts';
import { listEvents } from '../../store/lists.ts';
import { readItems } from '../../store/read.ts';
import { startHost, startIssuer, type Ask } from '../resolvers/host.ts';
import { demo, newKey } from '../store/world.ts';
import { startMachines } from '../workflows/machineHost.ts';
import { startStage } from '../workflows/stage.ts';

export type ControlRoom = Awaited<ReturnType<typeof startControlRoom>>;

/** The API with an operator at it, over a real engine, real machines and a clock that jumps. */
export async function startControlRoom() {
  const stage = await startStage();
  const machines = await startMachines(stage);
  const tokens = await startIssuer();
  const { executions, store } = machines;
  const api = await startHost(store, tokens, { executions });
  return {
    ...{ stage, machines, store, api, tokens },
    opa: await api.as('opa', ['OPERATOR']),
    stop: async () => {
      await api.stop();
      await machines.stop();
      await stage.stop();
    },
  };
}

const about = 'about { type id caseNumber }';
export const shown: Record<string, string> = {
  effect: `effect { id status round attempt resolvedById providerReference error ${about} }`,
  message: `message { id status attempts redriveCount isNext ordered ${about} }`,
  execution: `execution { id name status redriveCount ${about} }`,
  lease: `lease { id state fence owner }`,
  finding: `finding { id kind status settledById ${about} }`,
};
const subjectOf: Record<string, keyof typeof shown> = {
  resolveEffect: 'effect',
  retryOutboxMessage: 'message',
  skipOutboxMessage: 'message',
  redriveExecution: 'execution',
  stopExecution: 'execution',
  releaseLease: 'lease',
  repairFinding: 'finding',
};

/** Sends an operator's act; the answer is its payload. */
export async function act(ask: Ask, name: string, input: object) {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const fields = `${shown[subjectOf[name]!]} appliedVersion replayed errors { code message path
    ... on IllegalTransition { from allowed } ... on PreconditionFailed { name } ... on ValidationFailed { rule } }`;
  const query = `mutation ($input: ${type}!) { it: ${name}(input: $input) { ${fields} } }`;
  const given = { idempotencyKey: newKey().slice(0, 64), reason: 'found by the morning round', ...input };
  const reply = await ask(query, { input: given });
  assert.equal(reply.errors, undefined, reply.text);
  return reply.data.it;
}

/** What an operator sees, by a selection on `operations`. */
export async function look(ask: Ask, selection: string, variables: Record<string, string> = {}) {
  const declared = Object.keys(variables).map((name) => `$${name}: ${name === 'number' ? 'String' : 'ID'}!`);
  const head = declared.length > 0 ? `query (${declared.join(' ')})` : '';
  const reply = await ask(`${head} { operations { ${selection} } }`, variables);
  assert.equal(reply.errors, undefined, reply.text);
  return reply.data.operations;
}

/** The audit of a case, whose chain must hold. */
export async function auditOf({ store }: ControlRoom, caseId: CaseId): Promise<AuditEvent[]> {
  const [current] = await readItems(store, demo.id, [ref.case(caseId)]);
  const { items } = await listEvents(store, demo.id, { of: 'case', caseId }, 200, true);
  const events = items.map(({ item }) => item);
  assert.deepEqual(chainFaults(events, current!), []);
  return events;
}
