import type { CaseId, DocumentId, EffectId, LocalDate, OfficerId, TaskId, TenantId } from '../domain/ids.ts';
import type { Provider } from '../domain/effect.ts';
import type { MessageName } from '../domain/message.ts';
import type { Ref } from '../domain/refs.ts';
import { normalisationVersion, normalised, type UniqueKind } from '../domain/sentinel.ts';
import type { Key } from './table-port.ts';

/**
 * One table. What belongs to a case shares its partition, so one Query reads its whole story. Every partition begins
 * with the tenant, written … here: without a tenant there is no key.
 *
 *   …CASE#<case>                 META                       the case: status, versions, lead, review, counts, audit head, fence
 *   …CASE#<case>                 EVENT#<seq>                audit; written once, hash-chained
 *   …CASE#<case>                 PARTY#<id> CONTRAVENTION#<id> REVIEW#<id> ACTION#<id> NOTICE#<id>
 *   …CASE#<case>                 TASK#<id>                  work on it, done or not
 *   …CASE#<case>                 OPEN_TASK#<type>#<origin>  one open task of a kind: which, whose, what waits for it
 *   …CASE#<case>                 NOTE#<id>                  what somebody wrote down; never changed
 *   …CASE#<case>                 NOTE_PLACE#<seq>           which note was written when; lists go by it
 *   …CASE#<case>                 DOCUMENT#<id>              a file: what it is, and whether anybody gets it
 *   …CASE#<case>                 DOCUMENT_VERSION#<first>#<n>   which document is the nth version of a chain
 *   …CASE#<case>                 HOLD#<id>                  legal hold, released or not; META counts the active ones
 *   …CASE#<case>                 LINK#<nature>#<case>       that two cases belong together; below both of them
 *   …CASE#<case>                 INVESTIGATOR_GUARD         how many investigate, at most three; who
 *   …CASE#<case>                 INVESTIGATOR#<officer>     membership
 *   …CASE#<case>                 ACTIVE_ENFORCEMENT_GUARD   the one active action
 *   …CASE#<case>                 EXCLUDED#<officer>         declared conflict of interest
 *   …OFFICER#<officer>           META                       state, version, activeLoad, maxLoad, loadSeq, audit head
 *   …OFFICER#<officer>           LOAD#<case>                one row for each case that counts in activeLoad
 *   …OFFICER#<officer>           EVENT#<seq>                the officer's own audit chain
 *   …UNIQUE#<kind>#<scope>#<nv>#<value>   UNIQUE            one owner for one normalised value, for ever
 *   …IDEMPOTENCY#<command>       COMMAND                    what one key has done; expires
 *   …COUNTER#OPEN_CASES#REGION#<region>   SHARD#<nn>        sharded counter; only the sum means something
 *   …SEQUENCE#CASE_NUMBER#<year> SEQUENCE                   last number drawn
 *   …OUTBOX#<day>#<shard>        EVENT#<aggregate>#<seq>#<n>   n = 0 the event, n >= 1 work requests
 *   …OUTBOX_CURSOR#<aggregate>   CURSOR                     last ordered message published
 *   …SIDE_EFFECT#<provider>#<effect>      RESULT            the ledger
 *   …SENT_MAIL#<effect>          SENT                       that a mail service says it took a mail; expires
 *   …WORK#<aggregate>            PROCESSING_LOCK            lease and fence; never deleted
 *   …SUPPRESSED#<address>        ADDRESS                    a mail came back from it; expires
 *   …EXECUTION#<name>            RUN                        our own index of executions
 *   …PROJECTION#<name>#<key>     ROW                        rebuildable; the newest event it knows of
 *   …FINDING#<finding>           META                       what reconciliation found, or a party contradicted
 *   …FINDING#<finding>           EVENT#<seq>                the chain of one that is about no case and no officer
 *   …INBOX#<consumer>#<event>    HEARD                      that a consumer has taken an event in; expires
 *   …TALLY#CASES_OPENED#<region>#<day>    COUNT             how many cases were opened
 *   …RECONCILIATION#<date>       SHARD#<nn>                 how far the night's pass has come; expires
 *   …TOLD#<aggregate>            CHECKPOINT                 up to which event it is proven that all was told
 *   …TENANT                      META                       zone, working days, limits, retention
 */
