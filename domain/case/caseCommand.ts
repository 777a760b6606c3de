import { check, type Change } from '../change.ts';
import { defineCommand, type AnyDefinition, type Given } from '../command.ts';
import { absent, equals, exists, type Condition } from '../condition.ts';
import type { CaseId, PartyId } from '../ids.ts';
import {
  allowedFrom,
  permittedOn,
  relationsOf,
  sees,
  separatedFrom,
  type Access,
  type CaseCommandName,
  type StatusFor,
} from '../policy.ts';
import { invalid, refused, type Refused } from '../refusal.ts';
import { ref, type Found, type Reads } from '../refs.ts';
import type { Transition, WorkRequest } from '../transition.ts';
import type { Case } from './case.ts';
import type { Notification } from '../notification.ts';
import { notifies } from './notifies.ts';

/** A command on an existing case, decided on the version that the caller saw. */
export type OnCase<Name extends CaseCommandName> = OnAnyVersion<Name> & { expectedVersion: number };
/** One whose invariant a guard, a status or a submission number owns: it takes no version (commands.md §1). */
export type OnAnyVersion<Name extends CaseCommandName> = { type: Name; caseId: CaseId };

type Standing = ReturnType<typeof standing>;
/** The case in a status from which the policy allows the command: the compiler knows what else is there. */
export type CaseFor<Name extends CaseCommandName> = Extract<Case, { status: StatusFor<Name> }>;

type CaseCommand<C extends OnAnyVersion<CaseCommandName>, R extends Reads, S extends Reads> = {
  type: C['type'];
  invariant: readonly string[];
  reads: (command: C, given: Given) => R;
  then?: (found: Found<R> & { case?: Case }, command: C, given: Given) => S;
  /** What has been done already is no change, wherever the case stands by now: for commands that workflows repeat. */
  repeated?: (found: Found<R>, command: C) => Refused | undefined;
  /** Whether the caller decided on what still is; by default the case's version against `expectedVersion`. */
  stale?: (current: Case, found: Found<R>, command: C, given: Given) => Refused | undefined;
  /** The rule itself; everything before is checked already. */
  decide: (
    current: CaseFor<C['type']>,
    found: Found<R> & Found<Standing> & Partial<Found<S>>,
    command: C,
    given: Given,
  ) => Transition | Refused;
};

/**
 * Checks in the order of the domain: visible, permitted, version, status, separation; then the command's own decision.
 * What granted access is written into the transaction as its premise, so that a race cannot pass.
 */
export function defineCaseCommand<
  C extends OnAnyVersion<CaseCommandName>,
  R extends Reads,
  S extends Reads = Record<never, never>,
>(definition: CaseCommand<C, R, S>): AnyDefinition {
  return defineCommand<C, Standing & R, S>({
    type: definition.type,
    invariant: definition.invariant,
    reads: (command, given) => ({ ...definition.reads(command, given), ...standing(command.caseId, given) }),
    ...(definition.then && {
      then: (found, command, given) => definition.then!(found, command, given),
    }),
    decide: (found, command, given) => {
      const gate = atTheGate(definition, found as Found<R> & Found<Standing>, command, given);
      if (gate.kind === 'refused') return gate;
      const next = definition.decide(gate.current as CaseFor<C['type']>, found, command, given);
      return next.kind === 'refused' ? next : { ...next, changes: [...next.changes, ...gate.premises] };
    },
  });
}

/** For commands that take no version. */
export const anyVersion = (): undefined => undefined;

const standing = (caseId: CaseId, given: Given) => ({
  case: ref.case(caseId),
  investigatorGuard: ref.investigatorGuard(caseId),
  exclusion: ref.exclusion(caseId, given.actor.id),
});

type Passed = { kind: 'passed'; current: Case; premises: Change[] };

