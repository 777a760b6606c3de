import type { AnyCommand, Envelope } from '../../domain/command.ts';
import { providerOf, type EffectKind, type LedgerRow } from '../../domain/effect.ts';
import type { ActionId, CaseId, EffectId, NoticeId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { pendingKeys, readMessages, type Message } from '../../store/claims.ts';
import { calendar, instantOf } from '../../store/calendar.ts';
import { effectIdOf } from '../../store/identity.ts';
import { pendingShards } from '../../store/indexes.ts';
import { readItems } from '../../store/read.ts';
import type { ActionInput } from '../../workflows/task.ts';
import { onMovedClock } from '../store/time.ts';
import {
  addParty,
  ana,
  asActor,
  ben,
  demo,
  done,
  openCase,
  registerOfficer,
  startWorld,
  sue,
  type World,
} from '../store/world.ts';

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** A world with its people, on a clock that the test moves. */
export async function startStage() {
  const real = await startWorld();
  const { store, clock } = onMovedClock(real.store);
  const world: World = { ...real, store };
  for (const { id } of [ana, ben, sue]) await done(world, sue, registerOfficer(id, { maxLoad: 500 }));
  return { world, store, clock, log: real.log, stop: real.stop };
}

export const service = asActor('workflows', 'SERVICE');

/** A case with one substantiated contravention, approved, and an action on it that has been issued. */
export async function issued({ world }: Stage, party: Record<string, unknown> = {}): Promise<ActionInput> {
  const by = (actor: Envelope['actor'], command: AnyCommand) => done(world, actor, command);
  const opened = await by(ana, openCase({ leadOfficerId: ana.id }));
  const caseId = opened.aggregateId as CaseId;
  let expectedVersion = 1;
  const onCase = async (actor: Envelope['actor'], type: string, rest: object = {}) => {
    const answer = await by(actor, { type, caseId, expectedVersion, ...rest });
    expectedVersion = answer.appliedVersion;
    return answer.created;
  };
  const { party: partyId } = await onCase(ana, 'addParty', { ...addParty(caseId, party), expectedVersion });
  const { contravention } = await onCase(ana, 'recordContravention', {
    ...{ provision: 'Hazardous Goods Act, section 12', date: '2026-02-01', partyIds: [partyId] },
  });
  await onCase(ana, 'setContraventionFinding', { contraventionId: contravention, finding: 'SUBSTANTIATED' });
  await onCase(ana, 'submitForReview', { recommendation: 'A compliance notice.' });
  await onCase(sue, 'assignReviewer', { reviewerId: ben.id });
  await onCase(ben, 'approveCase', { reason: 'well founded' });
  const { action } = await onCase(ana, 'startEnforcement', {
    ...{ actionType: 'COMPLIANCE_NOTICE', partyId, contraventionIds: [contravention] },
  });
  const actionId = action as ActionId;
  const { created } = await by(sue, { type: 'issueEnforcementAction', caseId, actionId, expectedVersion: 1 });
  const noticeId = created['notice'] as NoticeId;
  return inputOf({ caseId, actionId, noticeId, effectId: effectIdOf(noticeId, 'NOTICE_MAIL', 0) });
}

/** The same, its notice served in person and the action submitted to the registry. */
export async function submitted(stage: Stage): Promise<ActionInput> {
  const { world } = stage;
  const { caseId, actionId, noticeId } = await issued(stage);
  await done(world, service, { type: 'recordNoticeFailed', caseId, actionId, noticeId, failure: 'not rendered' });
  const date = calendar.dateIn(demo.zone, instantOf(stage.clock.now()));
  const inPerson = { method: 'IN_PERSON', date, evidence: 'receipt 7' };
  await done(world, ana, { type: 'serveNotice', caseId, actionId, expectedVersion: 2, ...inPerson });
  await done(world, sue, { type: 'submitToRegistry', caseId, actionId, expectedVersion: 2 });
  return inputOf({ caseId, actionId, effectId: effectIdOf(actionId, 'REGISTRATION', 1) });
}

type Named = { caseId: CaseId; actionId: ActionId; noticeId?: NoticeId; effectId: EffectId };
const inputOf = (named: Named): ActionInput => ({
  tenant: demo.id,
  ...named,
  round: 0,
  correlationId: 'test',
  requestedBy: sue.id,
});

/** What stands: the case, its action and notice, and the row of the effect. */
export async function standing(
  { store }: Pick<Stage, 'store'>,
  kind: EffectKind,
  { caseId, actionId, effectId }: ActionInput,
) {
  const refs = [ref.case(caseId), ref.action(caseId, actionId), ref.effect(providerOf[kind], effectId)] as const;
  const [current] = await readItems(store, demo.id, [refs[0]]);
  const [action] = await readItems(store, demo.id, [refs[1]]);
  const [row] = await readItems<LedgerRow>(store, demo.id, [refs[2]]);
  const [notice] = action!.noticeId ? await readItems(store, demo.id, [ref.notice(caseId, action!.noticeId)]) : [];
  return { case: current!, action: action!, row: row!, notice };
}

/** The messages that are not told yet, in the order of their index. */
export async function waiting({ store }: Pick<Stage, 'store'>, about: string): Promise<Message[]> {
  const shards = Array.from({ length: pendingShards }, (_, shard) => shard);
  const until = instantOf(store.now() + 1);
  const keys = (await Promise.all(shards.map((shard) => pendingKeys(store, 'OUTBOX', shard, until)))).flat();
  const messages = await readMessages(store, keys);
  return messages.filter(({ aggregateId, payload }) => aggregateId === about || payload['effectId'] === about);
}
