import { amend, difference, type Change } from '../change.ts';
import type { AnyDefinition, Given } from '../command.ts';
import { defineCaseCommand, staleSince, type CaseFor, type OnCase } from '../case/caseCommand.ts';
import type { ActionId } from '../ids.ts';
import { allowedOn, type ActionCommandName } from '../policy.ts';
import { refused, type Refused } from '../refusal.ts';
import { ref, type Found, type Reads, type Ref } from '../refs.ts';
import type { Transition } from '../transition.ts';
import type { EnforcementAction, Notice } from './action.ts';

/** A command on one enforcement action; `expectedVersion` is the action's. */
export type OnAction<Name extends ActionCommandName> = OnCase<Name> & { actionId: ActionId };

/** What every command on an action finds: `notice` is the action's, where it has one. */
type Standing = { tenant: Ref; action: Ref<EnforcementAction> };

type ActionCommand<C extends OnAction<ActionCommandName>, R extends Reads, S extends Reads> = {
  type: C['type'];
  invariant: readonly string[];
  reads: (command: C, given: Given) => R;
  /** Keys that stand only in the action; its notice is among them already. */
  then?: (action: EnforcementAction, command: C, given: Given) => S;
  decide: (
    current: CaseFor<C['type']>,
    action: EnforcementAction,
    found: Found<R> & Partial<Found<S & { notice: Ref<Notice> }>>,
    command: C,
    given: Given,
  ) => Transition | Refused;
};

/** The checks on the case, with the action's version in place of the case's, and then the status of action and notice. */
export function defineActionCommand<
  C extends OnAction<ActionCommandName>,
  R extends Reads,
  S extends Reads = Record<never, never>,
>(definition: ActionCommand<C, R, S>): AnyDefinition {
  type All = R & Pick<Standing, 'action'>;
  return defineCaseCommand<C, All, Reads>({
    type: definition.type,
    invariant: definition.invariant,
    reads: (command, given) => ({
      ...definition.reads(command, given),
      action: ref.action(command.caseId, command.actionId),
    }),
    then: (found, command, given) => {
      const action = actionIn(found);
      return {
        ...(action?.noticeId && { notice: ref.notice(command.caseId, action.noticeId) }),
        ...(action && definition.then?.(action, command, given)),
      };
    },
    stale: (_current, found, command) => {
      const action = actionIn(found);
      return action
        ? staleSince('the action', action, command.expectedVersion)
        : refused('NOT_FOUND', 'no such enforcement action');
    },
    decide: (current, found, command, given) => {
      const action = actionIn(found)!;
      const all = found as unknown as Found<R> & Partial<Found<S & { notice: Ref<Notice> }>>;
      return allowedOn(command.type, action, all.notice) ?? definition.decide(current, action, all, command, given);
    },
  });
}

const actionIn = (found: object) => (found as { action?: EnforcementAction }).action;

/** The action becomes `after`, on the version that was read; callers with an older one learn what moved. */
export function amendAction(before: EnforcementAction, after: EnforcementAction): Change {
  const { set = {}, remove = [] } = difference(before, after);
  const moved = [...Object.keys(set), ...remove].map((field) => [field, before.version + 1] as const);
  const touched = { ...before.touched, ...Object.fromEntries(moved) };
  return amend(ref.action(before.caseId, before.id), before, { ...after, touched });
}

export const amendNotice = (before: Notice, after: Notice): Change =>
  amend(ref.notice(before.caseId, before.id), before, after);
