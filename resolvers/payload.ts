import type { AnyCommand } from '../domain/command.ts';
import type { ActionId, CaseId, DocumentId, HoldId, TaskId } from '../domain/ids.ts';
import type { Refused } from '../domain/refusal.ts';
import { ref } from '../domain/refs.ts';
import { execute, type Done, type RefusedCommand } from '../store/execute.ts';
import { envelopeOf, type Context } from './context.ts';
import { misshapen } from './limits.ts';
import { isCase } from './loaders.ts';
import { nodeId, type NodeType } from './nodeId.ts';
import { userError } from './userError.ts';

type Keyed = { idempotencyKey: string };
type Answer = Done | RefusedCommand;
/** What is wrong with the input before anything is read, where more than its general shape matters. */
type Shape = (Refused | undefined)[];

/** Runs a command on a case and answers as CasePayload: a refusal is data, beside the case as it stands now. */
export async function casePayload(ctx: Context, input: Keyed, command: AnyCommand, ...shape: Shape) {
  return asCasePayload(ctx, await run(ctx, input, command, shape));
}

export async function officerPayload(ctx: Context, input: Keyed, command: AnyCommand, ...shape: Shape) {
  const answer = await run(ctx, input, command, shape);
  const shown = await afterwards(ctx, () => ctx.loaders.shown(answer.current));
  return { officer: shown && !isCase(shown) ? shown : null, ...outcomeOf(answer) };
}

/** The same for commands on an action: the one the command names, or the one it made. */
export async function actionPayload(
  ctx: Context,
  input: Keyed,
  command: AnyCommand & { caseId: CaseId; actionId?: ActionId },
  made?: (answer: Done) => ActionId,
) {
  const answer = await run(ctx, input, command, []);
  const payload = await asCasePayload(ctx, answer);
  const actionId = command.actionId ?? (answer.kind === 'done' ? made?.(answer) : undefined);
  const action = actionId && (await afterwards(ctx, () => ctx.loaders.child(ref.action(command.caseId, actionId))));
  return { ...payload, action: action || null };
}

/** The same for commands on a task, which an operator may see without its case. */
export async function taskPayload(
  ctx: Context,
  input: Keyed,
  command: AnyCommand & { caseId: CaseId; taskId?: TaskId },
  made?: (answer: Done) => TaskId,
) {
  const answer = await run(ctx, input, command, []);
  const payload = await asCasePayload(ctx, answer);
  const taskId = command.taskId ?? (answer.kind === 'done' ? made?.(answer) : undefined);
  const task = taskId && (await afterwards(ctx, () => ctx.loaders.task(ref.task(command.caseId, taskId))));
  return { ...payload, task: task || null };
}

/** The same for commands on a document, which may be more secret than its case. */
export async function documentPayload(
  ctx: Context,
  input: Keyed,
  command: AnyCommand & { caseId: CaseId; documentId?: DocumentId },
  made?: (answer: Done) => DocumentId,
) {
  const answer = await run(ctx, input, command, []);
  const payload = await asCasePayload(ctx, answer);
  const documentId = command.documentId ?? (answer.kind === 'done' ? made?.(answer) : undefined);
  const document =
    documentId && (await afterwards(ctx, () => ctx.loaders.document(ref.document(command.caseId, documentId))));
  return { ...payload, document: document || null };
}

/** The same for commands on a hold. */
export async function holdPayload(
  ctx: Context,
  input: Keyed,
  command: AnyCommand & { caseId: CaseId; holdId?: HoldId },
  made?: (answer: Done) => HoldId,
) {
  const answer = await run(ctx, input, command, []);
  const payload = await asCasePayload(ctx, answer);
  const holdId = command.holdId ?? (answer.kind === 'done' ? made?.(answer) : undefined);
  const hold = holdId && (await afterwards(ctx, () => ctx.loaders.child(ref.hold(command.caseId, holdId))));
  return { ...payload, hold: hold || null };
}

async function asCasePayload(ctx: Context, answer: Answer) {
  const shown = await afterwards(ctx, () => ctx.loaders.shown(answer.current));
  return { case: shown && isCase(shown) ? shown : null, ...outcomeOf(answer) };
}

/**
 * Reads or makes what is shown of a command that has been answered: a failure here must not become "not done", nor take the
 * answers of earlier mutations with it, so what fails is not shown.
 */
export async function afterwards<Shown>(
  { store, correlationId }: Context,
  show: () => Promise<Shown | null | undefined>,
): Promise<Shown | null> {
  try {
    return (await show()) ?? null;
  } catch (error) {
    store.log({ afterCommand: 'not shown', error: error instanceof Error ? error.name : typeof error, correlationId });
    return null;
  }
}

/** Runs a command on behalf of the viewer; what is wrong with its shape is refused before anything is read. */
export async function run(
  ctx: Context,
  { idempotencyKey, ...input }: Keyed,
  command: AnyCommand,
  shape: Shape,
): Promise<Answer> {
  const no = misshapen(input) ?? shape.find((refusal) => refusal !== undefined);
  if (no) return { ...no, current: undefined };
  return execute(ctx.store, envelopeOf(ctx, idempotencyKey), command);
}

/** What every payload says besides what it is about. */
export function outcomeOf(answer: Answer) {
  if (answer.kind === 'refused')
    return { appliedVersion: null, createdIds: [], replayed: false, errors: [userError(answer)] };
  const { appliedVersion, replayed } = answer;
  return { appliedVersion, createdIds: createdIds(answer), replayed, errors: [] };
}

const nodeTypes: Record<string, NodeType> = {
  party: 'Party',
  contravention: 'Contravention',
  review: 'Review',
  action: 'EnforcementAction',
  notice: 'Notice',
  task: 'Task',
  document: 'Document',
  hold: 'Hold',
  note: 'Note',
};

/** What was made besides the aggregate itself, in a fixed order: part of the answer that every repeat gets. */
function createdIds({ created, aggregateId }: Done): string[] {
  return Object.keys(created)
    .sort()
    .flatMap((role) => {
      const type = nodeTypes[role];
      return type ? [nodeId(type, aggregateId, created[role]!)] : [];
    });
}

/** A command without what was left out or null in the input: for the domain both are simply absent. */
export function present<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], null> } {
  const entries = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> };
}
