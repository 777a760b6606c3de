import type { Provider } from '../domain/effect.ts';
import type { CaseId, EffectId } from '../domain/ids.ts';
import type { MessageName } from '../domain/message.ts';
import type { Aggregate } from '../domain/operations/execution.ts';
import { opaque, partsOf } from './nodeId.ts';

/**
 * Ids of what operators see. Each names the case or officer it is about as well, so that a command knows at once what it
 * reads, and in whose audit it stands; one that was put together from two is answered like any that is absent.
 */
export const effectIdIn = (effect: { caseId: CaseId; provider: Provider; effectId: EffectId }) =>
  opaque('Effect', effect.caseId, effect.provider, effect.effectId);
export const executionIdOf = ({ aggregateType, aggregateId, name }: Aggregate & { name: string }) =>
  opaque('Execution', aggregateType, aggregateId, name);
export const messageIdOf = ({ aggregateType, aggregateId, name }: Aggregate & { name: MessageName }) => {
  const { day, shard, about, seq, n } = name;
  return opaque('OutboxMessage', aggregateType, aggregateId, day, String(shard), about, String(seq), String(n));
};
export const leaseIdOf = ({ aggregateType, aggregateId, name }: Aggregate & { name: string }) =>
  opaque('Lease', aggregateType, aggregateId, name);

export const findingIdIn = ({ aggregateType, aggregateId, id }: Aggregate & { id: string }) =>
  opaque('Finding', aggregateType, aggregateId, id);

export function findingNamed(id: string): Aggregate & { findingId: string } {
  const [type, aggregateId, findingId] = partsOf('Finding', 3, id);
  return { ...aggregate(type, aggregateId), findingId: findingId! };
}

export function effectNamed(id: string): Aggregate & { provider: Provider; effectId: EffectId } {
  const [aggregateId, provider, effectId] = partsOf('Effect', 3, id);
  return {
    aggregateType: 'Case',
    aggregateId: aggregateId!,
    provider: provider as Provider,
    effectId: effectId as EffectId,
  };
}

export function executionNamed(id: string): Aggregate & { execution: string } {
  const [type, aggregateId, execution] = partsOf('Execution', 3, id);
  return { ...aggregate(type, aggregateId), execution: execution! };
}

export function messageNamed(id: string): Aggregate & { message: MessageName } {
  const [type, aggregateId, day, shard, about, seq, n] = partsOf('OutboxMessage', 7, id);
  const message = { day: day!, shard: whole(shard), about: about!, seq: whole(seq), n: whole(n) };
  return { ...aggregate(type, aggregateId), message };
}

export function leaseNamed(id: string): Aggregate & { work?: string } {
  const [type, aggregateId, name] = partsOf('Lease', 3, id);
  return { ...aggregate(type, aggregateId), ...(name !== aggregateId && { work: name! }) };
}

const aggregate = (type: string | undefined, aggregateId: string | undefined): Aggregate => ({
  aggregateType: type === 'Officer' || type === 'Finding' ? type : 'Case',
  aggregateId: aggregateId!,
});

const whole = (text: string | undefined) => (/^\d{1,10}$/.test(text ?? '') ? Number(text) : 0);
