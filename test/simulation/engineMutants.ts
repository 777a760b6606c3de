/** One change of the engine's source, each of which the suite must notice. `from` stands exactly once in the file. */
export type EngineMutant = { name: string; file: string; from: string; to: string };

const execute = 'store/execute.ts';
const send = 'store/send.ts';
const fence = 'store/fence.ts';
const record = 'store/record.ts';
const told = 'store/told.ts';
const outcome = 'store/outcome.ts';
const attempts = 'store/attempts.ts';
const writes = 'store/writes.ts';

const mutant = (name: string, file: string, from: string, to: string): EngineMutant => ({ name, file, from, to });

export const engineMutants: readonly EngineMutant[] = [
  mutant(
    'no record lookup before a refusal',
    execute,
    ': await recordBeforeRefusal(store, given, attempts);\n  const told',
    ': undefined;\n  const told',
  ),
  mutant(
    'a plain read of the record before a refusal',
    execute,
    'await recordBeforeRefusal(store, given, attempts)',
    'await readRecord(store, given)',
  ),
  mutant('no fence before a refusal', execute, '? await fenceOff(run) :', '? await readRecord(store, given) :'),
  mutant(
    'no fence before "not done"',
    execute,
    'attempts.anyUnresolved() ? toldBy(await',
    'run === undefined ? toldBy(await',
  ),
  mutant(
    'a moved premise is a refusal (naive)',
    execute,
    'return moved(run, plan, sent);',
    'return { ...{ kind: "refused", code: "VERSION_CONFLICT", message: "", details: {} }, current: undefined };',
  ),
  mutant(
    'what was created is not asked for its command',
    execute,
    '(record ? undefined : toldByCreation(found, run.given))',
    'undefined',
  ),
  mutant('a broken table is never named', execute, 'suspected !== undefined && suspected === run.suspected', 'false'),
  mutant(
    'one failure already names a broken table',
    execute,
    'suspected !== undefined && suspected === run.suspected',
    'suspected !== undefined',
  ),
  mutant(
    'a mismatched token is not looked up',
    execute,
    'return mismatched(run);',
    'throw new InvariantBreach("mismatch");',
  ),
  mutant('an ambiguous send is forgotten', send, 'attempts.unresolved(plan);', ''),
  mutant(
    'an ambiguous send is followed by a new plan',
    send,
    "'IN_PROGRESS' : 'AMBIGUOUS');\n          break;",
    "'IN_PROGRESS' : 'AMBIGUOUS');\n          return { kind: 'moved', failed: [], alone: false };",
  ),
  mutant('a repeat has another token', send, 'plan.writes, plan.token)', 'plan.writes, plan.token + attempts.count)'),
  mutant(
    'a later cancellation settles a lost send',
    send,
    "case 'moved':\n",
    "case 'moved':\n          attempts.resolved(plan);\n",
  ),
  mutant(
    'a fence that met a record has fenced',
    fence,
    "return settled ? { kind: 'record', record } : { kind: 'unknown' };",
    "return { kind: 'fenced' };",
  ),
  mutant(
    'an ambiguous fence has fenced',
    fence,
    'await attempts.pauseToFence(',
    "if (outcome.kind === 'ambiguous') return { kind: 'fenced' };\n      await attempts.pauseToFence(",
  ),
  mutant(
    'a fence does not raise the generation',
    record,
    'generation: generation + 1,',
    "generation: generation + (record.status === 'FAILED_RETRYABLE' ? 0 : 1),",
  ),
  mutant(
    'a resumed record keeps its generation',
    record,
    'generation: generation + 1,',
    'generation: Math.max(generation, 1),',
  ),
  mutant(
    'a fence keeps another request hash',
    record,
    'requestHash: given.requestHash,',
    "requestHash: record.status === 'COMPLETED' ? given.requestHash : '',",
  ),
  mutant(
    'a record never expires for its reader',
    record,
    'record && record.expiresAt > Math.floor(nowMs / 1000) ? record : undefined',
    'record',
  ),
  mutant(
    'a record is always expired for its reader',
    record,
    'record.expiresAt > Math.floor(nowMs / 1000)',
    'record.expiresAt < 0',
  ),
  mutant(
    'records expire in milliseconds',
    record,
    'expiresAt: Math.floor(Date.parse(given.at) / 1000) + retentionSeconds',
    'expiresAt: Date.parse(given.at) + retentionSeconds',
  ),
  mutant(
    'the payload is not compared',
    told,
    'record.requestHash !== given.requestHash',
    'record.status === undefined',
  ),
  mutant(
    'a run in progress has no handle',
    told,
    '...(record.executionName !== undefined && { run: record.executionName })',
    '',
  ),
  mutant('a final failure decides again', told, 'return record.refusal;', 'return undefined;'),
  mutant(
    'a replay names another version',
    told,
    '{ ...record.result!,',
    '{ ...record.result!, appliedVersion: record.result!.appliedVersion + 1,',
  ),
  mutant(
    'a time-out means not applied',
    outcome,
    "return { kind: 'ambiguous', inProgress: false };",
    "return { kind: 'notSent' };",
  ),
  mutant(
    'in progress means not applied',
    outcome,
    "return { kind: 'ambiguous', inProgress: true };",
    "return { kind: 'pause', why: 'CONTENTION' };",
  ),
  mutant(
    'missing reasons are a bug',
    outcome,
    'if (failed.length > 0 || reasons.length < writes) return',
    "if (reasons.length < writes) return { kind: 'broken', what: '' };\n  if (failed.length > 0) return",
  ),
  mutant('a record without its image is taken for one', outcome, 'record && Object.keys(record).length > 0', 'true'),
  mutant('a deadline is never reached', attempts, '!over && left() >= needed && tries', 'tries'),
  mutant('the last attempt is slept through', attempts, 'Math.min(wait, room)', 'wait'),
  mutant(
    'a token is resent for ever',
    attempts,
    'return store.monotonic() - first <= policy.tokenLife;',
    'return true;',
  ),
  mutant(
    'no audit event',
    writes,
    "{ kind: 'put', key: keys.event(aggregate.ref, seq), item: { itemType: 'AuditEvent', ...event }, when: absent },",
    '',
  ),
  mutant('no outbox message', writes, '...messagesOf(transition, numbered, given),', ''),
  mutant(
    'the audit head stays',
    writes,
    'const moved = { auditSeq: seq, auditHead, createdBy };',
    'const moved = { auditSeq: seq, createdBy };',
  ),
];
