import type { Case } from '../../domain/case/case.ts';
import type { LocalDate } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { todayIn } from '../../domain/tenant.ts';
import { calendar, instantOf } from '../../store/calendar.ts';
import { listCasesDue } from '../../store/lists.ts';
import { readItems } from '../../store/read.ts';
import { connection, type PageArgs } from '../connections.ts';
import type { Context } from '../context.ts';

/** The index finds and may lag; each case itself says whether it is still closed and its time has passed. */
export async function casesDueForDisposal(ctx: Context, args: PageArgs) {
  const { reads, tenant } = ctx;
  const [settings] = await readItems(reads, tenant, [ref.tenant()]);
  const today = todayIn(settings ?? { zone: 'UTC' }, { calendar, at: instantOf(reads.now()) });
  return connection(ctx, args, {
    scope: { connection: 'casesDueForDisposal', of: {}, sort: 'disposeAfter' },
    list: (limit, position) => listCasesDue(reads, tenant, today, limit, position),
    shown: async (ids) => {
      const found = await Promise.all(ids.map((id) => ctx.loaders.case(id)));
      return found.map((current) => (current && isDue(current, today) ? current : undefined));
    },
  });
}

/** Kept through the last day of its time. */
const isDue = (current: Case, today: LocalDate): boolean =>
  current.status === 'CLOSED' &&
  current.retention.disposeAfter !== 'PERMANENT' &&
  current.retention.disposeAfter < today;
