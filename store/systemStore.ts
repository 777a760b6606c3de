import type { Store } from './store.ts';
import type { Table } from './table-port.ts';
import { tokenBucket } from './tokenBucket.ts';

/** A store on the system's own clocks and randomness, as every host runs it. */
export const systemStore = (table: Table, log: Store['log']): Store => ({
  table,
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  log,
  retries: tokenBucket(() => performance.now()),
});
