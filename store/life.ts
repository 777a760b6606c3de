import { all, equals, not, present, type Condition } from '../domain/condition.ts';
import type { Store } from './store.ts';

/** Taken by a host that had the data for itself, as this one has now: that one is dead. No condition where hosts share. */
export const ofAnotherLife = ({ life }: Store): Condition[] =>
  life === undefined ? [] : [all(present('life'), not(equals('life', life)))];
