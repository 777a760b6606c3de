import { staleSince } from '../case/caseCommand.ts';
import type { Change } from '../change.ts';
import { defineCommand, type AnyDefinition, type Given } from '../command.ts';
import { equals } from '../condition.ts';
import type { OfficerId } from '../ids.ts';
import { refused, type Refused } from '../refusal.ts';
import { ref, type Found, type Reads, type Ref } from '../refs.ts';
import type { Transition } from '../transition.ts';
import type { Officer } from './officer.ts';
import { allowedOnOfficer, permittedOnOfficer, type OfficerCommandName } from './officerPolicy.ts';

/** A command on an existing officer, decided on the version of the officer that the caller saw. */
export type OnOfficer<Name extends OfficerCommandName> = { type: Name; officerId: OfficerId; expectedVersion: number };

type Standing = { officer: Ref<Officer> };

type OfficerCommand<C extends OnOfficer<OfficerCommandName>, R extends Reads, S extends Reads> = {
  type: C['type'];
  invariant: readonly string[];
  reads: (command: C, given: Given) => R;
  then?: (current: Officer, command: C, given: Given) => S;
  decide: (current: Officer, found: Found<R> & Partial<Found<S>>, command: C, given: Given) => Transition | Refused;
};

/** The checks in the same order as on a case: visible, permitted, version, state; then the command's own rule. */
export function defineOfficerCommand<
  C extends OnOfficer<OfficerCommandName>,
  R extends Reads,
  S extends Reads = Record<never, never>,
>(definition: OfficerCommand<C, R, S>): AnyDefinition {
  return defineCommand<C, R & Standing, Reads>({
    type: definition.type,
    invariant: definition.invariant,
    reads: (command, given) => ({ ...definition.reads(command, given), officer: ref.officer(command.officerId) }),
    then: (found, command, given) => {
      const { officer } = found as unknown as { officer?: Officer };
      return officer ? (definition.then?.(officer, command, given) ?? {}) : {};
    },
    decide: (found, command, given) => {
      const { officer } = found as unknown as { officer?: Officer };
      const no = permittedOnOfficer(given.actor);
      if (no) return no;
      if (!officer) return refused('NOT_FOUND', 'no such officer');
      const { version, touched = {} } = officer;
      return (
        staleSince('the officer', { version, touched }, command.expectedVersion) ??
        allowedOnOfficer(command.type, officer) ??
        definition.decide(officer, found as unknown as Found<R> & Partial<Found<S>>, command, given)
      );
    },
  });
}

type OfficerChange = { announces: string; changed: string[]; details: Record<string, unknown>; changes?: Change[] };

/** The one expression that is the new truth of an officer; the load is no part of it and moves by itself. */
export function officerTransition(
  current: Officer,
  after: Officer,
  command: { type: string },
  { announces, changed, details, changes = [] }: OfficerChange,
): Transition {
  const version = current.version + 1;
  const touched = { ...current.touched, ...Object.fromEntries(changed.map((field) => [field, version])) };
  return {
    kind: 'transition',
    aggregate: {
      of: 'officer',
      ref: ref.officer(current.id),
      before: current,
      after: { ...after, version, touched },
      when: [equals('version', current.version), equals('state', current.state)],
    },
    event: { type: command.type, about: [], changed, details },
    announces,
    payload: { officerId: current.id, changed },
    requests: [],
    changes,
    created: {},
  };
}
