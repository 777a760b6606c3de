import { Busy, InvariantBreach, OutcomeUnknown } from '../domain/answer.ts';
import type { Case, CommandResult, CreatedBy } from '../domain/case/case.ts';
import { commands } from '../domain/catalogue.ts';
import type { AnyCommand, AnyDefinition, Envelope, Given } from '../domain/command.ts';
import type { Officer } from '../domain/officer/officer.ts';
import { invalid, isRefused, refused, type Refused } from '../domain/refusal.ts';
import { ref, type Found, type Reads } from '../domain/refs.ts';
import type { Tenant } from '../domain/tenant.ts';
import type { Done, RefusedCommand } from './answers.ts';
import { attemptsOf, type Attempts, type PauseReason } from './attempts.ts';
import { drawCaseNumber } from './caseNumber.ts';
import { logCommand } from './commandLog.ts';
import { fence, readRecord } from './fence.ts';
import { givenOf, newSalt } from './given.ts';
import { instantOf } from './calendar.ts';
import { keysOf, keyText } from './keys.ts';
import { outcomeOf } from './outcome.ts';
import { entityOf, readItems, readSet } from './read.ts';
import { generationOf, liveRecord, type CommandRecord } from './record.ts';
import { frozenCopy, NotCanonical } from './requestHash.ts';
import { send } from './send.ts';
import type { Store } from './store.ts';
import { planOf, type Plan } from './writes.ts';

export type { Done, RefusedCommand };

/** One request on its way. */
type Run = { store: Store; definition: AnyDefinition; command: AnyCommand; given: Given; attempts: Attempts };

/**
 * The one way anything changes, for people and workflows alike: read, replay or decide, write; read again if it moved.
 * Throws `Busy` (nothing was done), `OutcomeUnknown` (only evidence can tell) or `InvariantBreach` (a bug).
 */
export async function execute(store: Store, envelope: Envelope, asked: AnyCommand): Promise<Done | RefusedCommand> {
  const definition = commands.get(asked.type);
  if (!definition) throw new InvariantBreach(`no command ${asked.type}`);
  const command = canonical(asked);
  if (isRefused(command)) return { ...command, current: undefined };

  const attempts = attemptsOf(store, envelope.timeoutMs);
  const run = { store, definition, command, given: givenOf(envelope, command, store.now()), attempts };
  return logCommand(store, run, () => readDecideWrite(run));
}

async function readDecideWrite(run: Run): Promise<Done | RefusedCommand> {
  const { store, attempts } = run;
  let generation = 0;
  while (attempts.hasTime() && attempts.hasTries()) {
    run.given = { ...run.given, at: instantOf(store.now()) };
    const before = await read(run).catch((error: unknown) => unread(error));
    if ('unread' in before) return giveUp(run, generation, before.unread);

    generation = before.generation;
    attempts.saw(before.record);
    const known = spoken(run, before.record) ?? createdBefore(run, before.found);
    if (known) return answerOf(run, known, before.found);

    const next = await decide(run, before.found).catch((error: unknown) => unread(error));
    if ('unread' in next) return giveUp(run, generation, next.unread);
    if (next.kind === 'refused') return refuse(run, next, generation, before.found);

    const plan = planOf(next, run.command, run.given, generation, newSalt());
    const sent = await send(store, plan, attempts);
    if (sent.kind === 'committed') return { kind: 'done', ...plan.result, replayed: false, current: plan.after };
    if (sent.kind === 'recordFound') {
      const record = liveRecord(sent.record, store.now());
      attempts.saw(record);
      const found = spoken(run, record);
      if (found) return answerOf(run, found, undefined);
    }
    if (sent.kind === 'moved') numberIfTaken(run, plan, sent.failed);
  }
  return giveUp(run, generation, attempts.lastReason);
}

type Before = { record: CommandRecord | undefined; generation: number; found: Found<Reads> };

/** Command record and read set in one consistent batch; keys that stand only in state in a second. */
async function read({ store, definition, command, given }: Run): Promise<Before> {
  const keys = keysOf(given.tenant);
  const reads = definition.reads(command, given);
  const names = Object.keys(reads);
  const [record, ...items] = await store.table.batchGet([
    keys.command(given.commandId),
    ...names.map((name) => keys.of(reads[name]!)),
  ]);
  const first = Object.fromEntries(names.map((name, i) => [name, entityOf(items[i])])) as Found<Reads>;
  const live = liveRecord(record, store.now());
  const more = live?.status === 'COMPLETED' ? {} : (definition.then?.(first, command, given) ?? {});
  const second = Object.keys(more).length > 0 ? await readSet(store, given.tenant, more) : {};
  return { record: live, generation: generationOf(record), found: { ...first, ...second } };
}

/** Pure, but for the case number: it is drawn once per request, and only for a command that would succeed. */
async function decide(run: Run, found: Found<Reads>) {
  const { definition, command } = run;
  if (definition.drawsCaseNumber && run.given.caseNumber === undefined) {
    const tried = definition.decide(found, command, { ...run.given, caseNumber: '' });
    if (tried.kind === 'refused') return tried;
    const zone = (found['tenant'] as Tenant).zone;
    const year = run.given.calendar.dateIn(zone, run.given.at).slice(0, 4);
    run.given = { ...run.given, caseNumber: await drawCaseNumber(run.store, run.given.tenant, year) };
  }
  return definition.decide(found, command, run.given);
}

