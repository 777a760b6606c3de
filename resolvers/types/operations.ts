import type { CaseId } from '../../domain/ids.ts';
import { isRecomputed, type FindingStatus } from '../../domain/operations/finding.ts';
import { ref } from '../../domain/refs.ts';
import type {
  EffectResolvers,
  ExecutionResolvers,
  ReconciliationFindingResolvers,
  LeaseResolvers,
  OutboxMessageResolvers,
  WorkSubjectResolvers,
} from '../../graphql/types.ts';
import { instantOf } from '../../store/calendar.ts';
import type { Context } from '../context.ts';
import { historyOf } from '../executionHistory.ts';
import { nodeId, opaque } from '../nodeId.ts';
import { effectIdIn, executionIdOf, findingIdIn, leaseIdOf, messageIdOf } from '../operationId.ts';

/** Operators see which case it is, and nothing of it but its number. */
export const workSubject: WorkSubjectResolvers<Context> = {
  type: ({ aggregateType }) => aggregateType,
  id: ({ aggregateType, aggregateId }) =>
    aggregateType === 'Finding'
      ? opaque('Finding', aggregateType, aggregateId, aggregateId)
      : nodeId(aggregateType, aggregateId),
  caseNumber: async ({ aggregateType, aggregateId }, _args, { loaders }) =>
    aggregateType === 'Case' ? ((await loaders.operated(ref.case(aggregateId as CaseId)))?.number ?? null) : null,
};

export const execution: ExecutionResolvers<Context> = {
  id: executionIdOf,
  about: (run) => run,
  effect: async (run, _args, { loaders }) =>
    (run.effect && (await loaders.operated(ref.effect(run.effect.provider, run.effect.effectId)))) ?? null,
  history: (run, args, ctx) => historyOf(ctx, run, args),
};

export const effect: EffectResolvers<Context> = {
  id: effectIdIn,
  about: ({ caseId }) => ({ aggregateType: 'Case', aggregateId: caseId }),
  actionId: ({ caseId, actionId }) => (actionId ? nodeId('EnforcementAction', caseId, actionId) : null),
  noticeId: ({ caseId, noticeId }) => (noticeId ? nodeId('Notice', caseId, noticeId) : null),
  providerReference: ({ providerRequestId }) => providerRequestId ?? null,
  // A party that refuses for good says why, and what it says is about the case.
  error: ({ status, error }) => (status === 'FAILED_FINAL' ? null : (error ?? null)),
  requestedById: ({ requestedBy }) => requestedBy,
  resolvedById: ({ resolvedBy }) => resolvedBy ?? null,
};

export const outboxMessage: OutboxMessageResolvers<Context> = {
  id: messageIdOf,
  type: ({ messageType }) => messageType,
  about: (message) => message,
  ordered: ({ after }) => after !== undefined,
  isNext: async ({ status, after, aggregateId }, _args, { loaders }) => {
    if (status === 'PUBLISHED' || status === 'SKIPPED') return false;
    return after === undefined || after === ((await loaders.operated(ref.cursor(aggregateId)))?.at ?? 0);
  },
  requestedById: ({ requestedBy }) => requestedBy,
};

export const finding: ReconciliationFindingResolvers<Context> = {
  id: findingIdIn,
  // One that was seen once is shown to nobody, so every one that is asked for has a status that is told.
  status: ({ status }) => status as Exclude<FindingStatus, 'SUSPECTED'>,
  about: (found) => found,
  values: ({ values }) => Object.entries(values).map(([name, value]) => ({ name, value: String(value) })),
  recomputable: isRecomputed,
  settledById: ({ settledBy }) => settledBy ?? null,
};

export const lease: LeaseResolvers<Context> = {
  id: leaseIdOf,
  about: (held) => held,
  heldAt: ({ heldAt }) => instantOf(heldAt),
  until: ({ leaseUntil }) => instantOf(leaseUntil),
};
