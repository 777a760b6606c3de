import { service } from '../../domain/command.ts';
import { movesOf } from '../../domain/officer/caseloadMoves.ts';
import type { CaseloadKind, PlannedItem } from '../../domain/officer/caseloadRun.ts';
import { refused, type Refused } from '../../domain/refusal.ts';
import { ref } from '../../domain/refs.ts';
import type { CaseloadPreviewModel } from '../../graphql/models.ts';
import type {
  CaseloadPreviewItemResolvers,
  CaseloadPreviewResolvers,
  CommandRunResolvers,
  CommandRunResultResolvers,
} from '../../graphql/types.ts';
import { allItems, digestOf, listItems } from '../../store/caseload.ts';
import { wouldBe } from '../../store/wouldBe.ts';
import { connection } from '../connections.ts';
import type { Context } from '../context.ts';
import { aggregateOf } from '../nodes.ts';

export const caseloadPreview: CaseloadPreviewResolvers<Context> = {
  leads: (preview) => countOf(preview, 'LEAD'),
  reviews: (preview) => countOf(preview, 'REVIEW'),
  memberships: (preview) => countOf(preview, 'MEMBERSHIP'),
  tasks: (preview) => countOf(preview, 'TASK'),
  digest: ({ officer, plan }) => digestOf(officer.id, plan),
  items: (preview, args, ctx) => {
    const { officer, plan } = preview;
    return connection(ctx, args, {
      scope: { connection: 'caseloadPreview', of: { digest: digestOf(officer.id, plan) }, sort: 'kind' },
      list: (limit, position) => {
        const from = position ? Number(position['at']) + 1 : 0;
        const items = plan.slice(from, from + limit).map((item, i) => ({ item, position: { at: String(from + i) } }));
        const last = from + limit < plan.length ? items.at(-1)?.position : undefined;
        return Promise.resolve({ items, ...(last && { last }) });
      },
      shown: (items) => Promise.all(items.map(async (item) => ({ ...item, no: await cannot(ctx, preview, item) }))),
    });
  },
};

const countOf = ({ plan }: CaseloadPreviewModel, kind: CaseloadKind) =>
  plan.filter((item) => item.kind === kind).length;

/** By the rules of the commands themselves; and a target has no room for more leads than it has room for. */
async function cannot(ctx: Context, { officer, plan }: CaseloadPreviewModel, item: PlannedItem) {
  const { reads, tenant, actor, correlationId, loaders } = ctx;
  const envelope = { tenant, actor: service, onBehalfOf: actor.id, idempotencyKey: 'preview', correlationId };
  const moves = movesOf(item, officer.id, 'preview');
  const answers = await Promise.all(moves.map((move) => wouldBe(reads, envelope, move)));
  // A place in the investigation becomes free in between.
  const no = answers.find((answer, i) => answer && !(i > 0 && passes.includes(answer.code)));
  if (no || item.kind !== 'LEAD') return no;
  const target = await loaders.officer(item.toOfficerId);
  const before = plan
    .slice(0, plan.indexOf(item))
    .filter(({ kind, toOfficerId }) => kind === 'LEAD' && toOfficerId === item.toOfficerId);
  return target && tooMany(target.activeLoad + before.length, target.maxLoad);
}

const passes = ['LIMIT_REACHED', 'ALREADY_MEMBER'];

const tooMany = (count: number, limit: number): Refused | undefined =>
  count < limit
    ? undefined
    : refused('LIMIT_REACHED', `the officer would lead ${count} cases of at most ${limit} before this one`, {
        limit,
        count,
      });

export const caseloadPreviewItem: CaseloadPreviewItemResolvers<Context> = {
  case: async ({ caseId }, _args, { loaders }) => (await loaders.case(caseId)) ?? null,
  task: async ({ caseId, taskId }, _args, { loaders }) =>
    (taskId && (await loaders.task(ref.task(caseId, taskId)))) || null,
  toOfficer: async ({ toOfficerId }, _args, { loaders }) => (await loaders.officer(toOfficerId)) ?? null,
  allowed: ({ no }) => no === undefined,
  refusal: ({ no }) => no?.code ?? null,
  reason: ({ no }) => no?.message ?? null,
};

export const commandRun: CommandRunResolvers<Context> = {
  command: ({ record }) => record.command,
  status: ({ record }) => record.status,
  appliedVersion: ({ record }) => record.result?.appliedVersion ?? null,
  aggregate: async ({ record }, _args, ctx) => (record.result ? aggregateOf(ctx, record.result) : null),
  refusal: ({ record }) => record.refusal?.code ?? null,
  total: async ({ commandId, record }, _args, { reads, tenant }) =>
    record.executionName ? (await allItems(reads, tenant, commandId)).length : 0,
  done: async ({ commandId, record }, _args, { reads, tenant }) =>
    record.executionName
      ? (await allItems(reads, tenant, commandId)).filter(({ status }) => status !== 'PENDING').length
      : 0,
  results: ({ commandId }, args, ctx) =>
    connection(ctx, args, {
      scope: { connection: 'commandRun', of: { commandId }, sort: 'place' },
      list: (limit, position) => listItems(ctx.reads, ctx.tenant, commandId, limit, position),
      shown: (items) => Promise.resolve(items),
    }),
};

export const commandRunResult: CommandRunResultResolvers<Context> = {
  case: async ({ caseId }, _args, { loaders }) => (await loaders.case(caseId)) ?? null,
  task: async ({ caseId, taskId }, _args, { loaders }) =>
    (taskId && (await loaders.task(ref.task(caseId, taskId)))) || null,
  toOfficer: async ({ toOfficerId }, _args, { loaders }) => (await loaders.officer(toOfficerId)) ?? null,
  refusal: ({ refusal }) => refusal?.code ?? null,
};
