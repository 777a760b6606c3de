import type { Count } from './metrics.ts';
import type { Table } from './table-port.ts';
import type { TokenBucket } from './tokenBucket.ts';

/** What every part of the store needs; one composition root per host builds it. */
export type Store = {
  table: Table;
  /** Milliseconds since the epoch; injected, so that tests move time. */
  now: () => number;
  /** Milliseconds of a clock that never jumps: how long a lease has really been held. */
  monotonic: () => number;
  /**
   * Where one host holds the only lock on the data: a name for its life, which its leases and claims carry. Those of
   * another life are a dead host's, and nobody has to wait for them to run out. Absent where hosts share the table.
   */
  life?: string;
  /** In [0, 1). */
  random: () => number;
  sleep: (ms: number) => Promise<void>;
  /** One structured line; never personal data, keys or payloads. */
  log: (line: Record<string, unknown>) => void;
  /** Where a host keeps figures. */
  count?: Count;
  /** What the whole process may spend on repeats; absent, repeats are bounded by deadlines and tries alone. */
  retries?: TokenBucket;
};
