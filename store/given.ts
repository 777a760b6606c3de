import { randomBytes } from 'node:crypto';
import { counterShards } from '../domain/case/openCases.ts';
import type { AnyCommand, Envelope, Given } from '../domain/command.ts';
import { calendar, instantOf } from './calendar.ts';
import { commandIdOf, createdIdOf, effectIdOf, shardOf } from './identity.ts';
import { requestHashOf } from './requestHash.ts';

/** Identity, derived ids and helpers of one request; `at` is set anew for every plan. */
export function givenOf(envelope: Envelope, command: AnyCommand, nowMs: number): Given {
  const { measured: _, ...asked } = command;
  const commandId = commandIdOf(envelope.tenant, envelope.actor.id, envelope.idempotencyKey);
  return {
    tenant: envelope.tenant,
    actor: envelope.actor,
    ...(envelope.onBehalfOf && { onBehalfOf: envelope.onBehalfOf }),
    commandId,
    requestHash: requestHashOf(asked, envelope.idempotencyKey),
    correlationId: envelope.correlationId,
    ...(envelope.fence !== undefined && { fence: envelope.fence }),
    at: instantOf(nowMs),
    id: <Kind extends string>(role: string, ordinal?: number) => createdIdOf(commandId, role, ordinal ?? 0) as Kind,
    effectId: effectIdOf,
    counterShard: shardOf(commandId, counterShards),
    calendar,
  };
}

/** Hides a redactable detail from guessing: drawn once per plan, like the time. */
export const newSalt = () => randomBytes(16).toString('hex');
