import { chainFaults } from '../../store/audit.ts';
import type { Item } from '../../store/table-port.ts';
import type { Commit, History, Request } from './history.ts';
import { limitFaults } from './limits.ts';
import { taskFaults } from './taskFaults.ts';
import { chainsIn, messagesIn, type Chain } from './stored.ts';

/** What a history and what it left behind must satisfy (docs/correctness.md). Each fault names its invariant. */
export type Check = (history: History, stored: readonly Item[]) => string[];

export const commandChecks: readonly Check[] = [
  once,
  chains,
  messages,
  sameAnswers,
  noFalseRefusal,
  listAppend,
  limitFaults,
  taskFaults,
  nothingBroken,
];

export const faultsIn = (history: History, stored: readonly Item[], checks = commandChecks): string[] =>
  checks.flatMap((check) => check(history, stored));

const appendsOf = (stored: readonly Item[]) => chainsIn(stored).flatMap(({ events }) => events);

/** I1: one key, at most one transition. */
function once(_history: History, stored: readonly Item[]): string[] {
  const seen = new Map<string, number>();
  for (const { commandId } of appendsOf(stored)) seen.set(commandId, (seen.get(commandId) ?? 0) + 1);
  return [...seen].filter(([, times]) => times > 1).map(([id, times]) => `I1 ${id} changed state ${times} times`);
}

/** I2: every chain is contiguous from its first event to the head that META names. */
function chains(_history: History, stored: readonly Item[]): string[] {
  return chainsIn(stored).flatMap(({ partition, meta, events }) => {
    if (!meta) return [`I2 ${partition} has events and no META`];
    const head = { auditSeq: meta['auditSeq'] as number, auditHead: meta['auditHead'] as string };
    return chainFaults(events, head).map(({ seq, fault }) => `I2 ${partition} ${seq}: ${fault}`);
  });
}

/** I3, the half that commands owe: one event message per transition, each identity once, ordered without gaps. */
function messages(_history: History, stored: readonly Item[]): string[] {
  const told = messagesIn(stored);
  const ids = told.map((item) => String(item['eventId']));
  const faults = ids.length === new Set(ids).size ? [] : ['I3 one message twice'];
  for (const { meta, events } of chainsIn(stored)) {
    const mine = told.filter((item) => item['n'] === 0 && item['aggregateId'] === meta?.['id']);
    const seqs = mine.map((item) => item['seq'] as number).sort((a, b) => a - b);
    if (seqs.join() !== events.map(({ seq }) => seq).join())
      faults.push(`I3 events ${events.map(({ seq }) => seq).join()} are told as ${seqs.join()}`);
  }
  return faults;
}

/** I4: all successful answers for a key are one answer, to one request. */
function sameAnswers({ requests }: History): string[] {
  const answers = new Map<string, string>();
  const asked = new Map<string, string>();
  return requests.flatMap((request) => {
    if (request.answer?.kind !== 'done') return [];
    const { kind: _, replayed: __, current: ___, ...result } = request.answer;
    const text = JSON.stringify(result, Object.keys({ ...result, ...result.created }).sort());
    const command = JSON.stringify(request.command);
    if ((asked.get(request.commandId) ?? command) !== command)
      return [`I4 ${request.commandId} answered two different requests`];
    asked.set(request.commandId, command);
    const first = answers.get(request.commandId) ?? text;
    answers.set(request.commandId, first);
    return first === text ? [] : [`I4 ${request.commandId} was answered ${first} and ${text}`];
  });
}

/** I5: no refusal and no "not done" for a key that had committed, or for a request whose own send commits. */
function noFalseRefusal({ requests, commits }: History): string[] {
  return requests.flatMap((request) => {
    if (request.outcome !== 'fail') return [];
    if (request.answer?.kind === 'refused' && request.answer.code === 'IDEMPOTENCY_KEY_REUSED')
      return falseReuse(request, requests);
    const own = commits.find(({ by }) => by === request);
    if (own) return [`I5 request ${request.id} was told no (${toldTo(request)}), and its own send committed`];
    const asked = request.lastLookup;
    // A refusal must not rest on half of a commit; "not done" says only what could be seen when it was looked for.
    const committed = request.answer ? ('seen' as const) : ('whole' as const);
    const before = commits.find(
      ({ commandId, expiresAt, [committed]: order }) =>
        asked && commandId === request.commandId && order < asked.order && expiresAt * 1000 > asked.at + skewAllowed,
    );
    return before ? [`I5 request ${request.id} was told no (${toldTo(request)}) after its key had committed`] : [];
  });
}

const skewAllowed = 15 * 60_000;

const toldTo = ({ answer, error, command }: Request) =>
  `${command.type}: ${answer?.kind === 'refused' ? answer.code : String(error?.message)}`;

/** "Used for another request" is true only where there was another request. */
function falseReuse(request: Request, requests: readonly Request[]): string[] {
  const text = JSON.stringify(request.command);
  const other = requests.some((r) => r.commandId === request.commandId && JSON.stringify(r.command) !== text);
  return other ? [] : [`I5 request ${request.id} was told that its key was used for another request`];
}

/** Elle's list-append on the audit: ok appends exactly once, info at most once, failed never, reads are prefixes. */
function listAppend({ requests, readings, commits }: History, stored: readonly Item[]): string[] {
  const appended = new Set(appendsOf(stored).map(({ commandId }) => commandId));
  const keys = new Map<string, Request[]>();
  for (const request of requests) keys.set(request.commandId, [...(keys.get(request.commandId) ?? []), request]);
  const faults = [...keys].flatMap(([commandId, asked]) => {
    const outcomes = asked.map(({ outcome }) => outcome);
    if (outcomes.includes('ok') && !appended.has(commandId)) return [`history: ${commandId} is ok and not there`];
    if (outcomes.every((outcome) => outcome === 'fail') && appended.has(commandId))
      return [`history: ${commandId} failed and is there`];
    return [];
  });
  const asked = new Set(requests.map(({ commandId }) => commandId));
  for (const commandId of appended) if (!asked.has(commandId)) faults.push(`history: nobody asked for ${commandId}`);
  const byPlace = new Map(chainsIn(stored).map((chain) => [chain.partition, chain]));
  return [
    ...faults,
    ...readings.flatMap((reading) => prefixFault(reading, byPlace.get(reading.partition), requests, commits)),
  ];
}

function prefixFault(
  { began, commandIds: shown }: History['readings'][number],
  chain: Chain | undefined,
  requests: Request[],
  commits: Commit[],
): string[] {
  const whole = (chain?.events ?? []).map(({ commandId }) => commandId);
  if (shown.some((commandId, i) => whole[i] !== commandId)) return ['history: a reading is no prefix of the audit'];
  const known = commits.filter(
    (commit) =>
      commit.whole < began &&
      requests.some((r) => r.commandId === commit.commandId && r.outcome === 'ok' && (r.ended ?? Infinity) < began),
  );
  const missing = known.find(({ commandId }) => whole.includes(commandId) && !shown.includes(commandId));
  return missing ? [`history: a reading misses ${missing.commandId}, which was answered before it began`] : [];
}

/** No request ends in an error that is none of the three answers. */
function nothingBroken({ requests }: History): string[] {
  return requests.flatMap(({ outcome, error, command }) =>
    outcome === 'broken' ? [`error: ${command.type}: ${error?.name} ${error?.message}`] : [],
  );
}
