import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionConflictException,
  TransactionInProgressException,
  type CancellationReason,
} from '@aws-sdk/client-dynamodb';
import { holds } from '../../domain/condition.ts';
import { wireOf } from '../../store/dynamo.ts';
import { keyText } from '../../store/keys.ts';
import type { Item, Key, Table, Write } from '../../store/table-port.ts';
import { answered, cancelled } from '../store/faults.ts';
import { applied } from './applied.ts';
import { lookUp, type Indexes, indexesWithLag } from './simulatedQuery.ts';

/** How much a cancelled transaction tells: the service promises less than it usually does. */
export type Reasons = 'complete' | 'first' | 'last' | 'missing';

export type Nature = {
  now: () => number;
  random: () => number;
  /** Between the steps of one call: here rivals get their turn. */
  step: () => Promise<void>;
  reasons: () => Reasons;
  oldImages: () => boolean;
  /** When an expired item is deleted: at once, 48 hours later, or never. */
  ttl: 'early' | 'late' | 'never';
  indexLagMs: number;
  /** A batch read is not a snapshot: its items may be of different moments. */
  tornReads: boolean;
};

export type SimulatedTable = Omit<Table, 'transactWrite'> & {
  /** As the table port has it; `from` names who sent it, for the history. */
  transactWrite: (writes: readonly Write[], token: string, from?: unknown) => Promise<void>;
  load: (items: readonly Item[]) => void;
  /** Changes an item behind everybody's back. */
  put: (key: Key, item: Item | undefined) => void;
  dump: () => Item[];
  /** Told when the first item of a transaction becomes visible; what it returns, when all of it is. */
  onCommit: (tell: Tell) => void;
};

type Tell = (writes: readonly Write[], from: unknown) => () => void;
type Remembered = { bytes: string; at: number; done: boolean };
const tokenMemoryMs = 10 * 60_000;

/** DynamoDB as its documentation promises it, and no more: two phases, conflicts that arise by themselves, tokens. */
export function simulatedTable(nature: Nature): SimulatedTable {
  const items = new Map<string, Item>();
  const locks = new Map<string, object>();
  const tokens = new Map<string, Remembered>();
  const indexes: Indexes = indexesWithLag(nature.now, nature.indexLagMs);
  let tell: Tell = () => () => undefined;

  const stored = (key: Key): Item | undefined => {
    const item = items.get(keyText(key));
    if (!item || nature.ttl === 'never' || typeof item['expiresAt'] !== 'number') return item;
    const gone = item['expiresAt'] * 1000 + (nature.ttl === 'late' ? 48 * 3_600_000 : 0);
    if (gone > nature.now() || locks.has(keyText(key))) return item;
    put(key, undefined);
    return undefined;
  };
  const put = (key: Key, item: Item | undefined) => {
    if (item) items.set(keyText(key), item);
    else items.delete(keyText(key));
    indexes.changed(key, item);
  };
  const image = (item: Item | undefined) => (item && nature.oldImages() ? { Item: wireOf(item) } : {});

  function prepare(writes: readonly Write[], me: object): CancellationReason[] {
    return writes.map((write) => {
      const text = keyText(write.key);
      if (locks.has(text)) return { Code: 'TransactionConflict' };
      const item = stored(write.key);
      if (!holds(write.when, item)) return { Code: 'ConditionalCheckFailed', ...image(item) };
      locks.set(text, me);
      return { Code: 'None' };
    });
  }

  /** Each item becomes visible, and free, on its own: for a moment a plain read finds some of them new and some old. */
  async function commit(writes: readonly Write[], from: unknown): Promise<void> {
    const whole = tell(writes, from);
    for (const write of nature.tornReads ? shuffled(writes, nature.random) : writes) {
      if (write.kind !== 'check') put(write.key, applied(write, items.get(keyText(write.key))));
      locks.delete(keyText(write.key));
      if (nature.tornReads) await nature.step();
    }
    whole();
  }

  return {
    async batchGet(keys) {
      const found: (Item | undefined)[] = [];
      for (const key of keys) {
        found.push(stored(key));
        if (nature.tornReads) await nature.step();
      }
      return found;
    },

    async transactWrite(writes, token, from) {
      validated(writes);
      const bytes = JSON.stringify(writes, (_name, value: unknown) => (value instanceof Set ? [...value] : value));
      const known = tokens.get(token);
      if (known && nature.now() - known.at < tokenMemoryMs) {
        if (known.bytes !== bytes) throw new IdempotentParameterMismatchException(said('other parameters'));
        if (known.done) return;
        throw new TransactionInProgressException(said('in progress'));
      }
      const mine = { bytes, at: nature.now(), done: false };
      tokens.set(token, mine);
      const reasons = prepare(writes, mine);
      await nature.step();
      if (reasons.some(({ Code }) => Code !== 'None')) {
        for (const [text, owner] of locks) if (owner === mine) locks.delete(text);
        tokens.delete(token);
        throw cancelled(...tellingOnly(nature.reasons(), reasons));
      }
      await commit(writes, from);
      mine.done = true;
    },

    async write(write) {
      await nature.step();
      if (locks.has(keyText(write.key))) throw new TransactionConflictException(said('in a transaction'));
      const item = stored(write.key);
      if (!holds(write.when, item)) {
        const { Item: old } = image(item);
        throw new ConditionalCheckFailedException({ ...said('the condition failed'), ...(old && { Item: old }) });
      }
      const after = applied(write, item);
      put(write.key, after);
      return write.kind === 'update' ? { after: after! } : {};
    },

    query: (request) => Promise.resolve(lookUp(request, [...items.values()], indexes)),
    put,
    load: (all) => all.forEach((item) => put(item, item)),
    dump: () => [...items.values()],
    onCommit: (listener) => void (tell = listener),
  };
}

const said = (message: string) => ({ message, $metadata: { httpStatusCode: 400 } });

/** The service checks these before anything else. */
function validated(writes: readonly Write[]): void {
  const distinct = new Set(writes.map(({ key }) => keyText(key)));
  if (writes.length === 0 || writes.length > 100 || distinct.size < writes.length)
    throw answered('ValidationException', 400);
}

function tellingOnly(policy: Reasons, reasons: CancellationReason[]): CancellationReason[] {
  if (policy === 'complete') return reasons;
  if (policy === 'missing') return [];
  const told = (code?: string) => code !== 'None';
  const codes = reasons.map(({ Code }) => Code);
  const only = policy === 'first' ? codes.findIndex(told) : codes.findLastIndex(told);
  return reasons.map((reason, i) => (i === only ? reason : { Code: 'None' }));
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
