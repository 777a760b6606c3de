import { uploadWithinMs, type CaseDocument } from '../domain/document/document.ts';
import type { Instant } from '../domain/ids.ts';
import { availableActionsOnDocument } from '../domain/policy.ts';
import type { Content } from '../domain/ports.ts';
import { instantOf } from '../store/calendar.ts';
import type { Context } from './context.ts';

/** Milliseconds in which a link to read a document is to be used. */
const downloadWithinMs = 5 * 60_000;

/** Under which name the bytes of a document lie. */
export const contentOf = ({ tenant }: Context, { caseId, id, sha256 }: CaseDocument): Content => ({
  tenant,
  caseId,
  ownerId: id,
  sha256,
});

/** How to send what is awaited; nothing once it is awaited no longer. */
export async function transferOf(ctx: Context, document: CaseDocument | null) {
  if (document?.status !== 'PENDING') return null;
  const { size, mediaType } = document;
  const expiresAt: Instant = instantOf(ctx.store.now() + uploadWithinMs);
  const transfer = await ctx.documents.upload(contentOf(ctx, document), { size, mediaType, expiresAt });
  return { ...transfer, expiresAt };
}

/** A link for whoever may be given the document now: a repeat of an old request is asked again. */
export async function downloadOf(ctx: Context, document: CaseDocument | null) {
  const current = document && (await ctx.loaders.case(document.caseId));
  if (!document || !current) return null;
  const actions = availableActionsOnDocument(await ctx.loaders.access(current), current, document);
  if (actions.some(({ command, refusal }) => command === 'issueDocumentDownload' && refusal)) return null;
  const { name: filename, mediaType } = document;
  const expiresAt: Instant = instantOf(ctx.store.now() + downloadWithinMs);
  return { url: await ctx.documents.link(contentOf(ctx, document), { filename, mediaType, expiresAt }), expiresAt };
}
