import { answered, answerLost, cancelled } from '../store/faults.ts';
import type { Random } from './random.ts';

/**
 * What may become of one call. drop: it never arrives. lose: it is applied, its answer is lost. late: it arrives after
 * everybody has given up on it. twice: the network delivers it again. The rest are answers of the service.
 */
export const faultKinds = [
  'drop',
  'lose',
  'late',
  'twice',
  'slow',
  'refused',
  'throttled',
  'conflict',
  'inProgress',
  'inProgressApplied',
  'serverFault',
  'serverFaultApplied',
] as const;
export type FaultKind = (typeof faultKinds)[number];
export type Operation = 'batchGet' | 'transactWrite' | 'write' | 'query';
export type Fault = { kind: FaultKind; delay: number };
export type Call = { operation: Operation; writes: number };
/** Which fault the next call of a process meets; the plan is asked once for every call. */
export type FaultPlan = (call: Call) => Fault | undefined;

/** What one attempt waits for an answer, as policy has it. */
const attemptMs = 1_000;
/** The longest that a request may stay in the network: what docs/correctness.md calls bounded. */
const latestMs = 60_000;

export const noFaults: FaultPlan = () => undefined;

/** Faults at a rate, of every kind, mostly brief. */
export function seededFaults(random: Random, rate: number, tally: Record<string, number>): FaultPlan {
  return () => {
    if (!random.chance(rate)) return undefined;
    const kind = random.pick(faultKinds);
    tally[kind] = (tally[kind] ?? 0) + 1;
    return { kind, delay: random.chance(0.8) ? random.between(1, 3_000) : random.between(1, latestMs) };
  };
}

/** Carries one call out under a fault; `run` is the call itself, as often as the network delivers it. */
export async function underFault<T>(
  fault: Fault | undefined,
  { operation, writes }: Call,
  run: () => Promise<T>,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  const unheard = () => run().then(nothing, nothing);
  switch (fault?.kind) {
    case undefined:
      return run();
    case 'slow':
      await sleep(Math.min(fault.delay, 900));
      return run();
    case 'drop':
      await sleep(attemptMs);
      throw answerLost();
    case 'lose':
      await Promise.all([unheard(), sleep(attemptMs)]);
      throw answerLost();
    case 'late':
      void sleep(attemptMs + fault.delay).then(unheard);
      await sleep(attemptMs);
      throw answerLost();
    case 'twice':
      void sleep(fault.delay).then(unheard);
      return run();
    case 'refused':
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    case 'throttled':
      throw operation === 'transactWrite' ? becauseOf('ThrottlingError', writes) : answered('ThrottlingException', 400);
    case 'conflict':
      if (operation === 'transactWrite') throw becauseOf('TransactionConflict', writes);
      if (operation === 'write') throw answered('TransactionConflictException', 400);
      return run();
    case 'inProgress':
    case 'inProgressApplied':
      if (operation !== 'transactWrite') return run();
      if (fault.kind === 'inProgressApplied') await unheard();
      throw answered('TransactionInProgressException', 400);
    case 'serverFault':
      throw answered('InternalServerError', 500);
    case 'serverFaultApplied':
      await unheard();
      throw answered('InternalServerError', 500);
  }
}

const nothing = () => undefined;

const becauseOf = (code: string, writes: number) =>
  cancelled(...Array.from({ length: writes }, (_, i) => ({ Code: i === 1 % writes ? code : 'None' })));
