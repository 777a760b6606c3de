import type { Store } from '../store/store.ts';
import type { Table } from '../store/table-port.ts';

/** How many round trips to the database a request made: its log line says so, and tests hold pages to their number. */
export type Tally = { calls: number };

export function counted(store: Store, tally: Tally): Store {
  const { table } = store;
  const one = <T>(answer: Promise<T>) => {
    tally.calls += 1;
    return answer;
  };
  const counting: Table = {
    batchGet: (keys) => {
      tally.calls += Math.ceil(keys.length / 100);
      return table.batchGet(keys);
    },
    query: (request) => one(table.query(request)),
    write: (write) => one(table.write(write)),
    transactWrite: (writes, token) => one(table.transactWrite(writes, token)),
  };
  return { ...store, table: counting };
}
