import type { AnyCommand } from '../../../domain/command.ts';
import type { CaseId, CommandId, OfficerId, TaskId } from '../../../domain/ids.ts';
import type { Officer } from '../../../domain/officer/officer.ts';
import { ref } from '../../../domain/refs.ts';
import { allItems, caseloadOf, digestOf, planned } from '../../../store/caseload.ts';
import { execute } from '../../../store/execute.ts';
import { commandIdOf } from '../../../store/identity.ts';
import { keysOf } from '../../../store/keys.ts';
import { readItems } from '../../../store/read.ts';
import type { CommandRecord } from '../../../store/record.ts';
import type { Store } from '../../../store/store.ts';
import type { CaseloadInput } from '../../../workflows/caseload/input.ts';
import {
  addParty,
  ana,
  demo,
  done,
  newKey,
  openCase,
  registerOfficer,
  run,
  sue,
  type World,
} from '../../store/world.ts';

let people = 0;

/** Somebody new, with room for so many cases. */
export async function somebody(world: World, maxLoad = 500): Promise<OfficerId> {
  const id = `person-${++people}` as OfficerId;
  await done(world, sue, registerOfficer(id, { maxLoad }));
  return id;
}

/** Cases that the officer leads, one after the other. */
export async function leads(world: World, officerId: OfficerId, count: number): Promise<CaseId[]> {
  const cases: CaseId[] = [];
  for (let i = 0; i < count; i++) {
    const opened = await done(world, sue, openCase({ leadOfficerId: officerId }));
    cases.push(opened.aggregateId as CaseId);
  }
  return cases;
}

/** A case that somebody else leads and the officer investigates, has a task on, or reviews. */
export async function investigates(world: World, officerId: OfficerId): Promise<CaseId> {
  const { aggregateId: caseId } = await done(world, ana, openCase({ leadOfficerId: ana.id }));
  await done(world, ana, { type: 'addInvestigator', caseId, officerId });
  return caseId as CaseId;
}
export async function hasTask(world: World, officerId: OfficerId): Promise<{ caseId: CaseId; taskId: TaskId }> {
  const { aggregateId: caseId } = await done(world, ana, openCase({ leadOfficerId: ana.id }));
  const task = { type: 'createTask', caseId, taskType: 'GENERAL', title: 'Call the neighbours', assigneeId: officerId };
  const { created } = await done(world, ana, task);
  return { caseId: caseId as CaseId, taskId: created['task'] as TaskId };
}
export async function reviews(world: World, officerId: OfficerId): Promise<CaseId> {
  const { aggregateId: caseId } = await done(world, ana, openCase({ leadOfficerId: ana.id }));
  let expectedVersion = 1;
  const next = async (actor: typeof ana, type: string, rest: object) => {
    const answer = await done(world, actor, { type, caseId, expectedVersion, ...rest });
    expectedVersion = answer.appliedVersion;
    return answer.created;
  };
  const { party } = await next(ana, 'addParty', { ...addParty(caseId), expectedVersion });
  const breach = { provision: 'section 12', date: '2026-02-01', partyIds: [party] };
  const { contravention } = await next(ana, 'recordContravention', breach);
  await next(ana, 'setContraventionFinding', { contraventionId: contravention, finding: 'SUBSTANTIATED' });
  await next(ana, 'submitForReview', { recommendation: 'Enforce.' });
  await next(sue, 'assignReviewer', { reviewerId: officerId });
  return caseId as CaseId;
}

export type Asked = { key: string; command: AnyCommand; input: CaseloadInput };

/** What a supervisor sends after having seen the preview. */
export async function accepted(
  store: Store,
  type: 'moveCaseload' | 'deactivateOfficer',
  officerId: OfficerId,
  toOfficerIds: OfficerId[],
): Promise<Asked> {
  const plan = planned(await caseloadOf(store, demo.id, officerId), toOfficerIds);
  const { version } = await officerAt(store, officerId);
  const key = newKey();
  const commandId = commandIdOf(demo.id, sue.id, key);
  return {
    key,
    command: {
      ...{ type, officerId, expectedVersion: version, toOfficerIds },
      ...{ previewDigest: digestOf(officerId, plan), reason: 'a new post' },
    },
    input: { tenant: demo.id, officerId, commandId, round: 1, correlationId: 'test', requestedBy: sue.id },
  };
}

export const send = (world: Pick<World, 'store'>, { key, command }: Asked) =>
  execute(world.store, { tenant: demo.id, actor: sue, idempotencyKey: key, correlationId: 'test' }, command);
export const sendAs = run;

export const officerAt = async (store: Store, officerId: OfficerId): Promise<Officer> =>
  (await readItems(store, demo.id, [ref.officer(officerId)]))[0]!;
export const leadOf = async (store: Store, caseId: CaseId) =>
  (await readItems(store, demo.id, [ref.case(caseId)]))[0]!.leadOfficerId;

/** How a run stands: its record, and what became of each thing. */
export async function standing(store: Store, { input: { commandId } }: Asked) {
  const [record] = await store.table.batchGet([keysOf(demo.id).command(commandId)]);
  const items = await allItems(store, demo.id, commandId);
  const { status, generation, refusal, items: counts } = record as unknown as CommandRecord;
  return { status, generation, refusal, counts, items };
}

export const came = (items: { kind: string; status: string }[]) =>
  items.map(({ kind, status }) => `${kind} ${status}`).sort();

/** How often the case's lead was changed. */
export async function changesOfLead(store: Store, caseId: CaseId): Promise<number> {
  const { items } = await store.table.query({
    ...{ partition: keysOf(demo.id).casePartition(caseId), prefix: 'EVENT#' },
    ...{ forward: true, limit: 100, consistent: true },
  });
  return items.filter(({ type }) => type === 'reassignLead').length;
}
export type { CommandId };
