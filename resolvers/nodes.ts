import type { Aggregate } from '../domain/operations/execution.ts';
import { ref } from '../domain/refs.ts';
import type { ResolversInterfaceTypes, ResolversTypes } from '../graphql/types.ts';
import type { Context } from './context.ts';
import { decoded, type DecodedId } from './nodeId.ts';

type Node = ResolversInterfaceTypes<ResolversTypes>['Node'];

export async function node(ctx: Context, id: string): Promise<Node | null> {
  const named = decoded(id);
  return named ? ((await nodeOf(ctx, named)) ?? null) : null;
}

/** The same guarded loaders as on every other path. */
async function nodeOf({ loaders }: Context, { type, ids }: DecodedId): Promise<Node | undefined> {
  const [first, second] = ids as [never, never];
  const as = async <Type extends Node['__typename'], Item>(__typename: Type, item: Promise<Item | undefined>) => {
    const found = await item;
    return found && { ...found, __typename };
  };
  switch (type) {
    case 'Case':
      return as('Case', loaders.case(first));
    case 'Officer':
      return as('Officer', loaders.officer(first));
    case 'Party':
      return as('Party', loaders.child(ref.party(first, second)));
    case 'Contravention':
      return as('Contravention', loaders.child(ref.contravention(first, second)));
    case 'Review':
      return as('Review', loaders.child(ref.review(first, second)));
    case 'EnforcementAction':
      return as('EnforcementAction', loaders.child(ref.action(first, second)));
    case 'Notice':
      return as('Notice', loaders.child(ref.notice(first, second)));
    case 'Note':
      return as('Note', loaders.child(ref.note(first, second)));
    case 'Document':
      return as('Document', loaders.document(ref.document(first, second)));
    case 'Hold':
      return as('Hold', loaders.child(ref.hold(first, second)));
    case 'Task':
      return as('Task', loaders.task(ref.task(first, second)));
  }
}

export const aggregateOf = async (ctx: Context, { aggregateType, aggregateId }: Aggregate) =>
  aggregateType === 'Finding' ? null : ((await nodeOf(ctx, { type: aggregateType, ids: [aggregateId] })) ?? null);