function atTheGate<C extends OnAnyVersion<CaseCommandName>, R extends Reads, S extends Reads>(
  { repeated, stale = staleVersion }: CaseCommand<C, R, S>,
  found: Found<R> & Found<Standing>,
  command: C,
  given: Given,
): Passed | Refused {
  const current: Case | undefined = found.case;
  if (!current) return refused('NOT_FOUND', 'no such case');
  const relations = relationsOf(
    given.actor.id,
    current,
    found.investigatorGuard?.officerIds ?? new Set(),
    found.exclusion !== undefined,
  );
  const access: Access = { actor: given.actor, relations };
  if (!sees(access, current)) return refused('NOT_FOUND', 'no such case');
  return (
    permittedOn(command.type, access, current) ??
    repeated?.(found, command) ??
    stale(current, found, command, given) ??
    allowedFrom(command.type, current) ??
    separatedFrom(command.type, access) ?? { kind: 'passed', current, premises: premisesOf(access, command.caseId) }
  );
}

/** Whether the case has moved since the caller looked; it names the fields that moved. */
export function staleVersion(current: Case, _found: unknown, command: object): Refused | undefined {
  return staleSince('the case', current, (command as { expectedVersion?: number }).expectedVersion);
}

/** The same for any item that clients echo a version of. */
export function staleSince(
  what: string,
  { version, touched }: { version: number; touched: Record<string, number> },
  expected: number | undefined,
): Refused | undefined {
  if (expected === version) return undefined;
  if (expected === undefined)
    return invalid('REQUIRED', ['expectedVersion'], 'the version it was decided on is missing');
  return refused('VERSION_CONFLICT', `${what} is at version ${version}, the command was decided on ${expected}`, {
    expected,
    actual: version,
    changedFields: Object.keys(touched).filter((field) => touched[field]! > expected),
  });
}

/** Lead and reviewer stand on META and are conditions there; membership and exclusion are items of their own. */
export function premisesOf({ actor, relations }: Access, caseId: CaseId): Change[] {
  const notExcluded = check(ref.exclusion(caseId, actor.id), absent);
  const byMembership = relations.has('investigator') && !relations.has('lead') && !actor.roles.includes('SUPERVISOR');
  return byMembership ? [notExcluded, check(ref.investigator(caseId, actor.id), exists)] : [notExcluded];
}

/** Which of the case's versions a change moves: the table of commands.md §1. */
export type Moves = 'status' | 'facts' | 'overlay' | 'child';

type CaseChange = {
  moves: Moves;
  /** The business act as consumers hear it. */
  announces: string;
  /** Names of the fields that changed, for the audit and for stale callers. */
  changed: string[];
  about?: PartyId[];
  details: Record<string, unknown>;
  payload?: Record<string, unknown>;
  requests?: WorkRequest[];
  /** Who is told by mail. */
  notifies?: Notification[];
  changes?: Change[];
  created?: Record<string, string>;
};

/** The one expression that is the new truth of a case: `after` keeps what it does not name. */
export function caseTransition(
  current: Case,
  after: Case,
  command: { type: string },
  given: Given,
  change: CaseChange,
): Transition {
  const moved = change.moves !== 'child';
  const version = current.version + (moved ? 1 : 0);
  const statusMoved = current.status !== after.status;
  const touched = Object.fromEntries(change.changed.map((field) => [field, version]));
  const mails = notifies(current, change.notifies ?? [], given);
  return {
    kind: 'transition',
    aggregate: {
      of: 'case',
      ref: ref.case(current.id),
      before: current,
      after: {
        ...after,
        version,
        contentVersion: current.contentVersion + (change.moves === 'facts' ? 1 : 0),
        touched: moved ? { ...current.touched, ...touched } : current.touched,
        updatedAt: given.at,
      },
      when: premisesOnCase(current),
    },
    event: {
      type: command.type,
      about: change.about ?? [],
      ...(statusMoved && { from: current.status, to: after.status }),
      changed: change.changed,
      details: change.details,
    },
    announces: change.announces,
    payload: { caseId: current.id, ...change.payload },
    requests: [...(change.requests ?? []), ...mails.requests],
    changes: [...(change.changes ?? []), ...mails.changes],
    created: change.created ?? {},
  };
}

/** Status, version and who is responsible, as they were read: the decision's premises on the case itself. */
function premisesOnCase(current: Case): Condition[] {
  const lead = current.leadOfficerId;
  return [
    equals('status', current.status),
    equals('version', current.version),
    lead ? equals('leadOfficerId', lead) : { is: 'missing', attribute: 'leadOfficerId' },
  ];
}
