import type { Calendar } from './calendar.ts';
import type { CommandId, EffectId, Instant, OfficerId, TenantId } from './ids.ts';
import type { Found, Reads } from './refs.ts';
import type { Refused } from './refusal.ts';
import type { Transition } from './transition.ts';

export const roles = [
  'CASE_OFFICER',
  'INVESTIGATOR',
  'REVIEWER',
  'SUPERVISOR',
  'LEGAL_OFFICER',
  'RECORDS_MANAGER',
  'AUDITOR',
  'OPERATOR',
  'SERVICE',
] as const;
export type Role = (typeof roles)[number];

/** The subject that workflows act as: no token may have it, so that nobody's acts look like theirs. */
export const serviceSubject = 'workflows';

/** Who acts: for people the token's subject and roles; for workflows the service principal. */
export type Actor = { id: OfficerId; roles: readonly Role[] };

/** Everything about a request that is not its arguments. */
export type Envelope = {
  tenant: TenantId;
  actor: Actor;
  /** The person a workflow acts for. */
  onBehalfOf?: OfficerId;
  idempotencyKey: string;
  correlationId: string;
  /** The lease a SERVICE write is made under; a lower one is refused at the aggregate. */
  fence?: number;
  /** Milliseconds the caller is willing to wait. */
  timeoutMs?: number;
};

/** What `execute` hands to the pure code: time, identity and derived ids, each fixed for one command. */
export type Given = {
  tenant: TenantId;
  actor: Actor;
  onBehalfOf?: OfficerId;
  commandId: CommandId;
  requestHash: string;
  correlationId: string;
  fence?: number;
  /** Captured once per plan. */
  at: Instant;
  /** The id of the nth thing this command creates in that role. */
  id: <Kind extends string>(role: string, ordinal?: number) => Kind;
  effectId: (aggregateId: string, type: string, ...ordinal: (number | string)[]) => EffectId;
  /** Only for commands that draw one. */
  caseNumber?: string;
  /** Which shard of a sharded counter this command writes: the same at every retry. */
  counterShard: number;
  /** The date of an instant in a zone, and that date moved by days; Intl stays outside the domain. */
  calendar: Calendar;
};

/**
 * A command's arguments with its name: what the request hash covers, but for `measured`, which is what another party says
 * of the same thing and not what the caller asks for.
 */
export type AnyCommand = { type: string } & Record<string, unknown>;

/**
 * One command: what it reads and how it decides. `reads` is computable from the arguments; keys that stand only in
 * what was read are `then`, a declared second stage. `decide` is pure and gets everything by the names in the read sets.
 */
export type CommandDefinition<C extends { type: string }, R extends Reads, S extends Reads> = {
  type: C['type'];
  /** What is true after every transition of this command, whoever raced it; the catalogue prints it. */
  invariant: readonly string[];
  /** Draws a case number before deciding: one round trip more. */
  drawsCaseNumber?: boolean;
  reads: (command: C, given: Given) => R;
  then?: (found: Found<R>, command: C, given: Given) => S;
  decide: (found: Found<R> & Partial<Found<S>>, command: C, given: Given) => Transition | Refused;
};

/** Any definition, as `execute` sees it. */
export type AnyDefinition = CommandDefinition<AnyCommand, Reads, Reads>;

/** Checks the definition against its own command and read sets, and hands it on for the catalogue. */
export const defineCommand = <C extends { type: string }, R extends Reads, S extends Reads = Record<never, never>>(
  definition: CommandDefinition<C, R, S>,
): AnyDefinition => definition as unknown as AnyDefinition;
