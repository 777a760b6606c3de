import { isDeepStrictEqual } from 'node:util';
import type { Sighting } from '../../domain/operations/finding.ts';
import { consumerEvents } from '../../gateways/consumerEvents.ts';
import { scanOf } from '../../store/scan.ts';
import type { Item, Key } from '../../store/table-port.ts';
import { consumersOf } from '../../workflows/consumers/consumers.ts';
import { shardsOfPass, type Pass } from '../../workflows/reconciliation/pass.ts';
import { reconcile } from '../../workflows/reconciliation/reconcile.ts';
import { ana, asActor, demo, done, newKey, openCase, registerOfficer, sue } from '../store/world.ts';
import { startMachines } from '../workflows/machineHost.ts';
import { accepted, fakeMailer, fakeRegistry } from '../workflows/parties.ts';
import { issued, startStage } from '../workflows/stage.ts';

export const cai = asActor('cai', 'INVESTIGATOR');

/**
 * An office at work: one case that is registered, one whose notice is on its way, one that investigates, one closed, in two
 * regions; all of it by commands and machines, and everything told that can be.
 */
export async function startGround() {
  const stage = await startStage();
  const { world } = stage;
  const host = await startMachines(stage);
  host.publisher.events = consumerEvents(consumersOf(host.store)) as unknown as typeof host.publisher.events;
  await done(world, sue, registerOfficer(cai.id, { maxLoad: 5 }));

  host.together();
  const { caseId, actionId } = await issued(stage);
  host.together();
  await host.carryOut('notice', { mailer: fakeMailer(), registry: fakeRegistry() });
  host.together();
  await done(world, sue, { type: 'submitToRegistry', caseId, actionId, expectedVersion: 2 });
  const registry = fakeRegistry();
  registry.atOnce = () => accepted(`R-${actionId}`);
  await host.carryOut('registration', { registry });
  host.together();

  const reference = { sourceSystem: 'REG', value: newKey().slice(0, 20) };
  const open = await done(world, ana, openCase({ leadOfficerId: ana.id, region: 'BDG', externalReference: reference }));
  await done(world, ana, { type: 'addInvestigator', caseId: open.aggregateId, officerId: cai.id });
  const closed = await done(world, ana, openCase({ leadOfficerId: ana.id }));
  const other = { caseId: closed.aggregateId, otherCaseId: open.aggregateId };
  await done(world, ana, { type: 'linkCases', ...other, nature: 'DUPLICATE_OF' });
  const duplicate = { duplicateOfCaseId: open.aggregateId, reason: 'the same complaint' };
  await done(world, sue, {
    type: 'closeCaseAsDuplicate',
    caseId: closed.aggregateId,
    expectedVersion: 1,
    ...duplicate,
  });
  await host.carryOut('notice', { mailer: fakeMailer() });
  host.together();
  // Its notice is asked for and nobody has begun.
  await issued(stage);

  const { store } = stage;
  const scan = scanOf(world.clients.reader, world.tableName);
  let passes = 0;
  const pass = (): Pass => ({ store, scan, tenant: demo.id, date: `test-${passes++}` });
  const items = async (): Promise<Item[]> => {
    const all: Item[] = [];
    for (const number of shardsOfPass.keys()) {
      let after: Record<string, string> | undefined;
      do {
        const page = await scan(demo.id, { number, of: shardsOfPass.length }, 200, after);
        all.push(...page.items);
        after = page.lastKey;
      } while (after);
    }
    return all;
  };
  const put = (key: Key, item: Item | undefined) =>
    store.table.write(
      item
        ? { kind: 'put', key: keyOf(key), item, when: { is: 'all', of: [] } }
        : { kind: 'delete', key: keyOf(key), when: { is: 'all', of: [] } },
    );
  return {
    stage,
    host,
    store,
    closed: closed.aggregateId,
    pass,
    items,
    put,
    reconcile: () => reconcile(pass(), 0),
    /** As it was, whatever has become of it. */
    restore: async (before: readonly Item[]) => {
      const now = new Map((await items()).map((item) => [textOf(item), item]));
      const kept = new Set(before.map(textOf));
      for (const [text, item] of now) if (!kept.has(text)) await put(item, undefined);
      for (const item of before) if (!isDeepStrictEqual(now.get(textOf(item)), item)) await put(item, item);
    },
    stop: async () => {
      await host.stop();
      await stage.stop();
    },
  };
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });
const textOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

export const kindsOf = (findings: readonly Pick<Sighting, 'kind'>[]) => findings.map(({ kind }) => kind).sort();
