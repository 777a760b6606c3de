import type { Case } from '../case/case.ts';
import { caseTransition } from '../case/caseCommand.ts';
import type { Change } from '../change.ts';
import { defineCommand, type AnyDefinition, type Given } from '../command.ts';
import type { CaseId, OfficerId, PartyId } from '../ids.ts';
import type { Officer } from '../officer/officer.ts';
import { permits } from '../policy.ts';
import { illegalTransition, refused, type Refused } from '../refusal.ts';
import { ref, type Found, type Reads, type Ref } from '../refs.ts';
import { reasonText } from '../text.ts';
import type { Transition, WorkRequest } from '../transition.ts';
import type { Aggregate } from './execution.ts';
import { operationRules, type OperationName } from './rules.ts';

/** An operator's act, with why, and the status it was decided on. */
export type Operation<Name extends OperationName, Status extends string> = Aggregate & {
  type: Name;
  expectedStatus: Status;
  reason: string;
};

/** What an act changes: never the case itself, only what carries its work. */
export type Act = {
  announces: string;
  /** Which kind of thing, for the audit. */
  changed: 'effect' | 'outbox' | 'execution' | 'lease';
  about?: PartyId[];
  details: Record<string, unknown>;
  payload: Record<string, unknown>;
  requests?: WorkRequest[];
  changes: Change[];
};

type Definition<
  C extends Operation<OperationName, Status>,
  Status extends string,
  Subject extends object,
  S extends Reads,
> = {
  type: C['type'];
  invariant: readonly string[];
  subject: (command: C) => Ref<Subject>;
  statusOf: (subject: Subject) => Status;
  /** Whether the subject belongs to the case or officer that the command names: the act stands in that chain. */
  belongs: (subject: Subject, command: C) => boolean;
  then?: (subject: Subject, command: C) => S;
  decide: (subject: Subject, found: Partial<Found<S>>, command: C, given: Given) => Act | Refused;
};

/**
 * Checks in the order of every command: permitted, there, as the operator saw it, in a status from which it is possible;
 * then the act's own rule. It is recorded in the audit chain of the case or officer it is about, whose version stays.
 */
export function defineOperation<
  C extends Operation<OperationName, Status>,
  Status extends string,
  Subject extends object,
  S extends Reads = Record<never, never>,
>(definition: Definition<C, Status, Subject, S>): AnyDefinition {
  return defineCommand<C, Reads, Reads>({
    type: definition.type,
    invariant: definition.invariant,
    reads: (command) => ({ ...aggregateRef(command), subject: definition.subject(command) }),
    then: (found, command) => {
      const subject = found['subject'] as Subject | undefined;
      return (subject && definition.then?.(subject, command)) ?? {};
    },
    decide: (found, command, given) => {
      if (!permits('OPERATE', given.actor)) return refused('NOT_PERMITTED', 'only an operator may do this');
      const aggregate = (found['case'] ?? found['officer']) as Case | Officer | undefined;
      const subject = found['subject'] as Subject | undefined;
      if (!aggregate || !subject || !definition.belongs(subject, command)) return refused('NOT_FOUND', 'no such thing');
      const from: readonly string[] = operationRules[command.type];
      const no = reasonText(command.reason, 'reason') ?? asSeen(command, definition.statusOf(subject), from);
      if (no) return no;
      const act = definition.decide(subject, found as Partial<Found<S>>, command, given);
      return 'kind' in act ? act : transitionOf(aggregate, command, act, given);
    },
  });
}

const aggregateRef = ({ aggregateType, aggregateId }: Aggregate): Reads =>
  aggregateType === 'Case'
    ? { case: ref.case(aggregateId as CaseId) }
    : { officer: ref.officer(aggregateId as OfficerId) };

function asSeen(
  { type, expectedStatus }: Operation<OperationName, string>,
  status: string,
  from: readonly string[],
): Refused | undefined {
  if (!from.includes(status)) return illegalTransition(type, status, from);
  if (status === expectedStatus) return undefined;
  return refused('ILLEGAL_TRANSITION', `it is ${status} by now, and was ${expectedStatus} when this was decided`, {
    from: status,
    allowed: [...from],
  });
}

function transitionOf(
  aggregate: Case | Officer,
  command: Operation<OperationName, string>,
  act: Act,
  given: Given,
): Transition {
  const { announces, about, requests, changes } = act;
  const details = { ...act.details, reason: command.reason };
  if ('caseType' in aggregate) {
    const change = { announces, about, details, payload: act.payload, requests, changes, changed: [act.changed] };
    return caseTransition(aggregate, aggregate, command, given, { moves: 'child', ...defined(change) });
  }
  return {
    kind: 'transition',
    aggregate: { of: 'officer', ref: ref.officer(aggregate.id), before: aggregate, after: aggregate, when: [] },
    event: { type: command.type, about: [], changed: [act.changed], details },
    announces,
    payload: { officerId: aggregate.id, ...act.payload },
    requests: requests ?? [],
    changes,
    created: {},
  };
}

const defined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
