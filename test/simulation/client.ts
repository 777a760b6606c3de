import type { Actor, AnyCommand } from '../../domain/command.ts';
import { commandIdOf } from '../../store/identity.ts';
import { execute } from '../../store/execute.ts';
import type { Ground } from './ground.ts';
import { recorded, type Request } from './history.ts';
import type { Process } from './process.ts';

let requests = 0;

export function newRequest(ground: Ground, actor: Actor, command: AnyCommand, idempotencyKey: string): Request {
  return {
    id: ++requests,
    envelope: { tenant: ground.tenant, actor, idempotencyKey, correlationId: 'simulation' },
    command,
    commandId: commandIdOf(ground.tenant, actor.id, idempotencyKey),
    began: ground.history.tick(),
    outcome: 'info',
  };
}

/** How requests are carried out: ours, or a variant that is held against it. */
export type Execute = typeof execute;

/** Sends one request by a process, until it is answered or the process dies (then nobody knows). */
export const ask = (ground: Ground, by: Process, request: Request, how: Execute = execute): Promise<void> =>
  Promise.race([
    recorded(ground.history, request, () => how(by.storeFor(request), request.envelope, request.command)),
    by.died,
  ]);
