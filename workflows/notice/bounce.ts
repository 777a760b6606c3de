import { Busy, InvariantBreach } from '../../domain/answer.ts';
import type { LedgerRow } from '../../domain/effect.ts';
import type { TenantId } from '../../domain/ids.ts';
import { withLease } from '../../store/lease.ts';
import type { Store } from '../../store/store.ts';
import { command } from '../task.ts';

/** A later round than any that the effect's own executions use: the same bounce told twice is one command. */
const bounceRound = 1_000_000;

/**
 * The ledger row stays (the mail was accepted); the notice is undeliverable and must be served by other means. Throws
 * `Busy` while the mail is not settled.
 */
export async function noticeBounced(store: Store, tenant: TenantId, row: LedgerRow): Promise<void> {
  const { caseId, actionId, noticeId, effectId, correlationId, requestedBy } = row;
  if (!actionId || !noticeId) throw new InvariantBreach('a mail without its notice');
  const input = { tenant, caseId, effectId, round: bounceRound, correlationId, requestedBy };
  await withLease(store, tenant, caseId, `bounce/${effectId}`, async (lease) => {
    const failure = 'the mail came back';
    const said = await command(store, input, lease, {
      type: 'recordNoticeUndeliverable',
      caseId,
      actionId,
      noticeId,
      failure,
    });
    // The bounce came before the sending was settled, or the service recorded: told again, it finds them.
    if (said.refused === 'PRECONDITION_FAILED') throw new Busy('the mail is not settled yet', 'NOT_YET');
    if (said.refused !== 'NO') store.log({ alarm: 'bounce not recorded', effectId, tenant, refused: said.refused });
  });
}
