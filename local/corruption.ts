import type { FindingKind } from '../domain/operations/finding.ts';
import { kindOfKey, subjectOfKey } from '../store/keys.ts';
import type { Item, Key } from '../store/table-port.ts';

/** One thing that is spoilt behind everybody's back, and what reconciliation must call it. */
export type Corruption = {
  name: string;
  finds: FindingKind[];
  /** What becomes of the items: deleted where `undefined` stands. Nothing where there is no such item to spoil. */
  spoil: (items: readonly Item[]) => [Key, Item | undefined][];
};

/** By what the key names: `CASE/META`. */
const below = (items: readonly Item[], ...kinds: string[]) => items.filter((item) => kinds.includes(kindOfKey(item)));

/** The first item that fits, with something changed. */
const changed =
  (fits: (items: readonly Item[]) => Item[], change: (item: Item) => Partial<Item>) =>
  (items: readonly Item[]): [Key, Item | undefined][] =>
    fits(items)
      .slice(0, 1)
      .map((item) => [item, { ...item, ...change(item) }]);
const deleted =
  (fits: (items: readonly Item[]) => Item[]) =>
  (items: readonly Item[]): [Key, Item | undefined][] =>
    fits(items)
      .slice(0, 1)
      .map((item) => [item, undefined]);

const cases = (items: readonly Item[]) => below(items, 'CASE/META');
const live = (items: readonly Item[]) => cases(items).filter(({ status }) => status !== 'CLOSED');
const officers = (items: readonly Item[]) => below(items, 'OFFICER/META');
const leading = (items: readonly Item[]) => officers(items).filter((item) => (item['activeLoad'] as number) > 0);
const guards = (items: readonly Item[]) => below(items, 'CASE/INVESTIGATOR_GUARD');
const enforcementGuards = (items: readonly Item[]) => below(items, 'CASE/ACTIVE_ENFORCEMENT_GUARD');
const sentinels = (unique: string) => (items: readonly Item[]) =>
  below(items, 'UNIQUE/UNIQUE').filter((item) => uniqueOf(item) === unique);
const shards = (items: readonly Item[]) => below(items, 'COUNTER/SHARD');
const rows = (which: (item: Item) => boolean) => (items: readonly Item[]) =>
  below(items, 'SIDE_EFFECT/RESULT').filter(which);
/** What a notice or an action relies on; a plain mail is for nobody to rely on. */
const relied = (which: (item: Item) => boolean) => rows((item) => item['kind'] !== 'NOTIFICATION' && which(item));
const events = (items: readonly Item[]) => below(items, 'CASE/EVENT');
const projected = (items: readonly Item[]) => below(items, 'PROJECTION/ROW').filter((item) => 'sourceVersion' in item);
const sums = (items: readonly Item[]) =>
  below(items, 'PROJECTION/ROW')
    .filter((item) => 'count' in item)
    .sort((a, b) => (a.pk < b.pk ? -1 : 1));
const loads = (items: readonly Item[]) => below(items, 'OFFICER/LOAD');
const untold = (items: readonly Item[]) =>
  below(items, 'OUTBOX/EVENT').filter(({ n, status }) => n !== 0 && status === 'NEW');
const leases = (items: readonly Item[]) => below(items, 'WORK/PROCESSING_LOCK');

function uniqueOf(item: Item): string | undefined {
  const subject = subjectOfKey(item);
  return subject?.of === 'sentinel' ? subject.unique : undefined;
}

const counts = [
  ...['subjects', 'contraventions', 'undetermined', 'openTasks', 'openBlockingReview', 'openBlockingClose'],
  ...['pendingDocuments', 'activeHolds', 'openEffects'],
];

