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

export const auditEvent: AuditEventResolvers<Context> = {
  actor: async ({ actor }, _args, { loaders }) => (await loaders.officer(actor as OfficerId)) ?? null,
  actorId: ({ actor }) => actor,
  onBehalfOf: async ({ onBehalfOf }, _args, { loaders }) =>
    (onBehalfOf && (await loaders.officer(onBehalfOf as OfficerId))) || null,
  details: ({ details }) =>
    details
      ? Object.entries(details).map(([name, value]) => ({
          name,
          value: typeof value === 'string' ? value : JSON.stringify(value),
        }))
      : null,
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
