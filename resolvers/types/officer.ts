import type { CaseId, OfficerId } from '../../domain/ids.ts';
import type {
  AbsenceResolvers,
  AuditEventResolvers,
  AvailableActionResolvers,
  CaseCommand,
  OfficerResolvers,
  UniqueViolationResolvers,
  ViewerResolvers,
} from '../../graphql/types.ts';
import { timelineOf } from '../caseConnections.ts';
import type { Context } from '../context.ts';
import { nodeId } from '../nodeId.ts';

export const officer: OfficerResolvers<Context> = {
  id: ({ id }) => nodeId('Officer', id),
  absence: ({ absentFrom, absentTo, delegateId }) =>
    absentFrom && absentTo ? { from: absentFrom, to: absentTo, delegateId } : null,
  timeline: (found, args, ctx) => timelineOf(ctx, found, args),
};

export const absence: AbsenceResolvers<Context> = {
  delegate: async ({ delegateId }, _args, { loaders }) => (delegateId && (await loaders.officer(delegateId))) || null,
};

export const viewer: ViewerResolvers<Context> = {
  officer: async (_viewer, _args, { loaders, actor }) => (await loaders.officer(actor.id)) ?? null,
};

/** Each case that an event speaks of, wherever in its details: by the names of fields that hold a case's id. */
function casesNamedIn(details: object): CaseId[] {
  const found: CaseId[] = [];
  for (const [name, value] of Object.entries(details) as [string, unknown][]) {
    if (typeof value === 'string' && /^caseId$|CaseId$/.test(name)) found.push(value as CaseId);
    if (typeof value === 'object' && value !== null) found.push(...casesNamedIn(value));
  }
  return found;
}

export const auditEvent: AuditEventResolvers<Context> = {
  actor: async ({ actor }, _args, { loaders }) => (await loaders.officer(actor as OfficerId)) ?? null,
  actorId: ({ actor }) => actor,
  onBehalfOf: async ({ onBehalfOf }, _args, { loaders }) =>
    (onBehalfOf && (await loaders.officer(onBehalfOf as OfficerId))) || null,
  details: async ({ details }, _args, { loaders }) => {
    if (!details) return null;
    const named = await Promise.all(casesNamedIn(details).map((caseId) => loaders.case(caseId)));
    if (named.includes(undefined)) return null; // as if redacted: reason and nature tell of the other case, too
    return Object.entries(details).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    }));
  },
};

export const availableAction: AvailableActionResolvers<Context> = {
  command: ({ command }) => command as CaseCommand,
  allowed: ({ refusal }) => refusal === undefined,
  refusal: ({ refusal }) => refusal?.code ?? null,
  reason: ({ refusal }) => refusal?.message ?? null,
};

/** Who holds a taken value is told to those only who may see them. */
export const uniqueViolation: UniqueViolationResolvers<Context> = {
  holder: async ({ refusal: { details } }, _args, { loaders }) => {
    const { holder, field } = details;
    if (holder === undefined) return null;
    if (field === 'externalReference') return (await loaders.case(holder as CaseId)) ? nodeId('Case', holder) : null;
    return (await loaders.officer(holder as OfficerId)) ? nodeId('Officer', holder) : null;
  },
};
