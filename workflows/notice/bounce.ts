import { namedBy } from '../../domain/effect.ts';
import { Busy } from '../../domain/answer.ts';
import { ref } from '../../domain/refs.ts';
import { withLease } from '../../store/lease.ts';
import { readItems } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import { command } from '../task.ts';

/** A later round than any that the effect's own executions use: the same bounce told twice is one command. */
const bounceRound = 1_000_000;

/**
 * A mail came back after it had been accepted: the ledger row stays (it was accepted), the notice is undeliverable and
 * must be served by other means. Answers whether the mail was a notice of ours.
 */
export async function receiveBounce(store: Store, messageId: string): Promise<boolean> {
  const named = namedBy(messageId.replace(/^<|@[^@]*$/g, ''));
  if (!named) return false;
  const { tenant, effectId } = named;
  const [row] = await readItems(store, tenant, [ref.effect('mailer', effectId)]);
  if (row?.kind !== 'NOTICE_MAIL') return false;
  const { caseId, actionId, noticeId, correlationId, requestedBy } = row;
  const input = { tenant, caseId, actionId, effectId, round: bounceRound, correlationId, requestedBy };
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
  return true;
}
