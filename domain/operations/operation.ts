import type { Case } from '../case/case.ts';
import { caseTransition } from '../case/caseCommand.ts';
import type { Change } from '../change.ts';
import { equals } from '../condition.ts';
import { defineCommand, type AnyDefinition, type Given } from '../command.ts';
import type { CaseId, OfficerId, PartyId } from '../ids.ts';
import type { Officer } from '../officer/officer.ts';
import { permits } from '../policy.ts';
import { illegalTransition, refused, type Refused } from '../refusal.ts';
import { ref, type Found, type Reads, type Ref } from '../refs.ts';
import { reasonText } from '../text.ts';
import type { AggregateChange, Transition, WorkRequest } from '../transition.ts';
import type { Aggregate } from './execution.ts';
import type { Finding } from './finding.ts';
import { operationRules, type OperationName } from './rules.ts';

/** An operator's act, with why, and the status it was decided on. */
export type Operation<Name extends OperationName, Status extends string> = Aggregate & {
  type: Name;
  expectedStatus: Status;
  reason: string;
};

/** What an act changes: what carries the work of a case. */
export type Act = {
  announces: string;
  /** Which kind of thing, for the audit. */
  changed: 'effect' | 'outbox' | 'execution' | 'lease' | 'finding';
  about?: PartyId[];
  details: Record<string, unknown>;
  payload: Record<string, unknown>;
  requests?: WorkRequest[];
  changes: Change[];
  /** Only a repair changes the aggregate itself: what of it was wrong. */
  after?: Partial<Case> | Partial<Officer> | Partial<Finding> | undefined;
  reindexes?: true | undefined;
};

type Definition<
  C extends Operation<OperationName, Status>,
  Status extends string,
  Subject extends object,
  S extends Reads,
> = {
  type: C['type'];
  invariant: readonly string[];
  /** Workflows give it as well. */
  byService?: true;
  subject: (command: C) => Ref<Subject>;
  statusOf: (subject: Subject) => Status;
  /** Whether the subject belongs to the case or officer that the command names: the act stands in that chain. */
  belongs: (subject: Subject, command: C) => boolean;
  then?: (subject: Subject, command: C) => S;
  decide: (subject: Subject, found: Partial<Found<S>> & Found<Reads>, command: C, given: Given) => Act | Refused;
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
      const may = permits('OPERATE', given.actor) || (definition.byService && given.actor.roles.includes('SERVICE'));
      if (!may) return refused('NOT_PERMITTED', 'only an operator may do this');
      const subject = found['subject'] as Subject | undefined;
      const aggregate = (found['case'] ?? found['officer'] ?? findingIn(command, subject)) as Aggregated | undefined;
      if (!aggregate || !subject || !definition.belongs(subject, command)) return refused('NOT_FOUND', 'no such thing');
      const from: readonly string[] = operationRules[command.type];
      const no = reasonText(command.reason, 'reason') ?? asSeen(command, definition.statusOf(subject), from);
      if (no) return no;
      const act = definition.decide(subject, found as Partial<Found<S>> & Found<Reads>, command, given);
      return 'kind' in act ? act : transitionOf(aggregate, command, act, given);
    },
  });
}

type Aggregated = Case | Officer | Finding;

function aggregateRef({ aggregateType, aggregateId }: Aggregate): Reads {
  switch (aggregateType) {
    case 'Case':
      return { case: ref.case(aggregateId as CaseId) };
    case 'Officer':
      return { officer: ref.officer(aggregateId as OfficerId) };
    case 'Finding':
      return {}; // it is the subject itself
  }
}

const findingIn = ({ aggregateType }: Aggregate, subject: object | undefined) =>
  aggregateType === 'Finding' ? subject : undefined;

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
  aggregate: Aggregated,
  command: Operation<OperationName, string>,
  act: Act,
  given: Given,
): Transition {
  const { announces, about, requests, changes } = act;
  const details = { ...act.details, reason: command.reason };
  if ('caseType' in aggregate) {
    const change = { announces, about, details, payload: act.payload, requests, changes, changed: [act.changed] };
    const after = { ...aggregate, ...act.after } as Case;
    const next = caseTransition(aggregate, after, command, given, { moves: 'child', ...defined(change) });
    return act.reindexes ? { ...next, reindexes: true } : next;
  }
  return {
    kind: 'transition',
    aggregate: aggregateChange(aggregate, act),
    ...(act.reindexes && { reindexes: true as const }),
    event: { type: command.type, about: [], changed: [act.changed], details },
    announces,
    payload: { ...('loadSeq' in aggregate && { officerId: aggregate.id }), ...act.payload },
    requests: requests ?? [],
    changes,
    created: {},
  };
}

function aggregateChange(aggregate: Officer | Finding, { after }: Act): AggregateChange {
  if (!('loadSeq' in aggregate)) {
    const next = { ...aggregate, ...after } as Finding;
    return {
      of: 'finding',
      ref: ref.finding(aggregate.id),
      before: aggregate,
      after: next,
      when: [equals('version', aggregate.version)],
    };
  }
  // Loads move without the chain: a repair holds as long as they stand as they were read.
  const when = after ? [equals('loadSeq', aggregate.loadSeq)] : [];
  return {
    ...{ of: 'officer', ref: ref.officer(aggregate.id), before: aggregate },
    ...{ after: { ...aggregate, ...after } as Officer, when },
  };
}

const defined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
