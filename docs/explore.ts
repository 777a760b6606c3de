import { actionStatuses, noticeStatuses } from '../domain/action/action.ts';
import { caseStatuses, classifications, findings, linkDirections, partyRoles } from '../domain/case/case.ts';
import type { Attributes } from '../domain/condition.ts';
import { ledgerStatuses } from '../domain/effect.ts';
import type { OfficerId } from '../domain/ids.ts';
import { officerStates } from '../domain/officer/officer.ts';
import { roles } from '../domain/command.ts';
import { ref } from '../domain/refs.ts';
import { ask, but, wordsOf, type Difference, type Scene } from '../test/domain/ask.ts';
import {
  ana,
  approved,
  ben,
  c1,
  cai,
  closed,
  inEnforcement,
  open,
  registered,
  rejected,
  rob,
  underReview,
} from '../test/domain/builders.ts';

/** Everything that one command answers in its scene and in every scene that differs from it in one thing. */
export type Explored = { refusals: Set<string>; mostWrites: number };

/** Record, aggregate, audit event and message are in every transaction. */
const alwaysWritten = 4;

export function explored(scene: Scene): Explored {
  const refusals = new Set<string>();
  let mostWrites = 0;
  for (const base of [scene, ...bases(scene)]) {
    // Where the status forbids the command, nothing else is asked.
    const closed = base !== scene && answerOf(base)?.kind === 'refused';
    for (const difference of closed ? [{}] : [{}, ...differences(base)]) {
      const answer = answerOf(but(base, difference));
      if (!answer) continue;
      if (answer.kind === 'refused') refusals.add(wordsOf(answer));
      else mostWrites = Math.max(mostWrites, alwaysWritten + answer.requests.length + answer.changes.length);
    }
  }
  return { refusals, mostWrites };
}

/** Values that no resolver lets through may break a rule that relies on their type; they say nothing. */
function answerOf(scene: Scene) {
  try {
    return ask(scene).answer;
  } catch {
    return undefined;
  }
}

const cases = [open(), underReview(), approved(), rejected(), inEnforcement(), registered(), closed()];
const bases = (scene: Scene): Scene[] => cases.map((current) => but(scene, { items: [[ref.case(c1), current]] }));

function* differences(scene: Scene): Generator<Difference> {
  for (const role of roles) yield { actor: { id: 'somebody' as OfficerId, roles: [role] } };
  for (const actor of [ana, ben, cai, rob]) yield { actor };
  yield { items: [[ref.exclusion(c1, scene.actor.id), { officerId: scene.actor.id }]] };
  const { reads, found } = ask(scene);
  for (const [name, about] of Object.entries(reads))
    for (const item of others(found[name])) yield { items: [[about, item]] };
  for (const [name, value] of Object.entries(scene.command))
    if (name !== 'type' && name !== 'caseId')
      for (const other of otherValues(value)) yield { command: { [name]: other } };
}

function others(item: Attributes | undefined): (Attributes | undefined)[] {
  if (!item)
    return [
      { status: 'CLAIMED', ownerId: 'x' },
      { status: 'RELEASED', ownerId: 'x' },
    ];
  return [
    undefined,
    { ...item, suspendedUntil: '2026-07-08' },
    { ...item, redactedAt: '2026-07-01T00:00:00.000Z' },
    { ...item, absentFrom: '2026-01-01', absentTo: '2027-01-01' },
    ...Object.entries(item).flatMap(([name, value]) => stored(value).map((other) => ({ ...item, [name]: other }))),
  ];
}

const words: unknown[] = [
  ...caseStatuses,
  ...classifications,
  ...findings,
  ...linkDirections,
  ...partyRoles,
  ...actionStatuses,
  ...noticeStatuses,
  ...ledgerStatuses,
  ...officerStates,
];

function stored(value: unknown): unknown[] {
  if (typeof value === 'number') return [0, 1, 1_000, undefined];
  if (words.includes(value)) return words;
  return [undefined];
}

const days = ['2026-02-30', '1999-12-31', '2026-07-06', '2026-07-07', '2026-07-11', '2126-07-11'];
const people = ['nobody', 'ana', 'ben', 'cai', 'dan'];

function otherValues(value: unknown): unknown[] {
  if (typeof value === 'number') return [0, -1, 4, 40, 2_000, 1.5, undefined];
  if (typeof value === 'string')
    return ['', 'x'.repeat(5_000), 'a\u0007b', 'dan@example.org', c1, ...people, ...days, ...words, null, undefined];
  if (Array.isArray(value)) {
    const [one] = value as unknown[];
    return [[], [one, one], Array.from({ length: 60 }, (_, i) => `x${i}`), ['nobody'], undefined];
  }
  if (typeof value !== 'object' || value === null) return [];
  return [
    null,
    ...Object.entries(value).flatMap(([name, part]) => otherValues(part).map((other) => ({ ...value, [name]: other }))),
  ];
}
