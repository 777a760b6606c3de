import { GraphQLError } from 'graphql';
import { limits } from './limits.ts';
import type { Store } from '../store/store.ts';
import type { Table } from '../store/table-port.ts';

/** What a request took so far: round trips to the database, lists among them, and bytes of text in its answer. */
export type Tally = { calls: number; lists: number; answerBytes: number };

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
    query: (request) => {
      // Lists inside lists multiply; depth and page size alone would let a request ask for tens of thousands.
      if (++tally.lists > limits.lists) return Promise.reject(tooCostly());
      return one(table.query(request));
    },
    write: (write) => one(table.write(write)),
    transactWrite: (writes, token) => one(table.transactWrite(writes, token)),
  };
  return { ...store, table: counting };
}

const tooCostly = () =>
  new GraphQLError(`One request reads at most ${limits.lists} lists.`, { extensions: { code: 'TOO_COSTLY' } });
