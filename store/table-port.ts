import type { Attributes, Condition } from '../domain/condition.ts';
import type { Update } from '../domain/change.ts';

export type Key = { pk: string; sk: string };

/** A stored item: its key, its type, index attributes and whatever the entity holds. */
export type Item = Key & Attributes;

/** One action of a transaction. */
export type Write =
  | { kind: 'put'; key: Key; item: Attributes; when: Condition }
  | { kind: 'update'; key: Key; update: Update; when: Condition }
  | { kind: 'delete'; key: Key; when: Condition }
  | { kind: 'check'; key: Key; when: Condition };

export type IndexName = 'byStatus' | 'byLead' | 'byRegion' | 'pending';

export type QueryRequest = {
  /** The table itself, or one of its indexes. */
  index?: IndexName;
  partition: string;
  /** Bounds on the sort key. */
  prefix?: string;
  from?: string;
  to?: string;
  forward: boolean;
  limit: number;
  /** Where to go on: the key of the last item seen, as `lastKey` returned it. */
  after?: Record<string, string>;
  consistent: boolean;
};

/**
 * What the store needs of a database; the real one is dynamo.ts. Errors come out as DynamoDB's client throws them, since
 * outcome.ts reads them. Every method is one round trip, except that a batch read is one per 100 keys.
 */
export interface Table {
  /** Consistent; unprocessed keys are asked for again; the order is that of the keys, `undefined` where absent. */
  batchGet(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  transactWrite(writes: readonly Write[], clientRequestToken: string): Promise<void>;
  query(request: QueryRequest): Promise<{ items: Item[]; lastKey?: Record<string, string> }>;
  /** Single conditional writes, for items outside business transactions: leases, claims, the ledger, the sequence. */
  write(write: Write): Promise<{ after?: Item }>;
}
