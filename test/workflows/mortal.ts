import type { Store } from '../../store/store.ts';
import type { Table } from '../../store/table-port.ts';

/** At which call a worker dies, and whether that call still reaches the other side. */
export type Fatal = { call: number; landed: boolean };

/** The process is gone: from then on nothing it tries happens. */
export class Dead extends Error {
  override readonly name = 'Dead';
}

/** A worker whose calls to the table and to parties are counted, and which dies at one of them. */
export function worker(store: Store, fatal?: Fatal) {
  let calls = 0;
  let dead = false;
  const call =
    <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (dead) throw new Dead();
      if (++calls !== fatal?.call) return act(...args);
      dead = true;
      if (fatal.landed) await act(...args).catch(() => undefined);
      throw new Dead();
    };
  const { table } = store;
  const mortal: Table = {
    batchGet: call((keys) => table.batchGet(keys)),
    transactWrite: call((writes, token) => table.transactWrite(writes, token)),
    query: call((request) => table.query(request)),
    write: call((write) => table.write(write)),
  };
  const sleep: Store['sleep'] = (ms) => (dead ? Promise.resolve() : store.sleep(ms));
  return { store: { ...store, table: mortal, sleep }, call, calls: () => calls, isDead: () => dead };
}

/**
 * Every death that a run of so many calls can die: before the first, and after each has landed. Dying before a call is
 * dying after the one before it, since nothing but calls leaves a trace.
 */
export const deaths = (calls: number): Fatal[] => [
  { call: 1, landed: false },
  ...Array.from({ length: calls }, (_, i) => ({ call: i + 1, landed: true })),
];
