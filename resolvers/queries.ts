import type { Case } from '../domain/case/case.ts';
import { permissions, permits, type Permission } from '../domain/policy.ts';
import type { Aggregate } from '../domain/operations/execution.ts';
import { ref } from '../domain/refs.ts';
import { line } from '../domain/text.ts';
import type { CaseFilter, QueryResolvers, ResolversInterfaceTypes, ResolversTypes } from '../graphql/types.ts';
import { commandIdOf } from '../store/identity.ts';
import { keysOf } from '../store/keys.ts';
import { casesOpened } from '../store/casesOpened.ts';
import { openCaseCounts } from '../store/openCaseCounts.ts';
import { listCases, listOfficers, type CasesBy } from '../store/lists.ts';
import { liveRecord } from '../store/record.ts';
import { connection } from './connections.ts';
import type { Context } from './context.ts';
import { atMostIds, atMostRegions, badUserInput, isRegion, keyable } from './limits.ts';
import { casesDueForDisposal } from './types/disposal.ts';
import { tasks } from './types/task.ts';
import { caseIdOf, decoded, officerIdOf, type DecodedId } from './nodeId.ts';

type Node = ResolversInterfaceTypes<ResolversTypes>['Node'];

export const Query: Required<Omit<QueryResolvers<Context>, '__resolveType'>> = {
  node: (_root, { id }, ctx) => node(ctx, id),
  nodes: (_root, { ids }, ctx) => Promise.all(atMostIds(ids).map((id) => node(ctx, id))),

  case: async (_root, { id }, ctx) => (await ctx.loaders.case(caseIdOf(id))) ?? null,

  caseByNumber: async (_root, { number }, ctx) =>
    /^\d{4}-\d{6,12}$/.test(number) ? ((await ctx.loaders.caseHolding('CASE_NUMBER', '', number)) ?? null) : null,

  caseByExternalReference: async (_root, { sourceSystem, value }, ctx) =>
    /^[A-Z0-9_]{1,32}$/.test(sourceSystem) && line(value) === undefined && !keyable(value)
      ? ((await ctx.loaders.caseHolding('EXTERNAL_REF', sourceSystem, value)) ?? null)
      : null,

  cases: (_root, { filter, orderBy, first, after }, ctx) => {
    const by = listOf(filter, orderBy === 'OLDEST_FIRST');
    return connection(
      ctx,
      { first, after },
      {
        scope: { connection: 'cases', of: filter, sort: orderBy },
        list: (limit, position) => listCases(ctx.reads, ctx.tenant, by, limit, position),
        // The index finds and may lag; the case itself says whether it still belongs here.
        shown: async (ids) => {
          const found = await Promise.all(ids.map((id) => ctx.loaders.case(id)));
          return found.map((current) => (current && matches(current, filter) ? current : undefined));
        },
      },
    );
  },

  openCaseCounts: async (_root, { regions }, { reads, tenant }) => {
    const counts = await openCaseCounts(reads, tenant, atMostRegions(regions));
    return counts.map((count, i) => ({ region: regions[i]!, count }));
  },

  casesOpened: async (_root, { regions, on }, { reads, tenant }) => {
    const counts = await casesOpened(reads, tenant, atMostRegions(regions), on);
    return counts.map((count, i) => ({ region: regions[i]!, on, count }));
  },

  officer: async (_root, { id }, ctx) => (await ctx.loaders.officer(officerIdOf(id))) ?? null,

  officers: (_root, { state, first, after }, ctx) =>
    connection(
      ctx,
      { first, after },
      {
        scope: { connection: 'officers', of: { state }, sort: 'id' },
        list: (limit, position) => listOfficers(ctx.reads, ctx.tenant, state, limit, position),
        shown: async (ids) => {
          const found = await Promise.all(ids.map((id) => ctx.loaders.officer(id)));
          return found.map((officer) => (officer?.state === state ? officer : undefined));
        },
      },
    ),

  tasks: (_root, { filter, ...args }, ctx) => tasks(ctx, filter, args),

  casesDueForDisposal: (_root, args, ctx) => casesDueForDisposal(ctx, args),

  viewer: (_root, _args, { actor, tenant }) => ({
    subject: actor.id,
    tenant,
    roles: [...actor.roles],
    permissions: (Object.keys(permissions) as Permission[]).filter((permission) => permits(permission, actor)),
  }),

  operations: () => ({}),

  /** The key names its record only together with its author, so nobody sees another's. */
  commandRun: async (_root, { idempotencyKey }, ctx) => {
    const { reads, tenant, actor } = ctx;
    const [item] = await reads.table.batchGet([keysOf(tenant).command(commandIdOf(tenant, actor.id, idempotencyKey))]);
    const record = liveRecord(item, reads.now());
    if (!record) return null;
    const { command, status, result } = record;
    return {
      command,
      status,
      appliedVersion: result?.appliedVersion ?? null,
      aggregate: result ? await aggregateOf(ctx, result) : null,
    };
  },
};

async function node(ctx: Context, id: string): Promise<Node | null> {
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

const aggregateOf = async (ctx: Context, { aggregateType, aggregateId }: Aggregate) =>
  aggregateType === 'Finding' ? null : ((await nodeOf(ctx, { type: aggregateType, ids: [aggregateId] })) ?? null);

/** Which list finds the cases: the one that is likely to be the shortest. */
function listOf({ leadOfficerId, status, region }: CaseFilter, forward: boolean): CasesBy {
  if (isGiven(region) && !isRegion(region)) throw badUserInput('filter.region is not a region');
  if (isGiven(leadOfficerId)) return { by: 'lead', value: officerIdOf(leadOfficerId), forward };
  if (status) return { by: 'status', value: status, forward };
  if (region) return { by: 'region', value: region, forward };
  throw badUserInput('filter needs at least one of leadOfficerId, status and region');
}

const matches = (current: Case, { leadOfficerId, ...plain }: CaseFilter): boolean =>
  (!isGiven(leadOfficerId) || current.leadOfficerId === officerIdOf(leadOfficerId)) &&
  (['status', 'region', 'caseType', 'classification', 'priority'] as const).every(
    (field) => !isGiven(plain[field]) || current[field] === plain[field],
  );

/** An empty text is a value like any other: it matches nothing, and never everything. */
const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;
