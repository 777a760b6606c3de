import type { Reads } from '../domain/refs.ts';
import { keysOf } from '../store/keys.ts';
import type { Write } from '../store/table-port.ts';
import { checklist } from './checklist.ts';
import { conditionText } from './conditionText.ts';
import type { Known } from './known.ts';
import { keyText, list, table } from './markdown.ts';

export function commandSection(one: Known): string {
  const { definition, door, who, happy, mostWrites, refusals } = one;
  const { transition, writes, first, second } = happy;
  const requests = transition.requests.map(({ type }) => `work request \`${type}\``);
  return [
    `## ${definition.type}`,
    door
      ? `${door.description} Door: ${door.permissions.join(' or ')}.`
      : 'A workflow records it; there is no mutation.',
    `*Who*: ${[...who.relations, ...who.roles].join(', ')}${who.note ? ` (${who.note})` : ''}. *From*: ${who.from.join(', ')}.`,
    '*Invariant*:',
    list(definition.invariant),
    `*Reads* in one consistent batch: ${itemsOf(first)}.${Object.keys(second).length > 0 ? ` Then, by what was found: ${itemsOf(second)}.` : ''}`,
    `*Writes* in one transaction, here ${writes.length} of at most ${mostWrites} (the limit is 100):`,
    table(
      ['item', 'write', 'condition'],
      writes.map((write) => [`\`${keyText(write.key)}\``, verb(write), conditionText(write.when)]),
    ),
    `*Event*: \`${transition.announces}\` {${Object.keys(transition.payload).join(', ')}}. *Effects*: ${requests.join(', ') || 'none'}.`,
    '*Refusals*, beside `IDEMPOTENCY_KEY_REUSED`:',
    table(
      ['answer', 'when'],
      refusals.map(({ answer, when }) => [
        `\`${answer}\``,
        (when.length > 0 ? when : [usually[answer] ?? '']).join('; '),
      ]),
    ),
    '*Checklist*:',
    table(['', ''], checklist(one)),
  ].join('\n\n');
}

/** When an answer is given that every command has in common, where no table of a test says more. */
const usually: Record<string, string> = {
  NOT_FOUND: 'when it is not there, or not for the caller to see',
  NOT_PERMITTED: 'to anybody else',
  EXCLUDED: 'to who declared a conflict of interest',
  VERSION_CONFLICT: 'on a version that has passed',
  ILLEGAL_TRANSITION: 'from any other status',
  NO_CHANGE: 'when it is so already',
  'PRECONDITION_FAILED(TENANT_SETTINGS)': 'while the tenant has no settings',
  'PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)': 'for who leaves or has left',
  'PRECONDITION_FAILED(OFFICER_ABSENT)': 'for who is absent today',
  'VALIDATION_FAILED(REQUIRED)': 'without something that is required',
  'VALIDATION_FAILED(TOO_LONG)': 'with a text that is too long',
  'VALIDATION_FAILED(CONTROL_CHARACTERS)': 'with a text that cannot be printed',
  'VALIDATION_FAILED(AT_MOST)': 'with a list that is too long',
};

const itemsOf = (reads: Reads) =>
  Object.values(reads)
    .map((about) => `\`${keyText(keysOf('demo' as never).of(about))}\``)
    .join(', ');

const verbs = { put: 'put', update: 'update', delete: 'delete', check: 'check only' };
function verb(write: Write): string {
  if (write.kind !== 'update') return verbs[write.kind];
  const { set = {}, remove = [], add = {}, drop = {} } = write.update;
  const named = (word: string, names: string[]) => (names.length > 0 ? [`${word} ${names.join(', ')}`] : []);
  return [
    ...named('set', Object.keys(set)),
    ...named('remove', remove),
    ...named('add to', Object.keys(add)),
    ...named('take from', Object.keys(drop)),
  ].join('; ');
}
