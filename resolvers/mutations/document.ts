import { Busy } from '../../domain/answer.ts';
import type { ConfirmDocument } from '../../domain/document/confirmDocument.ts';
import type { DeleteDraftDocument } from '../../domain/document/deleteDraftDocument.ts';
import type { IssueDocumentDownload } from '../../domain/document/issueDocumentDownload.ts';
import type { QuarantineDocument, ReleaseDocument } from '../../domain/document/quarantine.ts';
import type { RequestDocumentUpload } from '../../domain/document/requestDocumentUpload.ts';
import type { DocumentId } from '../../domain/ids.ts';
import type { StoredContent } from '../../domain/ports.ts';
import { ref } from '../../domain/refs.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { contentOf, downloadOf, transferOf } from '../documentLinks.ts';
import { caseIdOf, childIdOf, childOf } from '../nodeId.ts';
import { afterwards, documentPayload } from '../payload.ts';

type Named =
  | 'requestDocumentUpload'
  | 'confirmDocument'
  | 'quarantineDocument'
  | 'releaseDocument'
  | 'issueDocumentDownload'
  | 'deleteDraftDocument';

/** Which document; its id says which case it belongs to. */
const named = ({ documentId }: { documentId: string }) => {
  const { caseId, id } = childIdOf('Document', documentId);
  return { caseId, documentId: id };
};
const on = ({ documentId, expectedVersion }: { documentId: string; expectedVersion: number }) => ({
  ...named({ documentId }),
  expectedVersion,
});

export const documentMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  requestDocumentUpload: async (_root, { input }, ctx) => {
    const { name, mediaType, size, sha256, category, classification, previousDocumentId } = input;
    const caseId = caseIdOf(input.caseId);
    const command = {
      type: 'requestDocumentUpload',
      ...{ caseId, name, mediaType, size, sha256, category, classification },
      ...(typeof previousDocumentId === 'string' && {
        previousDocumentId: childOf('Document', caseId, previousDocumentId),
      }),
    } satisfies RequestDocumentUpload;
    const made = ({ created }: { created: Record<string, string> }) => created['document'] as DocumentId;
    const payload = await documentPayload(ctx, input, command, made);
    return { ...payload, transfer: await afterwards(ctx, () => transferOf(ctx, payload.document)) };
  },

  confirmDocument: async (_root, { input }, ctx) => {
    const which = on(input);
    const measured = await measuredIn(ctx, which);
    const command = { type: 'confirmDocument', ...which, ...(measured && { measured }) } satisfies ConfirmDocument;
    return documentPayload(ctx, input, command);
  },

  quarantineDocument: (_root, { input }, ctx) =>
    documentPayload(ctx, input, {
      type: 'quarantineDocument',
      ...on(input),
      reason: input.reason,
    } satisfies QuarantineDocument),

  releaseDocument: (_root, { input }, ctx) =>
    documentPayload(ctx, input, {
      type: 'releaseDocument',
      ...on(input),
      reason: input.reason,
    } satisfies ReleaseDocument),

  issueDocumentDownload: async (_root, { input }, ctx) => {
    const command = { type: 'issueDocumentDownload', ...named(input) } satisfies IssueDocumentDownload;
    const payload = await documentPayload(ctx, input, command);
    if (payload.errors.length > 0) return { ...payload, download: null };
    return { ...payload, download: await afterwards(ctx, () => downloadOf(ctx, payload.document)) };
  },

  deleteDraftDocument: (_root, { input }, ctx) =>
    documentPayload(ctx, input, { type: 'deleteDraftDocument', ...on(input) } satisfies DeleteDraftDocument),
};

/** What the store says lies there; asked only about what is awaited, and what the viewer may know of. */
async function measuredIn(ctx: Context, which: ReturnType<typeof named>): Promise<StoredContent | undefined> {
  const document = await ctx.loaders.document(ref.document(which.caseId, which.documentId));
  if (document?.status !== 'PENDING') return undefined;
  return ctx.documents.checksum(contentOf(ctx, document)).catch(() => {
    throw new Busy('what was uploaded cannot be measured', 'UNAVAILABLE');
  });
}
