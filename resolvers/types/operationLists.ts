import type { LedgerRow } from '../../domain/effect.ts';
import type { CommandId } from '../../domain/ids.ts';
import type { Aggregate, Execution } from '../../domain/operations/execution.ts';
import type { Finding } from '../../domain/operations/finding.ts';
import type { LeaseRow } from '../../domain/operations/lease.ts';
import { ref } from '../../domain/refs.ts';
import type { LeaseModel, OutboxMessageModel } from '../../graphql/models.ts';
import type { ExecutionFilter, OperationsResolvers } from '../../graphql/types.ts';
import { effectNameOf, leaseNameOf, messageNameOf, type PendingKind } from '../../store/keys.ts';
import { listExecutions, listFindings, listPending, type ExecutionsBy } from '../../store/operationLists.ts';
import type { Key } from '../../store/table-port.ts';
import { commandRecords } from '../commandRecords.ts';
import { connection, type PageArgs } from '../connections.ts';
import type { Context } from '../context.ts';
import { atMostIds, badUserInput } from '../limits.ts';
import { effectNamed, executionNamed, findingNamed, messageNamed } from '../operationId.ts';

export const operations: OperationsResolvers<Context> = {
  executions: async (_of, { filter, first, after }, ctx) => {
    const by = await executionsBy(ctx, filter);
    return connection(
      ctx,
      { first, after },
      {
        scope: { connection: 'executions', of: filter, sort: 'startedAt' },
        list: (limit, position) => listExecutions(ctx.reads, ctx.tenant, by, limit, position),
        shown: async (names) => {
          const found = await Promise.all(names.map((name) => ctx.loaders.operated(ref.execution(name))));
          return found.map((run) => (run && matches(run, by, filter) ? run : undefined));
        },
      },
    );
  },
  execution: async (_of, { id }, ctx) =>
    (await ctx.loaders.operated(ref.execution(executionNamed(id).execution))) ?? null,

  effects: (_of, { status, ...args }, ctx) =>
    pending(ctx, 'EFFECT', { status }, args, async (key) => {
      const { provider, effectId } = effectNameOf(key);
      const row = await ctx.loaders.operated<LedgerRow>(ref.effect(provider, effectId));
      return row && (!status || row.status === status) ? row : undefined;
    }),
  effect: async (_of, { id }, ctx) => {
    const { provider, effectId } = effectNamed(id);
    return (await ctx.loaders.operated(ref.effect(provider, effectId))) ?? null;
  },

  outbox: (_of, { queue, ...args }, ctx) =>
    pending(ctx, queue === 'DEAD' ? 'DEAD' : 'OUTBOX', { queue }, args, (key) => messageOf(ctx, messageNameOf(key))),
  outboxMessage: async (_of, { id }, ctx) => (await messageOf(ctx, messageNamed(id).message)) ?? null,

  findings: async (_of, { filter, ...args }, ctx) => {
    const about = filter.caseNumber ? await caseNumbered(ctx, filter.caseNumber) : undefined;
    const by = about === undefined ? { status: filter.status } : { about };
    return connection(ctx, args, {
      scope: { connection: 'findings', of: filter, sort: 'firstSeenAt' },
      list: (limit, position) => listFindings(ctx.reads, ctx.tenant, by, limit, position),
      shown: async (ids) => {
        const found = await Promise.all(ids.map((id) => ctx.loaders.operated(ref.finding(id))));
        return found.map((one) =>
          one?.status === filter.status && (!filter.kind || one.kind === filter.kind) ? one : undefined,
        );
      },
    });
  },
  finding: async (_of, { id }, ctx) => (await findingOf(ctx, findingNamed(id))) ?? null,

  leases: (_of, args, ctx) => pending(ctx, 'LEASE', {}, args, (key) => leaseOf(ctx, leaseNameOf(key))),

  commands: (_of, { ids }, ctx) => commandRecords(ctx, atMostIds(ids) as readonly CommandId[]),
};

/** What waits, as it stands: the index finds, each is read again, and what waits no longer is left out. */
const pending = <Row>(
  ctx: Context,
  kind: PendingKind,
  of: Record<string, unknown>,
  args: PageArgs,
  load: (key: Key) => Promise<Row | undefined>,
) =>
  connection(ctx, args, {
    scope: { connection: kind, of, sort: 'since' },
    list: (limit, position) => listPending(ctx.reads, ctx.tenant, kind, limit, position),
    shown: (keys) => Promise.all(keys.map(load)),
  });

export async function messageOf(
  ctx: Context,
  name: OutboxMessageModel['name'],
): Promise<OutboxMessageModel | undefined> {
  const message = await ctx.loaders.operated(ref.message(name));
  return message && { ...message, name };
}

/** One that was seen once only does not count, and is shown to nobody. */
export async function findingOf(ctx: Context, named: Aggregate & { findingId: string }): Promise<Finding | undefined> {
  const found = await ctx.loaders.operated(ref.finding(named.findingId));
  const same = found?.aggregateType === named.aggregateType && found.aggregateId === named.aggregateId;
  return same && found.status !== 'SUSPECTED' ? found : undefined;
}

/** Named after its case, unless it says what it is about. */
export async function leaseOf(ctx: Context, name: string): Promise<LeaseModel | undefined> {
  const row = await ctx.loaders.operated<LeaseRow>(ref.lease(name));
  return row && { ...row, name, ...(row.about ?? { aggregateType: 'Case', aggregateId: name }) };
}

/** Which list finds them: the one that is likely to be the shortest. */
async function executionsBy(ctx: Context, filter: ExecutionFilter): Promise<ExecutionsBy> {
  const { caseNumber, status, machine, startedFrom, startedTo } = filter;
  if (startedFrom && startedTo && startedFrom > startedTo) throw badUserInput('startedFrom is later than startedTo');
  const bounds = { from: startedFrom ?? undefined, to: startedTo ?? undefined };
  if (caseNumber) {
    return { by: 'about', value: await caseNumbered(ctx, caseNumber), ...bounds };
  }
  if (status) return { by: 'status', value: status, ...bounds };
  if (machine && /^[a-z]{1,32}$/.test(machine)) return { by: 'machine', value: machine, ...bounds };
  throw badUserInput('filter needs at least one of caseNumber, status and machine');
}

/** The case's id; nobody's where there is none. */
async function caseNumbered(ctx: Context, number: string): Promise<string> {
  const sentinel = /^\d{4}-\d{6,12}$/.test(number)
    ? await ctx.loaders.operated(ref.unique('CASE_NUMBER', '', number))
    : undefined;
  return sentinel?.ownerId ?? '~';
}

const matches = (run: Execution, { by, value }: ExecutionsBy, { status, machine }: ExecutionFilter): boolean =>
  (by !== 'about' || run.aggregateId === value) &&
  (!status || run.status === status) &&
  (!machine || run.machine === machine);