export function keysOf(tenant: TenantId): Keys {
  const made = keysMade.get(tenant) ?? makeKeys(tenant);
  keysMade.set(tenant, made);
  return made;
}

/** A process serves few tenants, and every write of a plan asks for its tenant's keys. */
const keysMade = new Map<TenantId, Keys>();
type Keys = ReturnType<typeof makeKeys>;

const makeKeys = (tenant: TenantId) => {
  const at = (pk: string, sk: string): Key => ({ pk: `T#${tenant}#${pk}`, sk });
  return {
    of: (ref: Ref) => keyOf(at, ref),
    event: (aggregate: Ref, seq: number): Key => ({ pk: keyOf(at, aggregate).pk, sk: `EVENT#${inOrder(seq)}` }),
    command: (commandId: string) => at(`IDEMPOTENCY#${commandId}`, 'COMMAND'),
    caseNumbers: (year: string) => at(`SEQUENCE#CASE_NUMBER#${year}`, 'SEQUENCE'),
    message: (day: string, shard: number, about: string, seq: number, n: number) =>
      keyOf(at, { of: 'message', day, shard, about, seq, n }),
    cursor: (aggregateId: string) => keyOf(at, { of: 'cursor', aggregateId }),
    effect: (provider: Provider, effectId: EffectId) => keyOf(at, { of: 'effect', provider, effectId }),
    lease: (aggregateId: string) => keyOf(at, { of: 'lease', aggregateId }),
    execution: (name: string) => keyOf(at, { of: 'execution', name }),
    suppression: (address: string) => at(`SUPPRESSED#${normalised('OFFICER_EMAIL', address)}`, 'ADDRESS'),
    sentMail: (effectId: EffectId) => at(`SENT_MAIL#${effectId}`, 'SENT'),
    casePartition: (caseId: CaseId) => at(`CASE#${caseId}`, '').pk,
    officerPartition: (officerId: OfficerId) => at(`OFFICER#${officerId}`, '').pk,
    documentVersions: (caseId: CaseId, chainId: DocumentId): Key =>
      at(`CASE#${caseId}`, `${childPrefix.documentVersion}${chainId}#`),
    casesByStatus: (status: string) => at(`CASES#STATUS#${status}`, '').pk,
    casesToDispose: () => at('CASES#TO_DISPOSE', '').pk,
    casesByLead: (officerId: string) => at(`CASES#LEAD#${officerId}`, '').pk,
    casesByRegion: (region: string) => at(`CASES#REGION#${region}`, '').pk,
    officersByState: (state: string) => at(`OFFICERS#${state}`, '').pk,
    tasksOfOfficer: (officerId: string) => at(`TASKS#OFFICER#${officerId}`, '').pk,
    tasksOfTeam: (teamId: string) => at(`TASKS#TEAM#${teamId}`, '').pk,
    executionsByStatus: (status: string) => at(`EXECUTIONS#STATUS#${status}`, '').pk,
    executionsByMachine: (machine: string) => at(`EXECUTIONS#MACHINE#${machine}`, '').pk,
    inbox: (consumer: string, eventId: string) => at(`INBOX#${consumer}#${eventId}`, 'HEARD'),
    casesOpened: (region: string, on: LocalDate) => at(`TALLY#CASES_OPENED#${region}#${on}`, 'COUNT'),
    pass: (date: string, shard: string) => at(`RECONCILIATION#${date}`, `SHARD#${shard}`),
    toldUpTo: (aggregateId: string) => at(`TOLD#${aggregateId}`, 'CHECKPOINT'),
    findingsByStatus: (status: string) => at(`FINDINGS#STATUS#${status}`, '').pk,
    findingsAbout: (aggregateId: string) => at(`FINDINGS#ABOUT#${aggregateId}`, '').pk,
    executionsAbout: (aggregateId: string) => at(`EXECUTIONS#ABOUT#${aggregateId}`, '').pk,
  };
};

