import { availableActions } from '../../domain/policy.ts';
import { ref } from '../../domain/refs.ts';
import type { Case } from '../../domain/case/case.ts';
import { reviewDueAtOf } from '../../domain/case/deadlines.ts';
import type {
  CaseLinkResolvers,
  CaseResolvers,
  ClosureResolvers,
  ContraventionResolvers,
  DecisionResolvers,
  InvestigatorEdgeResolvers,
  NoteResolvers,
  PartyResolvers,
  RetentionResolvers,
  ReviewResolvers,
} from '../../graphql/types.ts';
import { atTheDoor } from '../access.ts';
import { documentsOf } from './document.ts';
import { children, linksOf, notesOf, openTasksOf, timelineOf } from '../caseConnections.ts';
import type { Context } from '../context.ts';
import { nodeId } from '../nodeId.ts';

export const caseType: CaseResolvers<Context> = {
  id: ({ id }) => nodeId('Case', id),
  openedBy: async ({ openedBy }, _args, { loaders }) => (await loaders.officer(openedBy)) ?? null,
  leadOfficer: async ({ leadOfficerId }, _args, { loaders }) =>
    (leadOfficerId && (await loaders.officer(leadOfficerId))) || null,
  currentReview: async (current, _args, { loaders }) =>
    (current.status === 'UNDER_REVIEW' && (await loaders.child(ref.review(current.id, current.review.id)))) || null,
  decision: (current) => {
    const decision = 'decision' in current ? current.decision : undefined;
    return decision ? { ...decision, caseId: current.id } : null;
  },
  activeAction: async (current, _args, { loaders }) =>
    ('activeActionId' in current && (await loaders.child(ref.action(current.id, current.activeActionId)))) || null,
  closure: (current) => (current.status === 'CLOSED' ? current : null),
  counts: (current) => current,
  reviewDueAt: (current) => reviewDueAtOf(current) ?? null,
  parties: (current, args, ctx) => children(ctx, current, 'party', args),
  contraventions: (current, args, ctx) => children(ctx, current, 'contravention', args),
  reviews: (current, args, ctx) => children(ctx, current, 'review', args),
  actions: (current, args, ctx) => children(ctx, current, 'action', args),
  notices: (current, args, ctx) => children(ctx, current, 'notice', args),
  tasks: (current, { open, ...args }, ctx) =>
    open ? openTasksOf(ctx, current, args) : children(ctx, current, 'task', args),
  notes: (current, args, ctx) => notesOf(ctx, current, args),
  documents: (current, args, ctx) => documentsOf(ctx, current, args),
  holds: (current, args, ctx) => children(ctx, current, 'hold', args),
  links: (current, args, ctx) => linksOf(ctx, current, args),
  investigators: async (current, args, ctx) => {
    const { edges, pageInfo } = await children(ctx, current, 'investigator', args);
    return { edges: edges.map(({ cursor, node }) => ({ ...node, cursor })), pageInfo };
  },
  timeline: (current, args, ctx) => timelineOf(ctx, current, args),
  availableActions: async (current, _args, ctx, { schema }) =>
    atTheDoor(schema, ctx.actor, availableActions(await ctx.loaders.access(current), current)),
};

export const investigatorEdge: InvestigatorEdgeResolvers<Context> = {
  node: async ({ officerId }, _args, { loaders }) => (await loaders.officer(officerId)) ?? null,
  addedBy: async ({ addedBy }, _args, { loaders }) => (await loaders.officer(addedBy)) ?? null,
};

export const decision: DecisionResolvers<Context> = {
  review: async ({ caseId, reviewId }, _args, { loaders }) =>
    (await loaders.child(ref.review(caseId, reviewId))) ?? null,
  decidedBy: async ({ decidedBy }, _args, { loaders }) => (await loaders.officer(decidedBy)) ?? null,
};

export const closure: ClosureResolvers<Context> = {
  closedBy: async ({ closedBy }, _args, { loaders }) => (await loaders.officer(closedBy)) ?? null,
  duplicateOf: async ({ duplicateOfCaseId }, _args, { loaders }) =>
    (duplicateOfCaseId && (await loaders.case(duplicateOfCaseId))) || null,
};

export const caseLink: CaseLinkResolvers<Context> = {
  case: async ({ otherCaseId }, _args, { loaders }) => (await loaders.case(otherCaseId)) ?? null,
  linkedBy: async ({ linkedBy }, _args, { loaders }) => (await loaders.officer(linkedBy)) ?? null,
};

export const retention: RetentionResolvers<Context> = {
  permanent: ({ disposeAfter }) => disposeAfter === 'PERMANENT',
  disposeAfter: ({ disposeAfter }) => (disposeAfter === 'PERMANENT' ? null : disposeAfter),
};

/** What belongs to a case leads back to it, by the same guard. */
const itsCase = async ({ caseId }: { caseId: Case['id'] }, _args: object, { loaders }: Context) =>
  (await loaders.case(caseId)) ?? null;

export const party: PartyResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('Party', caseId, id),
  case: itsCase,
};

export const contravention: ContraventionResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('Contravention', caseId, id),
  parties: ({ caseId, partyIds }, _args, { loaders }) =>
    Promise.all(partyIds.map(async (id) => (await loaders.child(ref.party(caseId, id))) ?? null)),
  case: itsCase,
};

export const review: ReviewResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('Review', caseId, id),
  submittedBy: async ({ submittedBy }, _args, { loaders }) => (await loaders.officer(submittedBy)) ?? null,
  reviewer: async ({ reviewerId }, _args, { loaders }) => (reviewerId && (await loaders.officer(reviewerId))) || null,
  case: itsCase,
};

export const note: NoteResolvers<Context> = {
  id: ({ caseId, id }) => nodeId('Note', caseId, id),
  writtenBy: async ({ writtenBy }, _args, { loaders }) => (await loaders.officer(writtenBy)) ?? null,
  case: itsCase,
};
