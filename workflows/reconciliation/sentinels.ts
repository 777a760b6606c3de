import type { EnforcementAction } from '../../domain/action/action.ts';
import type { Case } from '../../domain/case/case.ts';
import type { ActionId, CaseId, OfficerId } from '../../domain/ids.ts';
import type { Aggregate } from '../../domain/operations/execution.ts';
import type { Officer } from '../../domain/officer/officer.ts';
import type { Sighting } from '../../domain/operations/finding.ts';
import { ref, type Ref } from '../../domain/refs.ts';
import { normalised, type Sentinel, type UniqueKind } from '../../domain/sentinel.ts';
import { entityOf, readItems } from '../../store/read.ts';
import type { Key } from '../../store/table-port.ts';
import { nothing, seer, unproven, type Checked, type Look } from './checked.ts';

/** A unique value that somebody shows as theirs. */
export type Shown = { unique: UniqueKind; ownerId: string; about: Ref<Sentinel> };

/** From who shows a value to who keeps it. Kept for somebody who does not show it, the sentinel's own look tells. */
export async function unkept(
  { store, tenant }: Look,
  shown: Shown[],
  see: ReturnType<typeof seer>,
): Promise<Sighting[]> {
  const kept = await readItems(
    store,
    tenant,
    shown.map(({ about }) => about),
  );
  const seen: Sighting[] = [];
  for (const [i, { unique, ownerId }] of shown.entries()) {
    const sentinel = kept[i];
    if (!sentinel) seen.push(see('SENTINEL_ABSENT', ownerId, { unique, owner: ownerId }));
    else if (sentinel.status === 'RELEASED')
      seen.push(see('SENTINEL_OWNER', ownerId, { unique, owner: ownerId, found: 'RELEASED' }));
    else if (sentinel.ownerId !== ownerId && (await shows({ store, tenant }, unique, sentinel)) === 'YES')
      seen.push(see('VALUE_HELD_TWICE', ownerId, { unique, owner: sentinel.ownerId, also: ownerId }));
  }
  return seen;
}

/** From who keeps a value to who shows it. */
export async function checkSentinel(look: Look, key: Key, unique: UniqueKind): Promise<Checked> {
  const [item] = await look.store.table.batchGet([key]);
  const sentinel = entityOf<Sentinel>(item);
  if (sentinel?.status !== 'CLAIMED') return nothing;
  const answer = await shows(look, unique, sentinel);
  if (answer === 'YES') return nothing;
  if (answer === 'CANNOT_TELL') return unproven;
  const see = seer(ownerOf(sentinel));
  return {
    seen: [see('SENTINEL_OWNER', sentinel.ownerId, { unique, owner: sentinel.ownerId, found: answer })],
    unproven: 0,
  };
}

function ownerOf({ ownerType, ownerId, caseId }: Sentinel): Aggregate | undefined {
  if (ownerType !== 'EnforcementAction') return { aggregateType: ownerType, aggregateId: ownerId };
  return caseId && { aggregateType: 'Case', aggregateId: caseId };
}

/** Whether the owner is there and shows the value. Of an action whose claim names no case, nobody can tell. */
async function shows(
  { store, tenant }: Look,
  unique: UniqueKind,
  sentinel: Sentinel,
): Promise<'YES' | 'OTHER' | 'ABSENT' | 'CANNOT_TELL'> {
  const { ownerType, ownerId, caseId, original } = sentinel;
  if (ownerType === 'EnforcementAction' && !caseId) return 'CANNOT_TELL';
  const about = {
    Case: ref.case(ownerId as CaseId),
    Officer: ref.officer(ownerId as OfficerId),
    EnforcementAction: ref.action(caseId ?? ('' as CaseId), ownerId as ActionId),
  }[ownerType] as Ref;
  const [owner] = await readItems(store, tenant, [about]);
  if (!owner) return 'ABSENT';
  const value = valueOf(unique, owner);
  return value !== undefined && normalised(unique, value) === normalised(unique, original) ? 'YES' : 'OTHER';
}

function valueOf(unique: UniqueKind, owner: unknown): string | undefined {
  switch (unique) {
    case 'CASE_NUMBER':
      return (owner as Case).number;
    case 'EXTERNAL_REF':
      return (owner as Case).externalReference?.value;
    case 'OFFICER_EMAIL':
      return (owner as Officer).email;
    case 'REGISTRY_NUMBER':
      return (owner as EnforcementAction).registryNumber;
  }
}
