import type { Known } from './known.ts';
import { keyText } from './markdown.ts';

/** The questions that are asked of a command before it is built, each answered for this one. */
export function checklist({ definition, door, happy, mostWrites, refusals }: Known): string[][] {
  const { transition, writes } = happy;
  const { aggregate, created, requests } = transition;
  // After record, aggregate, event and messages come the items that own something of their own.
  const owners = writes.slice(4 + requests.length).map(({ key }) => `\`${keyText(key)}\``);
  const codes = [...new Set(refusals.map(({ answer }) => answer.replace(/\(.*/, '')))];
  return [
    ['Aggregate', `${aggregate.of === 'case' ? 'Case' : 'Officer'}; ${versions(happy)}`],
    ['Invariant in English', 'above'],
    ['Who owns it', ['the item of the aggregate', ...owners].join(', ')],
    ['Same key again', repeated(definition.type, created)],
    ['Expected version or status', premise({ door, happy })],
    ['Why a transaction', `${writes.length} items that must not disagree; state, audit and message always together`],
    ['Within the limits', `at most ${mostWrites} writes of 100; here ${kilobytes(writes)} KB of 4 MB`],
    ['No outside act inside', requests.length > 0 ? 'none: asked for through the outbox, done by a workflow' : 'none'],
    ['Audit and outbox', 'the second, third and fourth write, in the same transaction'],
    [
      'A failed condition',
      `is never an answer: read again, decided again, and then one of ${codes.join(', ')}, or done`,
    ],
    ['Conflict or technical', 'as for every command'],
    ['Observed', 'as for every command'],
    [
      'Concurrency tests',
      '`test/domain/races.test.ts`: every rival change of every item it read; `test/domain/readSets.test.ts`',
    ],
    ['Ambiguous commit', 'as for every command'],
  ];
}

function premise({ door, happy }: Pick<Known, 'door' | 'happy'>): string {
  if (!happy.transition.aggregate.before) return 'nothing before: its absence is the condition';
  const version = door
    ? (door.version ?? 'No version: an item of its own owns the invariant.')
    : 'No version: the ledger says it.';
  return `${version} The status as read is a condition in every case`;
}

function versions({ transition }: Known['happy']): string {
  const { before, after } = transition.aggregate;
  if (!before) return 'version 1';
  const content =
    'contentVersion' in before && 'contentVersion' in after && before.contentVersion !== after.contentVersion;
  if (before.version === after.version) return 'its version stays';
  return content ? 'its version and its contentVersion rise by one' : 'its version rises by one';
}

const repeated = (type: string, created: Record<string, string>): string =>
  Object.keys(created).length > 0
    ? `the first result, for 30 days from the record, and afterwards from the created ${Object.keys(created).join(', ')}`
    : `the first result, for 30 days; afterwards \`${type}\` is decided on what then is`;

const kilobytes = (writes: unknown[]) => Math.ceil(Buffer.byteLength(JSON.stringify(writes)) / 1024);
