import type { EnforcementAction, Notice } from '../../domain/action/action.ts';
import type { Case } from '../../domain/case/case.ts';
import type { OpenCaseRow } from '../../domain/case/openCases.ts';
import type { EffectId } from '../../domain/ids.ts';
import type { Sighting } from '../../domain/operations/finding.ts';
import { ref } from '../../domain/refs.ts';
import type { UniqueKind } from '../../domain/sentinel.ts';
import type { AuditEvent } from '../../store/audit.ts';
import { childPrefix } from '../../store/keys.ts';
import { readItems } from '../../store/read.ts';
import { keyOfCase, ofKind, partitionAt } from './below.ts';
import { caseFaults } from './caseFaults.ts';
import { nothing, seer, unproven, type Checked, type Look } from './checked.ts';
import { unkept, type Shown } from './sentinels.ts';
import { untold } from './told.ts';

/** A case with everything that is its own, and with what others must know of it. */
export async function checkCase(look: Look, caseId: string): Promise<Checked> {
  const { store, tenant } = look;
  const found = await partitionAt<Case>(store, keyOfCase(tenant, caseId), ({ auditSeq }) => auditSeq);
  if (found === 'absent') return nothing;
  if (found === 'restless') return unproven;
  const { aggregate: current, below } = found;
  const see = seer({ aggregateType: 'Case', aggregateId: current.id }, { auditSeq: current.auditSeq });
  const actions = ofKind<EnforcementAction>(below, childPrefix.action);
  const notices = ofKind<Notice>(below, childPrefix.notice);
  const told = await untold(look, current.id, ofKind<AuditEvent>(below, childPrefix.event), see);
  const seen = [
    ...caseFaults(tenant, found),
    ...told.seen,
    ...(await unkept(look, shownBy(current, actions), see)),
    ...(await unplanned(look, actions, notices, see)),
    // While something waits to be told, a projection may well be behind.
    ...(told.behind || told.seen.length > 0 ? [] : await projected(look, current, see)),
  ];
  return { seen, unproven: told.unproven };
}

/** The unique values that the case and its actions show as their own. */
function shownBy(current: Case, actions: EnforcementAction[]): Shown[] {
  const shown = (unique: UniqueKind, scope: string, value: string, ownerId: string): Shown => ({
    ...{ unique, ownerId, about: ref.unique(unique, scope, value) },
  });
  const { externalReference: reference } = current;
  return [
    shown('CASE_NUMBER', '', current.number, current.id),
    ...(reference ? [shown('EXTERNAL_REF', reference.sourceSystem, reference.value, current.id)] : []),
    ...actions.flatMap(({ id, registryNumber }) =>
      registryNumber === undefined ? [] : [shown('REGISTRY_NUMBER', '', registryNumber, id)],
    ),
  ];
}

/** An act that a notice or an action relies on has a row, whatever it says: that, the row's own look tells. */
async function unplanned(
  { store, tenant }: Look,
  actions: EnforcementAction[],
  notices: Notice[],
  see: ReturnType<typeof seer>,
): Promise<Sighting[]> {
  const relied: [EffectId, 'mailer' | 'registry'][] = [
    ...notices.map(({ mailEffectId }) => [mailEffectId, 'mailer'] as [EffectId, 'mailer']),
    ...actions.flatMap(({ submissionEffectId }) =>
      submissionEffectId ? [[submissionEffectId, 'registry'] as [EffectId, 'registry']] : [],
    ),
  ];
  const rows = await readItems(
    store,
    tenant,
    relied.map(([effectId, provider]) => ref.effect(provider, effectId)),
  );
  return relied
    .filter((_, i) => !rows[i])
    .map(([effectId, provider]) => see('LEDGER_ABSENT', effectId, { provider, effectId }));
}

async function projected({ store, tenant }: Look, current: Case, see: ReturnType<typeof seer>): Promise<Sighting[]> {
  const [row] = await readItems<OpenCaseRow>(store, tenant, [ref.openCaseRow(current.id)]);
  const expected = current.status === 'CLOSED' ? 'CLOSED' : 'OPEN';
  const found = !row ? 'ABSENT' : row.open ? 'OPEN' : 'CLOSED';
  const { auditSeq, region } = current;
  if (row && found === expected && row.sourceVersion === auditSeq && row.region === region) return [];
  const values = { expected, found, expectedVersion: auditSeq, foundVersion: row?.sourceVersion ?? 0 };
  return [see('PROJECTION_ROW', 'OPEN_CASES', values)];
}
