import type { CaseStatus } from '../../domain/case/case.ts';
import type { CaseId, TenantId } from '../../domain/ids.ts';
import type { PublishedEvent } from '../../domain/ports.ts';
import { applyOpenCase } from '../../store/openCases.ts';
import type { Store } from '../../store/store.ts';

/** Open cases by region, told by events: each says where its case stands, so the newest of a case is all that counts. */
export async function openCases(store: Store, { tenant, aggregateType, payload, seq, aggregateId }: PublishedEvent) {
  const { status, region } = payload as { status?: CaseStatus; region?: string };
  if (aggregateType !== 'Case' || !status || !region) return;
  const stands = { region, open: status !== 'CLOSED', sourceVersion: seq };
  await applyOpenCase(store, tenant as TenantId, aggregateId as CaseId, stands);
}