/** A number whose sentinel exists was given out twice: it is drawn once more, and that is alarmed. */
function numberIfTaken(run: Run, plan: Plan, failed: number[]): void {
  const number = run.given.caseNumber;
  if (number === undefined) return;
  const sentinel = keyText(keysOf(run.given.tenant).of(ref.unique('CASE_NUMBER', '', number)));
  if (!failed.some((slot) => keyText(plan.writes[slot]!.key) === sentinel)) return;
  run.store.log({ alarm: 'case number given out twice', tenant: run.given.tenant });
  const { caseNumber: _, ...rest } = run.given;
  run.given = rest;
}

/** What a live record says to this request; nothing where it lets the command decide again. */
function spoken({ given }: Run, record: CommandRecord | undefined): CommandResult | Refused | undefined {
  if (!record) return undefined;
  if (record.requestHash !== given.requestHash) return keyReused;
  switch (record.status) {
    case 'COMPLETED':
      return record.result;
    case 'FAILED_FINAL':
      return record.refusal;
    case 'IN_PROGRESS':
      throw new Busy('the command is being carried out', 'NOT_YET');
    case 'FAILED_RETRYABLE':
      return undefined;
  }
}

/** The record may have expired, but what the command created still names it: before any other rule. */
function createdBefore({ given }: Run, found: Found<Reads>): CommandResult | Refused | undefined {
  for (const item of Object.values(found)) {
    const { createdBy } = (item ?? {}) as { createdBy?: CreatedBy };
    if (createdBy?.commandId === given.commandId)
      return createdBy.requestHash === given.requestHash ? createdBy.result : keyReused;
  }
  return undefined;
}

const keyReused = refused('IDEMPOTENCY_KEY_REUSED', 'the key was used for another request');

/** Rule 7: a refusal binds nothing, so a duplicate may have committed since the read; the record is asked once more. */
async function refuse(run: Run, no: Refused, generation: number, found: Found<Reads>): Promise<Done | RefusedCommand> {
  if (run.attempts.anyUnresolved()) {
    const outcome = await fence(run.store, run.command, run.given, generation, run.attempts);
    if (outcome.kind === 'unknown') throw unknownOutcome();
    const told = outcome.kind === 'record' ? spoken(run, outcome.record) : undefined;
    return told ? answerOf(run, told, undefined) : { ...no, current: aggregateIn(found) };
  }
  const told = spoken(run, await readRecord(run.store, run.given));
  return told ? answerOf(run, told, undefined) : { ...no, current: aggregateIn(found) };
}

/** Rule 9: time or tries are used up. Nothing unresolved: not done. Otherwise only a fence may say so. */
async function giveUp(run: Run, generation: number, reason: PauseReason): Promise<Done | RefusedCommand> {
  if (run.attempts.anyUnresolved()) {
    const outcome = await fence(run.store, run.command, run.given, generation, run.attempts).catch(() => undefined);
    if (!outcome || outcome.kind === 'unknown') throw unknownOutcome();
    const told = outcome.kind === 'record' ? spoken(run, outcome.record) : undefined;
    if (told) return answerOf(run, told, undefined);
  }
  throw new Busy('not done in time; the same key may be sent again', busyReasons[reason]);
}

const busyReasons = {
  CONTENTION: 'CONTENTION',
  OVERLOADED: 'OVERLOADED',
  NOT_SENT: 'UNAVAILABLE',
  AMBIGUOUS: 'UNAVAILABLE',
  IN_PROGRESS: 'UNAVAILABLE',
} as const;

const unknownOutcome = () => new OutcomeUnknown('the outcome is unknown; ask with the same key');

/** A replay or a recorded refusal, with the aggregate as it stands. */
async function answerOf(
  run: Run,
  told: CommandResult | Refused,
  found: Found<Reads> | undefined,
): Promise<Done | RefusedCommand> {
  if ('kind' in told) return { ...told, current: found && aggregateIn(found) };
  const known = found && aggregateIn(found);
  const current = known?.id === told.aggregateId ? known : await readAggregate(run, told);
  return { kind: 'done', ...told, replayed: true, current };
}

async function readAggregate({ store, given }: Run, { aggregateType, aggregateId }: CommandResult) {
  const aggregate =
    aggregateType === 'Case' ? ref.case(aggregateId as Case['id']) : ref.officer(aggregateId as Officer['id']);
  const [current] = await readItems<Case | Officer>(store, given.tenant, [aggregate]);
  return current;
}

const aggregateIn = (found: Found<Reads>) => (found['case'] ?? found['officer']) as Case | Officer | undefined;

function canonical(asked: AnyCommand): AnyCommand | Refused {
  try {
    return frozenCopy(asked);
  } catch (error) {
    if (error instanceof NotCanonical) return invalid('CANONICAL', [], error.message);
    throw error;
  }
}

/** A read, or the drawing of a number, that failed: nothing of it can have changed the case. */
function unread(error: unknown): { unread: PauseReason } {
  if (error instanceof InvariantBreach || error instanceof TypeError) throw error;
  const outcome = outcomeOf(error, 0);
  if (outcome.kind === 'broken')
    throw new InvariantBreach(`the database refused a read: ${outcome.what}`, { cause: error });
  if (outcome.kind === 'pause') return { unread: outcome.why };
  return { unread: 'NOT_SENT' };
}
