import { randomUUID } from 'node:crypto';
import type { Actor, Envelope } from '../domain/command.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Documents, Executions } from '../domain/ports.ts';
import { ref } from '../domain/refs.ts';
import { readItems } from '../store/read.ts';
import type { Store } from '../store/store.ts';
import { refusedToken, type Authenticate } from './authenticate.ts';
import { cursorsOf, type Cursors } from './cursor.ts';
import { loadersOf, type Loaders } from './loaders.ts';
import { forReading } from './reads.ts';
import { counted, type Tally } from './tally.ts';

/** What a request carries to its resolvers. */
export type Context = {
  tenant: TenantId;
  actor: Actor;
  /** For commands. */
  store: Store;
  /** For everything that is only read. */
  reads: Store;
  loaders: Loaders;
  cursors: Cursors;
  /** Histories of executions. */
  executions: Executions;
  documents: DocumentLinks;
  correlationId: string;
  /** Milliseconds since the epoch; nothing is begun after it. */
  deadline: number;
  tally: Tally;
};

export type ContextParts = {
  store: Store;
  authenticate: Authenticate;
  cursorKey: Uint8Array;
  executions: Executions;
  documents: DocumentLinks;
};

/** To sign a link and to read a checksum: no byte of a document passes through the API. */
export type DocumentLinks = Pick<Documents, 'link' | 'upload' | 'checksum'>;

export type RequestHead = {
  header: (name: string) => string | undefined;
  /** How long the host lets the request run. */
  remainingMs: number;
};

const longestMs = 20_000;
/** With less than one attempt, and what it takes to be sure of its end, no command could be tried at all. */
const shortestMs = 3_000;

export async function contextOf(parts: ContextParts, head: RequestHead, correlationId: string): Promise<Context> {
  const { tenant, actor } = await parts.authenticate(head.header('authorization'));
  const tally: Tally = { calls: 0, lists: 0, answerBytes: 0 };
  const store = counted(parts.store, tally);
  const reads = forReading(store);
  await refuseInactive(reads, tenant, actor);
  return {
    tenant,
    actor,
    store,
    reads,
    loaders: loadersOf(reads, tenant, actor),
    cursors: cursorsOf(parts.cursorKey, tenant, store.now),
    executions: parts.executions,
    documents: parts.documents,
    correlationId,
    deadline: store.now() + Math.min(head.remainingMs, wished(head.header('docket-timeout-ms')), longestMs),
    tally,
  };
}

/** The envelope of a command, with the time that is left. */
export const envelopeOf = (ctx: Context, idempotencyKey: string): Envelope => ({
  tenant: ctx.tenant,
  actor: ctx.actor,
  idempotencyKey,
  correlationId: ctx.correlationId,
  timeoutMs: Math.max(0, ctx.deadline - ctx.store.now()),
});

/** A token outlives the officer's leaving; the officer's own item has the last word. Nobody need be registered to ask. */
async function refuseInactive(store: Store, tenant: TenantId, actor: Actor): Promise<void> {
  const [officer] = await readItems(store, tenant, [ref.officer(actor.id)]);
  if (officer?.state === 'INACTIVE') throw refusedToken('the officer is inactive');
}

/** The caller's, where it is one, so that a trace begun outside goes on; it enters events and workflow input. */
export function correlationIdOf({ header }: RequestHead): string {
  const given = header('x-correlation-id');
  return given !== undefined && /^[A-Za-z0-9_-]{8,128}$/.test(given) ? given : randomUUID();
}

const wished = (text: string | undefined) =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Math.max(Number(text), shortestMs) : longestMs;
