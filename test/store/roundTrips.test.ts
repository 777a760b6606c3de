import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../domain/catalogue.ts';
import { always } from '../../domain/condition.ts';
import { execute } from '../../store/execute.ts';
import type { Table } from '../../store/table-port.ts';
import { shapes, start, tenantOf } from '../simulation/shapes.ts';
import { newKey, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

/** Counts the times that somebody waits for the table; what is asked at once is one trip. The count begins anew when told. */
function travelled(table: Table) {
  const count = { inFlight: 0, trips: 0 };
  const trip = async <T>(call: () => Promise<T>): Promise<T> => {
    if (count.inFlight++ === 0) count.trips++;
    try {
      return await call();
    } finally {
      count.inFlight--;
    }
  };
  const counted: Table = {
    batchGet: (keys) => trip(() => table.batchGet(keys)),
    transactWrite: (writes, token) => trip(() => table.transactWrite(writes, token)),
    query: (request) => trip(() => table.query(request)),
    write: (write) => trip(() => table.write(write)),
  };
  const trips = () => {
    const made = count.trips;
    count.trips = 0;
    return made;
  };
  return { table: counted, trips };
}

/** A tenant of its own for each, so that no shape finds what another left. */
const tenants = new Map(shapes.map(({ name }, i) => [name, tenantOf(10_000 + i)]));

describe('a command', () => {
  for (const shape of shapes) {
    const definition = commands.get(shape.command.type)!;
    // commands.md §9: a read and a transaction; a third where the number is drawn or keys stand only in state.
    const most = definition.drawsCaseNumber || definition.then ? 3 : 2;

    it(`${shape.name} is at most ${most} round trips, and one when it is repeated`, async () => {
      const tenant = tenants.get(shape.name)!;
      for (const item of shape.prepared(tenant)) {
        const { pk, sk, ...rest } = item;
        await world.store.table.write({ kind: 'put', key: { pk, sk }, item: rest, when: always });
      }
      const envelope = {
        tenant,
        actor: shape.actor,
        idempotencyKey: newKey(),
        correlationId: 'round-trips',
        ...(shape.fence !== undefined && { fence: shape.fence }),
      };
      const { table, trips } = travelled(world.store.table);
      const then = { ...world.store, table, now: () => start };
      const first = await execute(then, envelope, shape.command);
      expect(first).toMatchObject({ kind: 'done', replayed: false });
      const made = trips();
      expect(made).toBeGreaterThanOrEqual(2);
      expect(made).toBeLessThanOrEqual(most);
      expect(await execute(then, envelope, shape.command)).toMatchObject({ kind: 'done', replayed: true });
      expect(trips()).toBe(1);
    });
  }
});
