import type { EnforcementAction } from '../action/action.ts';
import type { Case, CaseCounts, InvestigatorGuard } from '../case/case.ts';
import { counterShards } from '../case/openCases.ts';
import { check, create, remove, update, type Change } from '../change.ts';
import { claim } from '../claim.ts';
import type { Given } from '../command.ts';
import {
  absent,
  all,
  always,
  any,
  equals,
  exists,
  missing,
  not,
  type Attributes,
  type Condition,
} from '../condition.ts';
import type { LedgerStatus, Provider } from '../effect.ts';
import type { ActionId, CaseId, EffectId, OfficerId } from '../ids.ts';
import type { MessageName } from '../message.ts';
import type { Officer } from '../officer/officer.ts';
import { preconditionFailed, type Refused } from '../refusal.ts';
import { ref, type Reads } from '../refs.ts';
import type { UniqueKind } from '../sentinel.ts';
import type { Finding, FindingKind } from './finding.ts';

/** What sets a thing right: the aggregate's own new truth, what else must still hold of it, and the other items. */
export type Repaired = { after?: Partial<Case> | Partial<Officer>; reindexes?: true; changes?: Change[] };
type Found = Readonly<Record<string, unknown>>;
type Repair = {
  reads?: (finding: Finding) => Reads;
  decide: (finding: Finding, found: Found, given: Given) => Repaired | Refused;
};

const movedOn = () =>
  preconditionFailed('MOVED_ON', 'it stands elsewhere by now; the next reconciliation looks at it anew');

/** One repair for each kind whose truth follows from the records; each is conditional on what it was computed from. */
export const repairs: Partial<Record<FindingKind, Repair>> = {
  CASE_COUNT: onCase(({ values }, current) => {
    const name = values['count'] as keyof CaseCounts;
    return current[name] === values['found'] ? { after: { [name]: values['expected'] } } : movedOn();
  }),
  CASE_INDEX: onCase(() => ({ reindexes: true })),
  INVESTIGATOR_GUARD: onCase(
    ({ values }, current, found) => {
      const members = namesIn(values['expected']);
      const stands = { activeCount: members.length, ...(members.length > 0 && { officerIds: new Set(members) }) };
      const guard = found['guard'] as InvestigatorGuard | undefined;
      return { changes: [guardOf(ref.investigatorGuard(current.id), guard, stands, ['officerIds'])] };
    },
    ({ aggregateId }) => ({ guard: ref.investigatorGuard(aggregateId as CaseId) }),
  ),
  ENFORCEMENT_GUARD: onCase(
    ({ values }, current, found) => {
      const guard = found['guard'] as { actionId: string } | undefined;
      const about = ref.enforcementGuard(current.id);
      if (values['expected'] === 'NONE')
        return guard ? { changes: [remove(about, equals('actionId', guard.actionId))] } : movedOn();
      const action = found['action'] as EnforcementAction | undefined;
      if (!action) return movedOn();
      const { id: actionId, noticeId, version } = action;
      return {
        changes: [
          guardOf(about, guard, { actionId, ...(noticeId && { noticeId }) }, ['noticeId']),
          check(ref.action(current.id, actionId), equals('version', version)),
        ],
      };
    },
    ({ aggregateId, values }) => ({
      guard: ref.enforcementGuard(aggregateId as CaseId),
      ...(values['expected'] !== 'NONE' && {
        action: ref.action(aggregateId as CaseId, values['expected'] as ActionId),
      }),
    }),
  ),
  PROJECTION_ROW: onCase(
    (_finding, { auditSeq, region, status }, found) => {
      const row = found['row'] as { sourceVersion: number } | undefined;
      // The event of this very repair is the newest that the row then knows of.
      const stands = { region, open: status !== 'CLOSED', sourceVersion: auditSeq + 1 };
      const about = ref.openCaseRow(_finding.aggregateId as CaseId);
      return {
        changes: [row ? update(about, { set: stands }, sameOf(row, ['sourceVersion'])) : create(about, stands)],
      };
    },
    ({ aggregateId }) => ({ row: ref.openCaseRow(aggregateId as CaseId) }),
  ),
  EFFECT_UNFINDABLE: onCase(({ values }) => {
    const { provider, effectId, status } = values as { provider: Provider; effectId: EffectId; status: LedgerStatus };
    return { changes: [update(ref.effect(provider, effectId), { set: { status } }, equals('status', status))] };
  }),
  SENTINEL_ABSENT: onEither(
    (finding, aggregate, found, given) => {
      const { item, values } = finding;
      const unique = values['unique'] as UniqueKind;
      const held = heldBy(aggregate, unique, found['action'] as EnforcementAction | undefined);
      if (!held) return movedOn();
      const { ownerType, scope, value } = held;
      const caseId = ownerType === 'EnforcementAction' ? (finding.aggregateId as CaseId) : undefined;
      return { changes: [create(ref.unique(unique, scope, value), claim(ownerType, item, value, given.at, caseId))] };
    },
    ({ aggregateId, item, values }): Reads =>
      values['unique'] === 'REGISTRY_NUMBER' ? { action: ref.action(aggregateId as CaseId, item as ActionId) } : {},
  ),
  MESSAGE_UNFINDABLE: onEither(({ values }) => ({
    changes: [update(ref.message(values as MessageName), { set: { status: 'NEW' } }, equals('status', 'NEW'))],
  })),
  OFFICER_INDEX: onOfficer(() => ({ reindexes: true })),
  OFFICER_LOAD: onOfficer(({ values }, { activeLoad, loadSeq }) =>
    activeLoad === values['found']
      ? { after: { activeLoad: values['expected'] as number, loadSeq: loadSeq + 1 } }
      : movedOn(),
  ),
  LOAD_ABSENT: onOfficer(({ item }, { id }, _found, { at }) => ({
    changes: [
      create(ref.load(id, item as CaseId), { officerId: id, caseId: item, since: at }),
      check(ref.case(item as CaseId), countsFor(id)),
    ],
  })),
  LOAD_ORPHAN: onOfficer(({ item }, { id }) => ({
    changes: [
      remove(ref.load(id, item as CaseId), exists),
      check(ref.case(item as CaseId), any(absent, not(countsFor(id)))),
    ],
  })),
  COUNTER: {
    reads: ({ item }) =>
      Object.fromEntries(
        Array.from({ length: counterShards }, (_, shard) => [`shard:${shard}`, ref.openCases(item, shard)]),
      ),
    decide: ({ item, values }, found) => {
      const shards = Array.from(
        { length: counterShards },
        (_, shard) => found[`shard:${shard}`] as { count?: number } | undefined,
      );
      if (shards.reduce((sum, shard) => sum + (shard?.count ?? 0), 0) !== values['found']) return movedOn();
      const add = (values['expected'] as number) - values['found'];
      return {
        changes: shards.map((shard, n) => {
          const stands = shard ? sameOf(shard, ['count']) : absent;
          return n === 0
            ? update(ref.openCases(item, n), { add: { count: add } }, stands)
            : check(ref.openCases(item, n), stands);
        }),
      };
    },
  },
  PROJECTION_SUM: {
    reads: ({ item }) => ({ sum: ref.openCaseSum(item) }),
    decide: ({ item, values }, found) => {
      const sum = found['sum'] as { count?: number } | undefined;
      if ((sum?.count ?? 0) !== values['found']) return movedOn();
      const set = { count: values['expected'] };
      return { changes: [update(ref.openCaseSum(item), { set }, sum ? sameOf(sum, ['count']) : absent)] };
    },
  },
};

