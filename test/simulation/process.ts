import type { Store } from '../../store/store.ts';
import type { Table, Write } from '../../store/table-port.ts';
import type { Call, Fault, FaultPlan } from './faultPlan.ts';
import type { History, Request } from './history.ts';

/**
 * Where a process dies, counted in its calls. before: nothing left it. applied: the call lands, nobody hears. late: it
 * lands long after, perhaps after a successor's request. answered: it heard, and told nobody.
 */
export const deaths = ['before', 'applied', 'late', 'answered'] as const;
export type Death = { call: number; phase: (typeof deaths)[number] };

export type Process = {
  dead: boolean;
  calls: number;
  /** The store as one request of this process sees it. */
  storeFor: (request: Request) => Store;
  /** Resolves when it dies. */
  died: Promise<void>;
};

/** What a process stands on: a clock, a database, and how faults are put between the two. */
export type Footing = {
  store: Omit<Store, 'table'>;
  history: History;
  table: (request: Request) => Table;
  underFault: <T>(fault: Fault | undefined, call: Call, request: Request, run: () => Promise<T>) => Promise<T>;
};

const lateMs = 30_000;

export function newProcess(footing: Footing, plan: FaultPlan, death?: Death): Process {
  const { history } = footing;
  let die = () => undefined as void;
  const died = new Promise<void>((resolve) => (die = resolve));
  const never = <T>() => new Promise<T>(() => undefined);
  const process: Process = { dead: false, calls: 0, died, storeFor };

  const end = <T>(): Promise<T> => {
    process.dead = true;
    die();
    return never<T>();
  };

  async function call<T>(what: Call, asksRecord: boolean, request: Request, run: () => Promise<T>): Promise<T> {
    if (process.dead) return never<T>();
    const phase = ++process.calls === death?.call ? death.phase : undefined;
    if (phase === 'before') return end<T>();
    if (phase === 'applied') void run().catch(() => undefined);
    if (phase === 'late')
      void footing.store
        .sleep(lateMs)
        .then(run)
        .catch(() => undefined);
    if (phase === 'applied' || phase === 'late') return end<T>();

    const asked = { order: history.tick(), at: footing.store.now() };
    const looked = () => void (asksRecord && (request.lastLookup = asked));
    try {
      const answer = await footing.underFault(plan(what), what, request, run);
      if (phase === 'answered') return end<T>();
      if (process.dead) return never<T>();
      looked();
      return answer;
    } catch (error) {
      if (phase === 'answered') return end<T>();
      if (process.dead) return never<T>();
      if (failedOnIt(error)) looked();
      throw error;
    }
  }

  function storeFor(request: Request): Store {
    const table = footing.table(request);
    const record = (write: Write | undefined) => write?.key.sk === 'COMMAND';
    const isLookup = (writes: readonly Write[]) => writes.length === 1 && record(writes[0]);
    const bound: Table = {
      batchGet: (keys) =>
        call({ operation: 'batchGet', writes: 0 }, keys[0]?.sk === 'COMMAND', request, () => table.batchGet(keys)),
      transactWrite: (writes, token) =>
        call({ operation: 'transactWrite', writes: writes.length }, isLookup(writes), request, () =>
          table.transactWrite(writes, token),
        ),
      query: (asked) => call({ operation: 'query', writes: 0 }, false, request, () => table.query(asked)),
      write: (write) => call({ operation: 'write', writes: 1 }, record(write), request, () => table.write(write)),
    };
    const sleep = async (ms: number) => {
      await footing.store.sleep(ms);
      if (process.dead) await never();
    };
    return { ...footing.store, table: bound, sleep };
  }
  return process;
}

function failedOnIt(error: unknown): boolean {
  const { name, CancellationReasons: reasons = [] } = error as Error & { CancellationReasons?: { Code?: string }[] };
  return name === 'ConditionalCheckFailedException' || reasons[0]?.Code === 'ConditionalCheckFailed';
}
