import { actionStatuses, noticeStatuses } from '../../domain/action/action.ts';
import { findings, partyRoles } from '../../domain/case/case.ts';
import type { Attributes } from '../../domain/condition.ts';
import { ledgerStatuses } from '../../domain/effect.ts';
import { messageStatuses } from '../../domain/message.ts';
import { officerStates } from '../../domain/officer/officer.ts';
import { executionStatuses } from '../../domain/operations/execution.ts';
import { leaseStates } from '../../domain/operations/lease.ts';
import { keyText } from '../../store/keys.ts';
import type { Item, Key, Write } from '../../store/table-port.ts';
import type { Shape } from './shapes.ts';

/** What happens between a command's read and its write: another command, or an item that became another. */
export type Meanwhile =
  | { kind: 'command'; shape: Shape }
  | { kind: 'item'; key: Key; become: Attributes | undefined }
  /** What no rival can have made: an item where one is created, a fence above ours. Never to be written over. */
  | { kind: 'stray'; key: Key; become: Attributes };

/** Every word that a status may become, so that each is tried wherever one stands. */
const words = [
  ...actionStatuses,
  ...noticeStatuses,
  ...ledgerStatuses,
  ...findings,
  ...officerStates,
  ...partyRoles,
  ...messageStatuses,
  ...executionStatuses,
  ...leaseStates,
  'CLAIMED',
  'RELEASED',
  'STANDARD',
  'RESTRICTED',
];
/** Without UNDER_REVIEW, which is more than a word: it has a review. */
const statuses = ['OPEN', 'APPROVED', 'REJECTED', 'ENFORCEMENT', 'CLOSED'];

export type OtherMoment = { says: string; meanwhile: Meanwhile };

/** What may have become of the items a command read or creates, in the moment before it writes. */
export function* otherMoments(
  read: readonly Key[],
  writes: readonly Write[],
  items: ReadonlyMap<string, Item>,
  shape: Shape,
): Generator<OtherMoment> {
  for (const key of read) {
    if (key.sk === 'COMMAND' || key.pk.endsWith('#TENANT')) continue;
    const item = items.get(keyText(key));
    for (const [says, become] of item ? othersOf(item) : [['appears', appearing] as const])
      yield {
        says: `${key.pk} ${key.sk} ${says}`,
        meanwhile: { kind: 'item', key, become: become && { ...become, ...key } },
      };
  }
  const known = new Set(read.map(keyText));
  for (const { kind, key, when } of writes) {
    if (kind !== 'put' || known.has(keyText(key)) || !JSON.stringify(when).includes('absent')) continue;
    yield { says: `a stray ${key.pk} ${key.sk}`, meanwhile: { kind: 'stray', key, become: { stray: true, ...key } } };
  }
  const meta = writes.find(({ key, kind }) => kind === 'update' && key.sk === 'META')?.key;
  const stored = meta && items.get(keyText(meta));
  if (shape.fence === undefined || !stored) return;
  yield {
    says: 'an earlier owner has written',
    meanwhile: { kind: 'item', key: meta, become: { ...stored, fence: shape.fence - 1 } },
  };
  yield {
    says: 'a later owner',
    meanwhile: { kind: 'stray', key: meta, become: { ...stored, fence: shape.fence + 1 } },
  };
}

const absences = [
  ['is absent', '2026-07-01', '2026-12-31'],
  ['was absent', '2026-01-01', '2026-02-01'],
  ['will be absent', '2026-11-01', '2026-12-01'],
] as const;
const appearing: Attributes = { ownerId: 'x', officerId: 'x', actionId: 'x', status: 'CLAIMED' };

function* othersOf(item: Item): Generator<readonly [string, Attributes | undefined]> {
  yield ['goes', undefined];
  const isCase = item.sk === 'META' && 'contentVersion' in item;
  for (const [name, value] of Object.entries(item)) {
    if (['pk', 'sk', 'auditSeq', 'lastOrderedSeq', 'loadSeq'].includes(name)) continue;
    for (const other of othersThan(name, value, isCase)) {
      const changed = { ...item, [name]: other, ...movedWith(item, name, isCase) };
      yield [`has ${name} ${JSON.stringify(other)}`, changed];
    }
  }
  if (isCase) yield ['has no lead', { ...item, leadOfficerId: undefined }];
  if ('teams' in item)
    yield ['is of no team', { ...item, region: 'ELSEWHERE', teams: [], ...movedWith(item, 'teams', false) }];
  if ('state' in item)
    for (const [says, absentFrom, absentTo] of absences)
      yield [says, { ...item, absentFrom, absentTo, ...movedWith(item, 'absentFrom', false) }];
}

/**
 * A case's status, version and lead are premises of their own; whatever else changes on an aggregate moves its audit
 * along, except an officer's load, and every change of a child moves its version.
 */
function movedWith(item: Item, name: string, isCase: boolean): Attributes {
  if (isCase)
    return ['status', 'version', 'leadOfficerId'].includes(name) ? {} : { auditSeq: Number(item['auditSeq']) + 1 };
  if (name === 'version' || name === 'activeLoad' || typeof item['version'] !== 'number') return {};
  return { version: item['version'] + 1, ...('auditSeq' in item && { auditSeq: Number(item['auditSeq']) + 1 }) };
}

function othersThan(name: string, value: unknown, isCase: boolean): unknown[] {
  if (isCase && name === 'status') return statuses.filter((status) => status !== value);
  if (name === 'leadOfficerId' || name === 'ownerId') return ['somebody'];
  if (typeof value === 'number') return [value + 1, value - 1, 1_000];
  return (words as unknown[]).includes(value) ? words.filter((word) => word !== value) : [];
}
