import type { Instant } from '../domain/ids.ts';
import type { Execution } from '../domain/operations/execution.ts';
import { isGiven, type PageArgs } from './connections.ts';
import type { Context } from './context.ts';
import { pageSize } from './limits.ts';

/** A page of what Step Functions has of it; where the page ends is its word, sealed like every other position. */
export async function historyOf(ctx: Context, { machine, name }: Execution, { first, after }: PageArgs) {
  const scope = { connection: 'execution.history', of: { name }, sort: 'id' };
  const limit = pageSize(first);
  const from = isGiven(after) ? ctx.cursors.open(scope, after)['token'] : undefined;
  const page = await ctx.executions.history({ machine, name }, { limit, ...(from !== undefined && { after: from }) });
  if (!page) return null;
  return {
    events: page.events.map((event) => ({ ...event, at: event.at as Instant, state: event.state ?? null })),
    pageInfo: {
      hasNextPage: page.next !== undefined,
      hasPreviousPage: isGiven(after),
      startCursor: null,
      endCursor: page.next === undefined ? null : ctx.cursors.seal(scope, { token: page.next }),
    },
  };
}
