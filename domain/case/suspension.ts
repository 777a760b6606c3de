import { preconditionFailed, type Refused } from '../refusal.ts';
import type { Case } from './case.ts';

/** Facts rest while a case is suspended. */
export const notSuspended = (current: Case): Refused | undefined =>
  current.suspendedUntil === undefined
    ? undefined
    : preconditionFailed('SUSPENDED', `the case is suspended until ${current.suspendedUntil}`);