/** Sort-key prefixes of what hangs below a case, for lists. */
export const childPrefix = {
  party: 'PARTY#',
  contravention: 'CONTRAVENTION#',
  review: 'REVIEW#',
  action: 'ACTION#',
  notice: 'NOTICE#',
  investigator: 'INVESTIGATOR#',
  link: 'LINK#',
  task: 'TASK#',
  hold: 'HOLD#',
  openTask: 'OPEN_TASK#',
  notePlace: 'NOTE_PLACE#',
  document: 'DOCUMENT#',
  documentVersion: 'DOCUMENT_VERSION#',
  event: 'EVENT#',
  load: 'LOAD#',
} as const;
export type ChildKind = keyof typeof childPrefix;
/** Sort keys of the guards of a case. */
export const guardKeys = { investigators: 'INVESTIGATOR_GUARD', enforcement: 'ACTIVE_ENFORCEMENT_GUARD' } as const;

/** Partitions of what waits, across tenants: a sweep walks the shards. */
export const pendingPartition = (kind: PendingKind, shard: number) => `PENDING#${kind}#${shard}`;
export type PendingKind = 'OUTBOX' | 'DEAD' | 'EFFECT' | 'LEASE';

/** A place in an index partition: text order is the wanted order, and the id makes it one item's. */
export const place = (order: string, id: string) => `${order}#${id}`;

/** The id at the end of an index's sort key. */
export const idInPlace = (sortKey: string) => sortKey.slice(sortKey.lastIndexOf('#') + 1);

/** One text for one key: maps and logs of the store. */
export const keyText = ({ pk, sk }: Key) => `${pk}|${sk}`;

/** What kind of item a key names, for the log: no ids, no values. */
export const kindOfKey = ({ pk, sk }: Key) => `${pk.split('#')[2]}/${sk.split('#')[0]}`;

/** The tenant that owns a key; keys found in the cross-tenant index say it themselves. */
export const tenantOfKey = ({ pk }: Key) => pk.split('#')[1] as TenantId;

/** What every partition of a tenant begins with. */
export const tenantPrefix = (tenant: TenantId) => `T#${tenant}#`;

/** What reconciliation looks at, as a key names it; the rest is looked at together with what it belongs to. */
export function subjectOfKey(key: Key): Subject | undefined {
  const [, , kind, first, , third] = key.pk.split('#');
  switch (`${kind}/${key.sk.split('#')[0]}`) {
    case 'CASE/META':
      return { of: 'case', caseId: first as CaseId };
    case 'OFFICER/META':
      return { of: 'officer', officerId: first as OfficerId };
    case 'UNIQUE/UNIQUE':
      return { of: 'sentinel', unique: first as UniqueKind };
    case 'SIDE_EFFECT/RESULT':
      return { of: 'effect', ...effectNameOf(key) };
    case 'OUTBOX/EVENT':
      return { of: 'message', ...messageNameOf(key) };
    case 'WORK/PROCESSING_LOCK':
      return { of: 'lease', aggregateId: leaseNameOf(key) };
    case 'COUNTER/SHARD':
      return { of: 'counter', region: third! };
    default:
      return undefined;
  }
}
export type Subject =
  | { of: 'case'; caseId: CaseId }
  | { of: 'officer'; officerId: OfficerId }
  | { of: 'sentinel'; unique: UniqueKind }
  | { of: 'effect'; provider: Provider; effectId: EffectId }
  | ({ of: 'message' } & MessageName)
  | { of: 'lease'; aggregateId: string }
  | { of: 'counter'; region: string };

/** The message that a key of the outbox names, the aggregate that one of a lease does, the row that one of the ledger does,
 * the task that one below a case does. */
export function messageNameOf({ pk, sk }: Key): MessageName {
  const [, , , day, shard] = pk.split('#');
  const [, about, seq, n] = sk.split('#');
  return { day: day!, shard: Number(shard), about: about!, seq: Number(seq), n: Number(n) };
}
export function taskNameOf({ pk, sk }: Key): { caseId: CaseId; taskId: TaskId } {
  return { caseId: pk.split('#')[3] as CaseId, taskId: sk.split('#')[1] as TaskId };
}
export const leaseNameOf = ({ pk }: Key): string => pk.split('#')[3]!;
export function effectNameOf({ pk }: Key): { provider: Provider; effectId: EffectId } {
  const [, , , provider, effectId] = pk.split('#');
  return { provider: provider as Provider, effectId: effectId as EffectId };
}

