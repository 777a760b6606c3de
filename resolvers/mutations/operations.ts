import type { ExecutionStatus } from '../../domain/operations/execution.ts';
import type { MessageStatus } from '../../domain/message.ts';
import type { RetryOutboxMessage, SkipOutboxMessage } from '../../domain/operations/outboxMessage.ts';
import type { ReleaseLease } from '../../domain/operations/releaseLease.ts';
import type { RepairFinding } from '../../domain/operations/repairFinding.ts';
import type { ResolveEffect } from '../../domain/operations/resolveEffect.ts';
import type { RedriveExecution, StopExecution } from '../../domain/operations/steerExecution.ts';
import { ref } from '../../domain/refs.ts';
import type { MutationResolvers } from '../../graphql/types.ts';
import type { Context } from '../context.ts';
import { effectNamed, executionNamed, findingNamed, leaseNamed, messageNamed } from '../operationId.ts';
import { afterwards, outcomeOf, present, run } from '../payload.ts';
import { findingOf, leaseOf, messageOf } from '../types/operationLists.ts';

type Named =
  | 'resolveEffect'
  | 'retryOutboxMessage'
  | 'skipOutboxMessage'
  | 'redriveExecution'
  | 'stopExecution'
  | 'releaseLease'
  | 'repairFinding';

export const operatorMutations: Required<Pick<MutationResolvers<Context>, Named>> = {
  resolveEffect: async (_root, { input }, ctx) => {
    const { effectId, expectedStatus, resolution, reason } = input;
    const named = effectNamed(effectId);
    const asked = { expectedStatus, resolution, evidence: present(input.evidence), reason };
    const outcome = await act(ctx, input, { type: 'resolveEffect', ...named, ...asked } satisfies ResolveEffect);
    return {
      effect: await afterwards(ctx, () => ctx.loaders.operated(ref.effect(named.provider, named.effectId))),
      ...outcome,
    };
  },

  retryOutboxMessage: (_root, { input }, ctx) => onMessage(ctx, 'retryOutboxMessage', input),
  skipOutboxMessage: (_root, { input }, ctx) => onMessage(ctx, 'skipOutboxMessage', input),
  redriveExecution: (_root, { input }, ctx) => onExecution(ctx, 'redriveExecution', input),
  stopExecution: (_root, { input }, ctx) => onExecution(ctx, 'stopExecution', input),

  releaseLease: async (_root, { input }, ctx) => {
    const { leaseId, expectedStatus, fence, reason } = input;
    const named = leaseNamed(leaseId);
    const command = { type: 'releaseLease', ...named, expectedStatus, fence, reason } satisfies ReleaseLease;
    const outcome = await act(ctx, input, command);
    return { lease: await afterwards(ctx, () => leaseOf(ctx, named.work ?? named.aggregateId)), ...outcome };
  },

  repairFinding: async (_root, { input }, ctx) => {
    const { findingId, expectedStatus, how, reason } = input;
    const named = findingNamed(findingId);
    const command = { type: 'repairFinding', ...named, expectedStatus, how, reason } satisfies RepairFinding;
    const outcome = await act(ctx, input, command);
    return { finding: await afterwards(ctx, () => findingOf(ctx, named)), ...outcome };
  },
};

/** Two commands that differ in their name only. */
type On<C extends { type: string }> = Omit<C, 'type'> & Pick<C, 'type'>;
type Input<Status> = { idempotencyKey: string; expectedStatus: Status; reason: string };

async function onMessage(
  ctx: Context,
  type: 'retryOutboxMessage' | 'skipOutboxMessage',
  input: Input<MessageStatus> & { messageId: string },
) {
  const { messageId, expectedStatus, reason } = input;
  const named = messageNamed(messageId);
  const command = { type, ...named, expectedStatus, reason } satisfies On<RetryOutboxMessage | SkipOutboxMessage>;
  const outcome = await act(ctx, input, command);
  return { message: await afterwards(ctx, () => messageOf(ctx, named.message)), ...outcome };
}

async function onExecution(
  ctx: Context,
  type: 'redriveExecution' | 'stopExecution',
  input: Input<ExecutionStatus> & { executionId: string },
) {
  const { executionId, expectedStatus, reason } = input;
  const named = executionNamed(executionId);
  const command = { type, ...named, expectedStatus, reason } satisfies On<RedriveExecution | StopExecution>;
  const outcome = await act(ctx, input, command);
  return { execution: await afterwards(ctx, () => ctx.loaders.operated(ref.execution(named.execution))), ...outcome };
}

/** An act with its key, its reason and the status it was decided on; its subject is read again afterwards. */
async function act(ctx: Context, input: Parameters<typeof run>[1], command: Parameters<typeof run>[2]) {
  const answer = await run(ctx, input, command, []);
  await ctx.loaders.shown(undefined); // what was read before is old
  return outcomeOf(answer);
}
