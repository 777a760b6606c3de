import type { Case } from '../../domain/case/case.ts';
import type { CaseDocument, DocumentVersion } from '../../domain/document/document.ts';
import { availableActionsOnDocument, sees } from '../../domain/policy.ts';
import { ref } from '../../domain/refs.ts';
import type { DocumentCategory, DocumentResolvers, DocumentStatus } from '../../graphql/types.ts';
import { listChildren, listDocumentVersions } from '../../store/lists.ts';
import { atTheDoor } from '../access.ts';
import { connection, type PageArgs } from '../connections.ts';
import type { Context } from '../context.ts';
import { nodeId } from '../nodeId.ts';

const other = async ({ loaders }: Context, { caseId }: CaseDocument, id: CaseDocument['id'] | undefined) =>
  (id && (await loaders.document(ref.document(caseId, id)))) || null;
const officerIn = async ({ loaders }: Context, id: CaseDocument['requestedBy'] | undefined) =>
  (id && (await loaders.officer(id))) || null;

export const document: DocumentResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('Document', caseId, id),
  previous: (found, _args, ctx) => other(ctx, found, found.previousId),
  supersededBy: (found, _args, ctx) => other(ctx, found, found.supersededById),
  versions: (found, args, ctx) => versionsOf(ctx, found, args),
  quarantineReason: ({ quarantine }) => quarantine?.reason ?? null,
  requestedBy: ({ requestedBy }, _args, ctx) => officerIn(ctx, requestedBy),
  confirmedBy: ({ confirmedBy }, _args, ctx) => officerIn(ctx, confirmedBy),
  case: async ({ caseId }, _args, { loaders }) => (await loaders.case(caseId)) ?? null,
  availableActions: async (found, _args, ctx, { schema }) => {
    const current = await ctx.loaders.case(found.caseId);
    if (!current) return [];
    const access = await ctx.loaders.access(current);
    return atTheDoor(schema, ctx.actor, availableActionsOnDocument(access, current, found));
  },
};

export type DocumentFilter = {
  category?: DocumentCategory | null | undefined;
  status?: DocumentStatus | null | undefined;
};

/** What hangs below the case, but for what is more secret than the case and not for the viewer. */
export const documentsOf = (ctx: Context, current: Case, { category, status, ...args }: PageArgs & DocumentFilter) =>
  connection(ctx, args, {
    scope: { connection: 'case.document', of: { case: current.id, category, status }, sort: 'id' },
    list: (limit, after) => listChildren<CaseDocument>(ctx.reads, ctx.tenant, current.id, 'document', limit, after),
    shown: async (found) => {
      const access = await ctx.loaders.access(current);
      const belongs = (one: CaseDocument) =>
        sees(access, one) && (!category || one.category === category) && (!status || one.status === status);
      return found.map((one) => (belongs(one) ? one : undefined));
    },
  });

const versionsOf = (ctx: Context, { caseId, chainId }: CaseDocument, args: PageArgs) =>
  connection(ctx, args, {
    scope: { connection: 'document.version', of: { case: caseId, chain: chainId }, sort: 'versionNumber' },
    list: (limit, after) => listDocumentVersions(ctx.reads, ctx.tenant, caseId, chainId, limit, after),
    shown: (found: DocumentVersion[]) =>
      Promise.all(found.map(({ documentId }) => ctx.loaders.document(ref.document(caseId, documentId)))),
  });