/** Every kind of fault, one at a time: for the drill (`npm run corrupt`) and for the test of the same table. */
export const corruptions: readonly Corruption[] = [
  ...counts.map((count): Corruption => ({
    name: `count ${count}`,
    finds: ['CASE_COUNT'],
    spoil: changed(cases, (item) => ({ [count]: (item[count] as number) + 2 })),
  })),
  { name: 'guard altered', finds: ['INVESTIGATOR_GUARD'], spoil: changed(guards, () => ({ activeCount: 3 })) },
  { name: 'guard deleted', finds: ['INVESTIGATOR_GUARD'], spoil: deleted(guards) },
  { name: 'enforcement guard deleted', finds: ['ENFORCEMENT_GUARD'], spoil: deleted(enforcementGuards) },
  {
    name: 'enforcement guard altered',
    finds: ['ENFORCEMENT_GUARD'],
    spoil: changed(enforcementGuards, () => ({ actionId: 'another' })),
  },
  { name: 'case index altered', finds: ['CASE_INDEX'], spoil: changed(live, () => ({ byStatusPk: 'elsewhere' })) },
  { name: 'sentinel of a number deleted', finds: ['SENTINEL_ABSENT'], spoil: deleted(sentinels('CASE_NUMBER')) },
  { name: 'sentinel of a reference deleted', finds: ['SENTINEL_ABSENT'], spoil: deleted(sentinels('EXTERNAL_REF')) },
  { name: 'sentinel of an address deleted', finds: ['SENTINEL_ABSENT'], spoil: deleted(sentinels('OFFICER_EMAIL')) },
  {
    name: 'sentinel of a registry number deleted',
    finds: ['SENTINEL_ABSENT'],
    spoil: deleted(sentinels('REGISTRY_NUMBER')),
  },
  {
    name: 'sentinel altered',
    finds: ['SENTINEL_OWNER'],
    spoil: changed(sentinels('CASE_NUMBER'), () => ({ ownerId: 'somebody' })),
  },
  {
    name: 'sentinel released',
    finds: ['SENTINEL_OWNER'],
    spoil: changed(sentinels('OFFICER_EMAIL'), () => ({ status: 'RELEASED' })),
  },
  {
    name: 'number shown by two',
    finds: ['SENTINEL_OWNER', 'VALUE_HELD_TWICE'],
    spoil: (items) => {
      const [one, other] = cases(items);
      return one && other ? [[one, { ...one, number: other['number'] }]] : [];
    },
  },
  { name: 'load altered', finds: ['OFFICER_LOAD'], spoil: changed(leading, () => ({ activeLoad: 17 })) },
  { name: 'load row deleted', finds: ['LOAD_ABSENT'], spoil: deleted(loads) },
  {
    name: 'load row invented',
    finds: ['LOAD_ORPHAN'],
    spoil: (items) =>
      loads(items)
        .slice(0, 1)
        .map((row): [Key, Item] => {
          const key = { pk: row.pk, sk: row.sk.replace(row['caseId'] as string, 'nocase') };
          return [key, { ...row, ...key, caseId: 'nocase' }];
        }),
  },
  { name: 'officer index altered', finds: ['OFFICER_INDEX'], spoil: changed(officers, () => ({ byStatusSk: 'x' })) },
  {
    name: 'counter shard altered',
    finds: ['COUNTER'],
    spoil: changed(shards, ({ count }) => ({ count: (count as number) + 5 })),
  },
  {
    name: 'counter shard deleted',
    finds: ['COUNTER'],
    spoil: deleted((items) => shards(items).filter(({ count }) => count !== 0)),
  },
  { name: 'projection row deleted', finds: ['PROJECTION_ROW'], spoil: deleted(projected) },
  {
    name: 'projection row altered',
    finds: ['PROJECTION_ROW'],
    spoil: changed(projected, ({ open }) => ({ open: !open })),
  },
  {
    name: 'projection sum altered',
    finds: ['PROJECTION_SUM'],
    spoil: changed(sums, ({ count }) => ({ count: (count as number) - 3 })),
  },
  { name: 'audit event deleted', finds: ['AUDIT_CHAIN'], spoil: deleted(events) },
  { name: 'audit event altered', finds: ['AUDIT_CHAIN'], spoil: changed(events, () => ({ actor: 'nobody' })) },
  {
    name: 'audit details altered',
    finds: ['AUDIT_CHAIN'],
    spoil: changed(events, ({ details }) => ({ details: { ...(details as object), more: 1 } })),
  },
  {
    name: 'audit head altered',
    finds: ['AUDIT_CHAIN'],
    spoil: changed(cases, () => ({ auditHead: 'f'.repeat(64) })),
  },
  {
    name: 'ledger row altered',
    finds: ['LEDGER_STATE'],
    spoil: changed(
      relied(({ status, recordedAt }) => status === 'CONFIRMED' && recordedAt !== undefined),
      () => ({ status: 'FAILED_FINAL' }),
    ),
  },
  {
    name: 'ledger row deleted',
    finds: ['LEDGER_ABSENT'],
    spoil: deleted(relied(({ recordedAt }) => recordedAt !== undefined)),
  },
  {
    name: 'ledger row out of its index',
    finds: ['EFFECT_UNFINDABLE'],
    spoil: changed(
      rows(({ recordedAt }) => recordedAt === undefined),
      () => ({ pendingPk: undefined, pendingSk: undefined }),
    ),
  },
  {
    name: 'ledger row left behind',
    finds: ['EFFECT_OVERDUE'],
    spoil: changed(
      rows(({ recordedAt }) => recordedAt === undefined),
      () => ({ status: 'SENDING', updatedAt: '2026-01-01T00:00:00.000Z' }),
    ),
  },
  {
    name: 'active action altered',
    finds: ['ACTIVE_ACTION'],
    spoil: changed(
      (items) => below(items, 'CASE/ACTION').filter(({ status }) => status === 'REGISTERED'),
      () => ({ status: 'SUPERSEDED' }),
    ),
  },
  {
    name: 'message of an officer deleted',
    finds: ['EVENT_UNTOLD'],
    spoil: deleted((items) => below(items, 'OUTBOX/EVENT').filter((item) => item['aggregateType'] === 'Officer')),
  },
  {
    name: 'message out of its index',
    finds: ['MESSAGE_UNFINDABLE'],
    spoil: changed(untold, () => ({ pendingPk: undefined, pendingSk: undefined })),
  },
  {
    name: 'message left behind',
    finds: ['MESSAGE_OVERDUE'],
    spoil: changed(untold, () => ({ createdAt: '2026-01-01T00:00:00.000Z' })),
  },
  {
    name: 'lease left behind',
    finds: ['LEASE_OVERDUE'],
    spoil: changed(leases, () => ({ state: 'HELD', leaseUntil: 1 })),
  },
  { name: 'fence put back', finds: ['LEASE_FENCE'], spoil: changed(leases, () => ({ fence: 0 })) },
];
