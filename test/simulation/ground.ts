import type { TenantId } from '../../domain/ids.ts';
import type { Item } from '../../store/table-port.ts';
import type { Death, Process } from './process.ts';
import type { FaultPlan } from './faultPlan.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';

/** Where a story takes place: the simulated database on virtual time, or the real engine on real, quickened time. */
export type Ground = {
  tenant: TenantId;
  random: Random;
  history: History;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** A process of its own, with its own clock. */
  start: (plan: FaultPlan, options?: { death?: Death; skewMs?: number }) => Process;
  load: (items: Item[]) => Promise<void>;
  dump: () => Promise<Item[]>;
};