/** Everything below a case moves its auditSeq: where that stands as it was looked at, so does the rest. */
function onCase(
  decide: (finding: Finding, current: Case, found: Found, given: Given) => Repaired | Refused,
  reads?: Repair['reads'],
): Repair {
  return onEither((finding, current, found, given) => decide(finding, current as Case, found, given), reads);
}

function onOfficer(
  decide: (finding: Finding, officer: Officer, found: Found, given: Given) => Repaired | Refused,
): Repair {
  return onEither((finding, officer, found, given) => decide(finding, officer as Officer, found, given));
}

function onEither(
  decide: (finding: Finding, aggregate: Case | Officer, found: Found, given: Given) => Repaired | Refused,
  reads?: Repair['reads'],
): Repair {
  return {
    ...(reads && { reads }),
    decide: (finding, found, given) => {
      const aggregate = (found['case'] ?? found['officer']) as (Case | Officer) & Attributes;
      const stands = Object.entries(finding.basis).every(([name, value]) => aggregate[name] === value);
      return stands ? decide(finding, aggregate, found, given) : movedOn();
    },
  };
}

/** A guard as it should stand, written over what was read of it. */
function guardOf(about: Change['ref'], guard: object | undefined, stands: Attributes, optional: string[]): Change {
  if (!guard) return create(about, stands);
  const gone = optional.filter((name) => !(name in stands) && name in guard);
  const scalars = Object.keys(guard).filter((name) => !((guard as Attributes)[name] instanceof Set));
  return update(about, { set: stands, ...(gone.length > 0 && { remove: gone }) }, sameOf(guard, scalars));
}

const sameOf = (item: object, names: string[]): Condition =>
  names.length === 0
    ? always
    : all(
        ...names.map((name) => {
          const value = (item as Attributes)[name];
          return value === undefined ? missing(name) : equals(name, value as string | number | boolean);
        }),
      );

const countsFor = (officerId: OfficerId): Condition =>
  all(exists, equals('leadOfficerId', officerId), not(equals('status', 'CLOSED')));

const namesIn = (list: string | number | undefined): string[] =>
  String(list ?? '')
    .split(' ')
    .filter(Boolean);

/** Which value the aggregate, or its action, shows as its own. */
function heldBy(aggregate: Case | Officer, unique: UniqueKind, action: EnforcementAction | undefined) {
  switch (unique) {
    case 'CASE_NUMBER':
      return { ownerType: 'Case', scope: '', value: (aggregate as Case).number } as const;
    case 'EXTERNAL_REF': {
      const held = (aggregate as Case).externalReference;
      return held && ({ ownerType: 'Case', scope: held.sourceSystem, value: held.value } as const);
    }
    case 'OFFICER_EMAIL':
      return { ownerType: 'Officer', scope: '', value: (aggregate as Officer).email } as const;
    case 'REGISTRY_NUMBER':
      return action?.registryNumber === undefined
        ? undefined
        : ({ ownerType: 'EnforcementAction', scope: '', value: action.registryNumber } as const);
  }
}
