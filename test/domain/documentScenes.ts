import type { Actor } from '../../domain/command.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { ana, c1, cai, d1, document, draftDocument, now, open, sue } from './builders.ts';
import type { Items, Scene } from './ask.ts';
import { standing } from './scenes.ts';

export const d2 = 'd2' as DocumentId;

/** The next version of the first document is awaited. */
export const awaited: Items = standing(
  open({ pendingDocuments: 1 }),
  [ref.document(c1, d1), document()],
  [ref.document(c1, d2), draftDocument({ id: d2, previousId: d1, versionNumber: 2 })],
);
export const quarantined = document({
  status: 'QUARANTINED',
  quarantine: { reason: 'macros', by: cai.id, at: now, was: 'AVAILABLE' },
  version: 3,
});
const there: Items = standing(open(), [ref.document(c1, d1), document()]);

const scene = (actor: Actor, type: string, items: Items, rest: object): Scene => ({
  actor,
  command: { type, caseId: c1, ...rest },
  items,
});

/** What the store says of exactly what was announced. */
export const measured = { sha256: 'd'.repeat(64), size: 1_000, mediaType: 'application/pdf' };

/** One scene in which each command on a document is done. */
export const documentScenes = {
  confirmDocument: scene(ana, 'confirmDocument', awaited, { documentId: d2, expectedVersion: 1, measured }),
  quarantineDocument: scene(ana, 'quarantineDocument', there, { documentId: d1, expectedVersion: 2, reason: 'macros' }),
  releaseDocument: scene(sue, 'releaseDocument', standing(open(), [ref.document(c1, d1), quarantined]), {
    ...{ documentId: d1, expectedVersion: 3, reason: 'looked at' },
  }),
  issueDocumentDownload: scene(ana, 'issueDocumentDownload', there, { documentId: d1 }),
  deleteDraftDocument: scene(
    ana,
    'deleteDraftDocument',
    standing(open({ pendingDocuments: 1 }), [ref.document(c1, d1), draftDocument()]),
    { documentId: d1, expectedVersion: 1 },
  ),
} satisfies Record<string, Scene>;
