import type {
  ActionId,
  CaseId,
  ContraventionId,
  DocumentId,
  HoldId,
  NoteId,
  NoticeId,
  OfficerId,
  PartyId,
  ReviewId,
  TaskId,
} from '../domain/ids.ts';

/** How many ids stand behind a node id: a child's id contains its case's, so that it can be read at once. */
const shapes = {
  Case: 1,
  Officer: 1,
  Party: 2,
  Contravention: 2,
  Review: 2,
  EnforcementAction: 2,
  Notice: 2,
  Task: 2,
  Document: 2,
  Hold: 2,
  Note: 2,
} as const;
export type NodeType = keyof typeof shapes;

type ChildIds = {
  Party: PartyId;
  Contravention: ContraventionId;
  Review: ReviewId;
  EnforcementAction: ActionId;
  Notice: NoticeId;
  Task: TaskId;
  Document: DocumentId;
  Hold: HoldId;
  Note: NoteId;
};
export type ChildType = keyof ChildIds;

export type DecodedId = { type: NodeType; ids: string[] };

const part = /^[A-Za-z0-9_.@-]{1,128}$/;

/** No item has this id. An id that is not one of ours becomes it, and is then answered like anything that is absent. */
const nobody = '~';

export const nodeId = (type: NodeType, ...ids: string[]): string => opaque(type, ...ids);

/** One text for a type and its ids; nobody takes it apart but `partsOf`. */
export const opaque = (type: string, ...ids: string[]): string =>
  Buffer.from([type, ...ids].join(':'), 'utf8').toString('base64url');

/** Nothing for text that `nodeId` never wrote: every node has one id, in one spelling. */
export function decoded(id: string): DecodedId | undefined {
  if (id.length > 400) return undefined;
  const [type, ...ids] = Buffer.from(id, 'base64url').toString('utf8').split(':');
  if (!isNodeType(type) || ids.length !== shapes[type] || !ids.every((text) => part.test(text))) return undefined;
  return nodeId(type, ...ids) === id ? { type, ids } : undefined;
}

export const caseIdOf = (id: string): CaseId => idsOf('Case', id)[0] as CaseId;
export const officerIdOf = (id: string): OfficerId => idsOf('Officer', id)[0] as OfficerId;

/** Null where none is named; an empty text names somebody who is not there. */
export const officerIdOrNull = (id: string | null | undefined): OfficerId | null =>
  typeof id === 'string' ? officerIdOf(id) : null;

export function childIdOf<Type extends ChildType>(type: Type, id: string): { caseId: CaseId; id: ChildIds[Type] } {
  const [caseId, childId] = idsOf(type, id);
  return { caseId: caseId as CaseId, id: childId as ChildIds[Type] };
}

/** A child of this very case: an id that names another case is an id of nothing here. */
export function childOf<Type extends ChildType>(type: Type, caseId: CaseId, id: string): ChildIds[Type] {
  const found = childIdOf(type, id);
  return found.caseId === caseId ? found.id : (nobody as ChildIds[Type]);
}

const idsOf = (type: NodeType, id: string): string[] => partsOf(type, shapes[type], id);

/** The ids behind an opaque one of that type; nobody's where it is not one that `opaque` wrote. */
export function partsOf(type: string, count: number, id: string): string[] {
  const [named, ...ids] = id.length > 400 ? [] : Buffer.from(id, 'base64url').toString('utf8').split(':');
  const ours =
    named === type && ids.length === count && ids.every((text) => part.test(text)) && opaque(type, ...ids) === id;
  return ours ? ids : Array.from({ length: count }, () => nobody);
}

const isNodeType = (type: string | undefined): type is NodeType => type !== undefined && Object.hasOwn(shapes, type);