const inOrder = (n: number) => String(n).padStart(10, '0'); // text order is number order

function keyOf(at: (pk: string, sk: string) => Key, ref: Ref): Key {
  switch (ref.of) {
    case 'tenant':
      return at('TENANT', 'META');
    case 'case':
      return at(`CASE#${ref.caseId}`, 'META');
    case 'party':
      return at(`CASE#${ref.caseId}`, `PARTY#${ref.partyId}`);
    case 'contravention':
      return at(`CASE#${ref.caseId}`, `CONTRAVENTION#${ref.contraventionId}`);
    case 'review':
      return at(`CASE#${ref.caseId}`, `REVIEW#${ref.reviewId}`);
    case 'action':
      return at(`CASE#${ref.caseId}`, `ACTION#${ref.actionId}`);
    case 'notice':
      return at(`CASE#${ref.caseId}`, `NOTICE#${ref.noticeId}`);
    case 'note':
      return at(`CASE#${ref.caseId}`, `NOTE#${ref.noteId}`);
    case 'notePlace':
      return at(`CASE#${ref.caseId}`, `NOTE_PLACE#${inOrder(ref.seq)}`);
    case 'document':
      return at(`CASE#${ref.caseId}`, `DOCUMENT#${ref.documentId}`);
    case 'documentVersion':
      return at(`CASE#${ref.caseId}`, `DOCUMENT_VERSION#${ref.chainId}#${inOrder(ref.versionNumber)}`);
    case 'link':
      return at(`CASE#${ref.caseId}`, `LINK#${ref.nature}#${ref.otherCaseId}`);
    case 'hold':
      return at(`CASE#${ref.caseId}`, `HOLD#${ref.holdId}`);
    case 'task':
      return at(`CASE#${ref.caseId}`, `TASK#${ref.taskId}`);
    case 'openTask':
      return at(`CASE#${ref.caseId}`, `OPEN_TASK#${ref.type}#${ref.origin}`);
    case 'openTasks': // what its keys begin with: it is read by a query, and never written
      return at(`CASE#${ref.caseId}`, childPrefix.openTask);
    case 'investigatorGuard':
      return at(`CASE#${ref.caseId}`, 'INVESTIGATOR_GUARD');
    case 'investigator':
      return at(`CASE#${ref.caseId}`, `INVESTIGATOR#${ref.officerId}`);
    case 'enforcementGuard':
      return at(`CASE#${ref.caseId}`, 'ACTIVE_ENFORCEMENT_GUARD');
    case 'exclusion':
      return at(`CASE#${ref.caseId}`, `EXCLUDED#${ref.officerId}`);
    case 'officer':
      return at(`OFFICER#${ref.officerId}`, 'META');
    case 'load':
      return at(`OFFICER#${ref.officerId}`, `LOAD#${ref.caseId}`);
    case 'unique':
      return at(
        `UNIQUE#${ref.unique}#${ref.scope}#${normalisationVersion}#${normalised(ref.unique, ref.value)}`,
        'UNIQUE',
      );
    case 'openCases':
      return at(`COUNTER#OPEN_CASES#REGION#${ref.region}`, `SHARD#${String(ref.shard).padStart(2, '0')}`);
    case 'effect':
      return at(`SIDE_EFFECT#${ref.provider}#${ref.effectId}`, 'RESULT');
    case 'message':
      return at(`OUTBOX#${ref.day}#${ref.shard}`, `EVENT#${ref.about}#${inOrder(ref.seq)}#${ref.n}`);
    case 'cursor':
      return at(`OUTBOX_CURSOR#${ref.aggregateId}`, 'CURSOR');
    case 'lease':
      return at(`WORK#${ref.aggregateId}`, 'PROCESSING_LOCK');
    case 'finding':
      return at(`FINDING#${ref.findingId}`, 'META');
    case 'openCaseRow':
      return at(`PROJECTION#OPEN_CASES#${ref.caseId}`, 'ROW');
    case 'openCaseSum':
      return at(`PROJECTION#OPEN_CASES_BY_REGION#${ref.region}`, 'ROW');
    case 'execution':
      return at(`EXECUTION#${ref.name}`, 'RUN');
  }
}
