import { Busy, OutcomeUnknown } from '../domain/answer.ts';
import { serviceSubject, type AnyCommand } from '../domain/command.ts';
import type { Provider } from '../domain/effect.ts';
import type { ActionId, CaseId, EffectId, NoticeId, OfficerId, TenantId } from '../domain/ids.ts';
import type { Documents, Mailer, Registry } from '../domain/ports.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import { execute } from '../store/execute.ts';
import { serviceKeyOf } from '../store/identity.ts';
import type { Lease } from '../store/lease.ts';
import type { EffectName } from '../store/ledger.ts';
import type { Scan } from '../store/scan.ts';
import type { Store } from '../store/store.ts';
import type { StateMachines } from './stateMachines.ts';

/** What an execution is started with: exactly what its outbox message stores. Ids only. */
export type EffectInput = {
  tenant: TenantId;
  caseId: CaseId;
  effectId: EffectId;
  round: number;
  correlationId: string;
  /** The person whose command asked for it. */
  requestedBy: OfficerId;
};

/** The same for effects of an enforcement action. */
export type ActionInput = EffectInput & { actionId: ActionId; noticeId?: NoticeId };

/** What a task gets: its input, and which attempt of which execution it is. */
export type Task<I = ActionInput> = {
  input: I;
  execution: string;
  attempt: number;
  token?: string;
};

/** What tasks need; one composition root per host builds it. */
export type Deps = {
  store: Store;
  registry: Registry;
  mailer: Mailer;
  documents: Documents;
  stateMachines: StateMachines;
  /** For reconciliation only: everything there is. */
  scan: Scan;
  /** The name and address that notices and mails come from. */
  office: { name: string; addressLines: string[]; mailFrom: string };
};

/** Who works: written into the lease, so that an operator can see it. */
export const workerOf = ({ execution, attempt }: Pick<Task, 'execution' | 'attempt'>) => `${execution}/${attempt}`;

export const effectOf = ({ tenant, effectId }: EffectInput, provider: Provider): EffectName => ({
  tenant,
  provider,
  effectId,
});

/** The principal that workflows act as. */
export const service = { id: serviceSubject as OfficerId, roles: ['SERVICE'] } as const;

/**
 * Changes a case like a person does: by a command, under this lease's fence. Done, replayed and NO_CHANGE are done;
 * another refusal is returned for the machine to branch on; what is not known to have happened is sent again with the
 * same key, which is safe (effects.md §4).
 */
export async function command(
  store: Store,
  { tenant, effectId, round, correlationId, requestedBy }: EffectInput,
  lease: Lease,
  asked: AnyCommand,
  /** What else makes it one command, where a repeat may carry other arguments. */
  distinct = '',
): Promise<{ refused: RefusalCode | 'NO' }> {
  const idempotencyKey = serviceKeyOf(effectId, round, `${asked.type}${distinct}`);
  const { fence } = lease;
  const envelope = { tenant, actor: service, onBehalfOf: requestedBy, idempotencyKey, correlationId, fence };
  const answer = await execute(store, envelope, asked).catch((error: unknown) => {
    if (error instanceof OutcomeUnknown) throw new Busy('the command may have been applied; its key tells', 'NOT_YET');
    throw error;
  });
  if (answer.kind === 'done' || answer.code === 'NO_CHANGE') return { refused: 'NO' };
  return { refused: answer.code };
}
