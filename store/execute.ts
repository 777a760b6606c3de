import { Busy, InvariantBreach, OutcomeUnknown } from '../domain/answer.ts';
import { commands } from '../domain/catalogue.ts';
import type { AnyCommand, AnyDefinition, Envelope, Given } from '../domain/command.ts';
import { invalid, isRefused, type Refused } from '../domain/refusal.ts';
import { ref, type Found, type Reads } from '../domain/refs.ts';
import type { Tenant } from '../domain/tenant.ts';
import type { Done, RefusedCommand } from './answers.ts';
import { attemptsOf, type Attempts } from './attempts.ts';
import { impossible } from './breach.ts';
import { instantOf } from './calendar.ts';
import { drawCaseNumber } from './caseNumber.ts';
import { logCommand, type Trace } from './commandLog.ts';
import { fence, readRecord } from './fence.ts';
import { givenOf, newSalt } from './given.ts';
import { keysOf, keyText, kindOfKey } from './keys.ts';
import { recordBeforeRefusal } from './lookup.ts';
import { answered, OutOfTime } from './outOfTime.ts';
import { entityOf, readSet } from './read.ts';
import { generationOf, liveRecord, type CommandRecord } from './record.ts';
import { frozenCopy, NotCanonical } from './requestHash.ts';
import { send, type Sent } from './send.ts';
import type { Store } from './store.ts';
import { aggregateIn, answerOf, toldBy, toldByCreation } from './told.ts';
import { planOf, type Plan } from './writes.ts';

export type { Done, RefusedCommand };

/** One request on its way. */
type Run = {
  store: Store;
  definition: AnyDefinition;
  command: AnyCommand;
  given: Given;
  attempts: Attempts;
  /** The generation of the record as last read: what slot 0 and a fence name. */
  generation: number;
  /** What failed last and cannot fail by a rival alone. */
  suspected: string | undefined;
  trace: Trace;
};

/**
 * The one way anything changes, for people and workflows alike: read, replay or decide, write; read again if it moved.
 * Throws `Busy` (nothing was done), `OutcomeUnknown` (only evidence can tell) or `InvariantBreach` (a bug).
 */
export async function execute(store: Store, envelope: Envelope, asked: AnyCommand): Promise<Done | RefusedCommand> {
  const definition = commands.get(asked.type);
  if (!definition) throw new InvariantBreach(`no command ${asked.type}`);
  const command = canonical(asked);
  if (isRefused(command)) return { ...command, current: undefined };

  const run: Run = {
    store,
    definition,
    command,
    given: givenOf(envelope, command, store.now()),
    attempts: attemptsOf(store, envelope.timeoutMs),
    generation: 0,
    suspected: undefined,
    trace: { operation: undefined, conditionFailed: [] },
  };
  return logCommand(store, run, () => readDecideWrite(run));
}

