import type { Listed, Placed, Position } from '../store/lists.ts';
import type { Context } from './context.ts';
import type { CursorScope } from './cursor.ts';
import { pageSize } from './limits.ts';

export type PageArgs = { first: number; after?: string | null };
/** An empty text is a cursor like any other that is not valid, and never the first page. */
export const isGiven = (after: string | null | undefined): after is string => after !== null && after !== undefined;

export type Edge<Row> = { cursor: string; node: Row };
export type Connection<Row> = {
  edges: Edge<Row>[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
};

/** Where the rows come from: `list` finds, `shown` answers each as the viewer may see it, or nothing. */
export type Source<Found, Row> = {
  scope: CursorScope;
  list: (limit: number, after: Position | undefined) => Promise<Listed<Placed<Found>>>;
  shown: (found: Found[]) => Promise<(Row | undefined)[]>;
};

/** How often a page that loses rows to a filter reads on before it says: not full, but there is more. */
const readBudget = 4;

/**
 * One page. One row more than asked for is read, so that `hasNextPage` comes from data and not from a key to go on from;
 * only where a filter hides much does the page end early, and can then be gone on with from its end.
 */
export async function connection<Found, Row>(
  ctx: Context,
  { first, after }: PageArgs,
  { scope, list, shown }: Source<Found, Row>,
): Promise<Connection<Row>> {
  const size = pageSize(first);
  const edges: (Edge<Row> & { position: Position })[] = [];
  const seal = (position: Position) => ctx.cursors.seal(scope, position);
  let position = isGiven(after) ? ctx.cursors.open(scope, after) : undefined;

  const page = (hasNextPage: boolean, end: Position | undefined): Connection<Row> => ({
    edges: edges.map(({ cursor, node }) => ({ cursor, node })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage: isGiven(after),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: end ? seal(end) : null,
    },
  });

  for (let reads = 0; reads < readBudget; reads++) {
    const listed = await list(size + 1 - edges.length, position);
    const rows = await shown(listed.items.map(({ item }) => item));
    for (const [i, node] of rows.entries()) {
      if (node === undefined) continue;
      if (edges.length === size) return page(true, edges.at(-1)!.position);
      const place = listed.items[i]!.position;
      edges.push({ cursor: seal(place), node, position: place });
    }
    if (!listed.last) return page(false, edges.at(-1)?.position);
    position = listed.last;
  }
  return page(true, position);
}
