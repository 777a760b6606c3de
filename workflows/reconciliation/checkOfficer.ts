import type { Case } from '../../domain/case/case.ts';
import type { CaseId, OfficerId } from '../../domain/ids.ts';
import type { Load, Officer } from '../../domain/officer/officer.ts';
import type { Sighting } from '../../domain/operations/finding.ts';
import { ref } from '../../domain/refs.ts';
import type { AuditEvent } from '../../store/audit.ts';
import { officerIndexes } from '../../store/indexes.ts';
import { childPrefix, keysOf } from '../../store/keys.ts';
import { listCases, type Position } from '../../store/lists.ts';
import { readItems } from '../../store/read.ts';
import { ofKind, partitionAt, type Partition } from './below.ts';
import { chain, misplaced } from './caseFaults.ts';
import { nothing, seer, unproven, type Checked, type Look } from './checked.ts';
import { unkept } from './sentinels.ts';
import { untold } from './told.ts';

/** An officer: the chain, the address, and the load against its rows and the cases that count. */
export async function checkOfficer(look: Look, officerId: OfficerId): Promise<Checked> {
  const { store, tenant } = look;
  const own = keysOf(tenant).of(ref.officer(officerId));
  const moves = ({ auditSeq, loadSeq }: Officer) => `${auditSeq}/${loadSeq}`;
  const led = await candidates(look, officerId);
  const found = await partitionAt<Officer>(store, own, moves);
  if (found === 'absent') return nothing;
  if (found === 'restless') return unproven;
  const { item, aggregate: officer, below } = found;
  const { id, auditSeq, loadSeq } = officer;
  const see = seer({ aggregateType: 'Officer', aggregateId: id }, { auditSeq, loadSeq });
  const events = ofKind<AuditEvent>(below, childPrefix.event);
  const told = await untold(look, id, events, see);
  const email = {
    unique: 'OFFICER_EMAIL',
    ownerId: id,
    about: ref.unique('OFFICER_EMAIL', '', officer.email),
  } as const;
  return {
    seen: [
      ...chain(see, events, officer),
      ...told.seen,
      ...(await unkept(look, [email], see)),
      ...(misplaced(item, officerIndexes(tenant, officer))
        ? [see('OFFICER_INDEX', id, { status: officer.state })]
        : []),
      ...(await loads(look, found, led, see)),
    ],
    unproven: told.unproven,
  };
}

async function loads(
  { store, tenant }: Look,
  { aggregate: { id, activeLoad }, below }: Partition<Officer>,
  led: CaseId[],
  see: ReturnType<typeof seer>,
): Promise<Sighting[]> {
  const rows = new Set(ofKind<Load>(below, childPrefix.load).map(({ caseId }) => caseId));
  const asked = [...new Set([...rows, ...led])];
  const cases = await readItems<Case>(
    store,
    tenant,
    asked.map((caseId) => ref.case(caseId)),
  );
  const count = new Set(asked.filter((_, i) => cases[i]?.leadOfficerId === id && cases[i].status !== 'CLOSED'));
  return [
    ...[...count].filter((caseId) => !rows.has(caseId)).map((caseId) => see('LOAD_ABSENT', caseId, { caseId })),
    ...[...rows].filter((caseId) => !count.has(caseId)).map((caseId) => see('LOAD_ORPHAN', caseId, { caseId })),
    ...(activeLoad === count.size ? [] : [see('OFFICER_LOAD', id, { expected: count.size, found: activeLoad })]),
  ];
}

/** The index finds the cases that an officer leads; each is read before it counts. */
async function candidates({ store, tenant }: Look, officerId: OfficerId): Promise<CaseId[]> {
  const ids: CaseId[] = [];
  let after: Position | undefined;
  do {
    const by = { by: 'lead', value: officerId, forward: true } as const;
    const page = await listCases(store, tenant, by, 100, after);
    ids.push(...page.items.map(({ item }) => item));
    after = page.last;
  } while (after);
  return ids;
}