async function readDecideWrite(run: Run): Promise<Done | RefusedCommand> {
  try {
    while (run.attempts.mayTry()) {
      const answer = await oneRound(run);
      if (answer) return answer;
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  return giveUp(run);
}

/** Nothing where the state moved, or time is up: the caller knows which. */
async function oneRound(run: Run): Promise<Done | RefusedCommand | undefined> {
  const { store, attempts } = run;
  run.given = { ...run.given, at: instantOf(store.now()) };
  const { record, found } = await read(run);
  attempts.saw(record);
  const known = toldBy(record, run.given) ?? (record ? undefined : toldByCreation(found, run.given));
  if (known) return answerOf(store, run.given, known, found);

  const next = await decide(run, found);
  if (next.kind === 'refused') return refuse(run, next, found);
  if (outlived(run.given, found)) return giveUp(run);

  const plan = planOf(next, run.command, run.given, run.generation, newSalt());
  run.trace.operation = 'TransactWriteItems';
  const sent = await send(store, plan, attempts);
  switch (sent.kind) {
    case 'committed':
      return { kind: 'done', ...plan.result, ...(plan.run && { run: plan.run }), replayed: false, current: plan.after };
    case 'recordFound':
      return recordFound(run, liveRecord(sent.record, store.now()));
    case 'moved':
      return moved(run, plan, sent);
    case 'mismatched':
      return mismatched(run);
    case 'outOfTime':
      return giveUp(run);
  }
}

/** Under a later lease somebody has written here already: no try of this worker can succeed, so it stops at once. */
const outlived = ({ fence }: Given, found: Found<Reads>) =>
  fence !== undefined && ((aggregateIn(found) as { fence?: number } | undefined)?.fence ?? 0) > fence;

/** Command record and read set in one consistent batch; keys that stand only in state in a second. */
async function read(run: Run): Promise<{ record: CommandRecord | undefined; found: Found<Reads> }> {
  const { store, definition, command, given, attempts } = run;
  const keys = keysOf(given.tenant);
  const reads = definition.reads(command, given);
  const names = Object.keys(reads);
  const wanted = [keys.command(given.commandId), ...names.map((name) => keys.of(reads[name]!))];
  run.trace.operation = 'BatchGetItem';
  const [item, ...items] = await answered(attempts, () => store.table.batchGet(wanted));
  run.generation = generationOf(item);
  const record = liveRecord(item, store.now());
  const first = Object.fromEntries(names.map((name, i) => [name, entityOf(items[i])])) as Found<Reads>;
  if (toldBy(record, given)) return { record, found: first };

  const more = definition.then?.(first, command, given) ?? {};
  if (Object.keys(more).length === 0) return { record, found: first };
  const second = await answered(attempts, () => readSet(store, given.tenant, more));
  return { record, found: { ...first, ...second } };
}

/** Pure, but for the case number: it is drawn once per request, and only for a command that would succeed. */
async function decide(run: Run, found: Found<Reads>) {
  const { definition, command, store } = run;
  if (definition.drawsCaseNumber && run.given.caseNumber === undefined) {
    const tried = definition.decide(found, command, { ...run.given, caseNumber: '' });
    if (tried.kind === 'refused') return tried;
    const zone = (found['tenant'] as Tenant).zone;
    const year = run.given.calendar.dateIn(zone, run.given.at).slice(0, 4);
    run.trace.operation = 'UpdateItem';
    const caseNumber = await answered(run.attempts, () => drawCaseNumber(store, run.given.tenant, year));
    run.given = { ...run.given, caseNumber };
  }
  return definition.decide(found, command, run.given);
}

/** Rule 3: the record that slot 0 met says what there is to say, or lets the command decide again. */
async function recordFound(run: Run, record: CommandRecord | undefined): Promise<Done | RefusedCommand | undefined> {
  run.trace.conditionFailed = ['IDEMPOTENCY/COMMAND'];
  run.attempts.saw(record);
  const told = toldBy(record, run.given);
  if (told) return answerOf(run.store, run.given, told, undefined);
  await run.attempts.pause('CONTENTION');
  return undefined;
}

/** Rule 4: read and decide again; unless what failed cannot fail, and did so twice. */
function moved(run: Run, { writes }: Plan, { failed, alone }: Extract<Sent, { kind: 'moved' }>): undefined {
  run.trace.conditionFailed = failed.map((slot) => kindOfKey(writes[slot]!.key));
  const suspected = alone ? impossible(writes, failed) : undefined;
  if (suspected !== undefined && suspected === run.suspected) {
    run.store.log({ alarm: 'invariant breach', conditionFailed: run.trace.conditionFailed, tenant: run.given.tenant });
    throw new InvariantBreach('a condition failed that no rival can fail alone');
  }
  run.suspected = suspected;

  const { caseNumber, ...rest } = run.given;
  if (caseNumber === undefined) return;
  const sentinel = keyText(keysOf(run.given.tenant).of(ref.unique('CASE_NUMBER', '', caseNumber)));
  if (!failed.some((slot) => keyText(writes[slot]!.key) === sentinel)) return;
  run.store.log({ alarm: 'case number given out twice', tenant: run.given.tenant }); // drawn once more
  run.given = rest;
}

/** Two plans under one token: a bug. Whether one of them was carried out, the record knows. */
async function mismatched(run: Run): Promise<Done | RefusedCommand> {
  run.store.log({ alarm: 'two plans under one token', tenant: run.given.tenant, commandId: run.given.commandId });
  const told = toldBy(await answered(run.attempts, () => readRecord(run.store, run.given)), run.given);
  if (told) return answerOf(run.store, run.given, told, undefined);
  throw new InvariantBreach('two plans under one token');
}

/** Rule 7: a refusal binds nothing, so a duplicate may have committed since the read; the record is asked once more. */
async function refuse(run: Run, no: Refused, found: Found<Reads>): Promise<Done | RefusedCommand> {
  const { store, given, attempts } = run;
  const record = attempts.anyUnresolved() ? await fenceOff(run) : await recordBeforeRefusal(store, given, attempts);
  const told = toldBy(record, given);
  return told ? answerOf(store, given, told, undefined) : { ...no, current: aggregateIn(found) };
}

/** Rule 9: time or tries are used up. Nothing unresolved: not done. Otherwise only a fence may say so. */
async function giveUp(run: Run): Promise<Done | RefusedCommand> {
  const { store, given, attempts } = run;
  const told = attempts.anyUnresolved() ? toldBy(await fenceOff(run), given) : undefined;
  if (told) return answerOf(store, given, told, undefined);
  throw new Busy('not done in time; the same key may be sent again', busyReasons[attempts.lastReason]);
}

/** The record that has spoken for the key, if one has; from then on nothing of this request can commit. */
async function fenceOff(run: Run): Promise<CommandRecord | undefined> {
  const { store, command, given, generation, attempts } = run;
  run.trace.operation = 'PutItem';
  const outcome = await fence(store, command, given, generation, attempts);
  if (outcome.kind === 'unknown') throw new OutcomeUnknown('the outcome is unknown; ask with the same key');
  return outcome.kind === 'record' ? outcome.record : undefined;
}

const busyReasons = {
  CONTENTION: 'CONTENTION',
  OVERLOADED: 'OVERLOADED',
  NOT_SENT: 'UNAVAILABLE',
  AMBIGUOUS: 'UNAVAILABLE',
  IN_PROGRESS: 'UNAVAILABLE',
} as const;

function canonical(asked: AnyCommand): AnyCommand | Refused {
  try {
    return frozenCopy(asked);
  } catch (error) {
    if (error instanceof NotCanonical) return invalid('CANONICAL', [], error.message);
    throw error;
  }
}
