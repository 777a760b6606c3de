import type { Case } from '../case/case.ts';
import { defineCaseCommand, staleSince, type CaseFor, type OnAnyVersion } from '../case/caseCommand.ts';
import { amend, difference, type Change } from '../change.ts';
import type { AnyDefinition, Given } from '../command.ts';
import type { DocumentId, OfficerId } from '../ids.ts';
import { allowedOnDocument, relationsOf, sees, type DocumentCommandName } from '../policy.ts';
import { refused, type Refused } from '../refusal.ts';
import { ref, type Found, type Reads } from '../refs.ts';
import type { Transition } from '../transition.ts';
import type { CaseDocument } from './document.ts';

/** A command on one document; `expectedVersion` is the document's, where the command takes one. */
export type OnDocument<Name extends DocumentCommandName> = OnAnyVersion<Name> & {
  documentId: DocumentId;
  expectedVersion?: number;
};

type DocumentCommand<C extends OnDocument<DocumentCommandName>, S extends Reads> = {
  type: C['type'];
  invariant: readonly string[];
  /** Decided on whatever version: what it needs stands in the status. */
  anyVersion?: true;
  /** Keys that stand only in the document. */
  then?: (document: CaseDocument) => S;
  decide: (
    current: CaseFor<C['type']>,
    document: CaseDocument,
    found: Partial<Found<S>>,
    command: C,
    given: Given,
  ) => Transition | Refused;
};

/** The checks on the case, with the document's visibility and version in place of the case's version, then its status. */
export function defineDocumentCommand<
  C extends OnDocument<DocumentCommandName>,
  S extends Reads = Record<never, never>,
>(definition: DocumentCommand<C, S>): AnyDefinition {
  const { type, invariant, anyVersion } = definition;
  return defineCaseCommand<C, Reads, Reads>({
    type,
    invariant,
    reads: ({ caseId, documentId }) => ({ document: ref.document(caseId, documentId) }),
    then: (found) => {
      const document = documentIn(found);
      return document ? (definition.then?.(document) ?? {}) : {};
    },
    stale: (current, found, { expectedVersion }, given) => {
      const document = documentIn(found);
      if (!document || !seesDocument(current, found, document, given)) return refused('NOT_FOUND', 'no such document');
      return anyVersion ? undefined : staleSince('the document', document, expectedVersion);
    },
    decide: (current, found, command, given) => {
      const document = documentIn(found)!;
      return (
        allowedOnDocument(type, document, current) ??
        definition.decide(current, document, found as unknown as Partial<Found<S>>, command, given)
      );
    },
  });
}

const documentIn = (found: object) => (found as { document?: CaseDocument }).document;

/** A document may be more secret than its case: then it is seen by those who would see such a case. */
export function seesDocument(current: Case, found: object, document: CaseDocument, { actor }: Given): boolean {
  const { investigatorGuard } = found as { investigatorGuard?: { officerIds?: Set<OfficerId> } };
  const relations = relationsOf(actor.id, current, investigatorGuard?.officerIds ?? new Set(), false);
  return sees({ actor, relations }, document);
}

/** The document becomes `after`, on the version that was read; callers with an older one learn what moved. */
export function amendDocument(before: CaseDocument, after: CaseDocument): Change {
  const { set = {}, remove = [] } = difference(before, after);
  const moved = [...Object.keys(set), ...remove].map((field) => [field, before.version + 1] as const);
  const touched = { ...before.touched, ...Object.fromEntries(moved) };
  return amend(ref.document(before.caseId, before.id), before, { ...after, touched });
}
