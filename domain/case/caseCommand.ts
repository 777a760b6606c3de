import { check, type Change } from '../change.ts';
import { defineCommand, type AnyDefinition, type Given } from '../command.ts';
import { absent, equals, exists, type Condition } from '../condition.ts';
import type { CaseId, PartyId } from '../ids.ts';
import { allowedFrom, permittedOn, relationsOf, sees, type Access, type CaseCommandName } from '../policy.ts';
import { refused, type Refused } from '../refusal.ts';
import { ref, type Found, type Reads } from '../refs.ts';
import type { Transition, WorkRequest } from '../transition.ts';
import type { Case, CaseStatus } from './case.ts';

/** A command on an existing case; commands whose invariant a guard owns take no version (commands.md §1). */
export type OnCase<Name extends CaseCommandName> = { type: Name; caseId: CaseId; expectedVersion?: number };

type Standing = ReturnType<typeof standing>;
type CaseIn<Statuses extends CaseStatus> = Extract<Case, { status: Statuses }>;

type CaseCommand<C extends OnCase<CaseCommandName>, From extends CaseStatus, R extends Reads, S extends Reads> = {
  type: C['type'];
  /** The statuses of the policy's row, once more, so that the compiler narrows the case. */
  from: readonly From[];
  reads: (command: C, given: Given) => R;
  then?: (found: Found<R> & { case?: Case }, command: C, given: Given) => S;
  /** Separation, holds and the rule itself; everything before is checked already. */
  decide: (current: CaseIn<From>, found: Found<R> & Partial<Found<S>>, command: C, given: Given) => Transition | Refused;
};

/**
 * Checks in the order of the domain: visible, permitted, version, status; then the command's own decision. What
 * granted access is written into the transaction as its premise, so that a race cannot pass.
 */
export function defineCaseCommand<
  C extends OnCase<CaseCommandName>,
  From extends CaseStatus,
  R extends Reads,
  S extends Reads = Record<never, never>,
>(definition: CaseCommand<C, From, R, S>): AnyDefinition {
  return defineCommand<C, ReturnType<typeof standing> & R, S>({
    type: definition.type,
    reads: (command, given) => ({ ...definition.reads(command, given), ...standing(command.caseId, given) }),
    ...(definition.then && { then: (found, command, given) => definition.then!(found as Found<R> & { case?: Case }, command, given) }),
    decide: (found, command, given) => {
      const gate = atTheGate(found as unknown as Found<Standing>, command, given);
      if (gate.kind === 'refused') return gate;
      const next = definition.decide(gate.current as CaseIn<From>, found as Found<R> & Partial<Found<S>>, command, given);
      if (next.kind === 'refused') return next;
      return { ...next, changes: [...next.changes, ...gate.premises] };
    },
  });
}

const standing = (caseId: CaseId, given: Given) => ({
  case: ref.case(caseId),
  investigatorGuard: ref.investigatorGuard(caseId),
  exclusion: ref.exclusion(caseId, given.actor.id),
});

type Passed = { kind: 'passed'; current: Case; premises: Change[] };

function atTheGate(found: Found<Standing>, command: OnCase<CaseCommandName>, given: Given): Passed | Refused {
  const current = found.case;
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
    staleVersion(current, command) ??
    allowedFrom(command.type, current) ?? { kind: 'passed', current, premises: premisesOf(access, command.caseId) }
  );
}

function staleVersion(current: Case, { expectedVersion }: { expectedVersion?: number }): Refused | undefined {
  if (expectedVersion === undefined || expectedVersion === current.version) return undefined;
  return refused(
    'VERSION_CONFLICT',
    `the case is at version ${current.version}, the command was decided on ${expectedVersion}`,
    {
      expected: expectedVersion,
      actual: current.version,
      changedFields: Object.keys(current.touched).filter((field) => current.touched[field]! > expectedVersion),
    },
  );
}

/** Lead and reviewer stand on META and are conditions there; membership and exclusion are items of their own. */
function premisesOf({ actor, relations }: Access, caseId: CaseId): Change[] {
  if (actor.roles.includes('SERVICE')) return [];
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
    requests: change.requests ?? [],
    changes: change.changes ?? [],
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
