import type { LedgerRow } from '../../../domain/effect.ts';
import type { CaseId, OfficerId } from '../../../domain/ids.ts';
import { ref } from '../../../domain/refs.ts';
import { readItems } from '../../../store/read.ts';
import type { EffectInput } from '../../../workflows/task.ts';
import { ana, demo, done, openCase, sue } from '../../store/world.ts';
import { waiting, type Stage } from '../stage.ts';

/** Ana opens a case, and Sue gives it to another officer: each of the two is owed one mail. */
export async function reassigned({ world }: Pick<Stage, 'world'>, to: string): Promise<CaseId> {
  const opened = await done(world, ana, openCase({ leadOfficerId: ana.id }));
  const caseId = opened.aggregateId as CaseId;
  await done(world, sue, {
    ...{ type: 'reassignLead', caseId, expectedVersion: 1, expectedLeadOfficerId: ana.id, leadOfficerId: to },
    reason: 'a holiday',
  });
  return caseId;
}

/** The mails that are asked for about a case and not begun: for the old lead, and for the new one. */
export async function askedFor(stage: Pick<Stage, 'store'>, caseId: CaseId): Promise<EffectInput[]> {
  const requests = (await waiting(stage, caseId)).filter(({ messageType }) => messageType === 'notification');
  return requests
    .sort((a, b) => a.n - b.n)
    .map(({ payload, correlationId, requestedBy }) => ({
      ...(payload as Pick<EffectInput, 'caseId' | 'effectId' | 'round'>),
      ...{ tenant: demo.id, correlationId, requestedBy: requestedBy as OfficerId },
    }));
}

export const rowOf = async ({ store }: Pick<Stage, 'store'>, { effectId }: EffectInput): Promise<LedgerRow> =>
  (await readItems(store, demo.id, [ref.effect('mailer', effectId)]))[0]!;
