import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingKinds, isRecomputed, type Finding, type FindingKind } from '../../domain/operations/finding.ts';
import { corruptions } from '../../local/corruption.ts';
import type { Item } from '../../store/table-port.ts';
import { kindsOf, startGround } from './ground.ts';

let ground: Awaited<ReturnType<typeof startGround>>;
let healthy: Item[];
beforeAll(async () => {
  ground = await startGround();
  healthy = await ground.items();
});
afterAll(() => ground.stop());

const saidByParties = ['CALLBACK_CONFLICT', 'EFFECT_AFTER_CANCEL', 'REGISTRY_NUMBER_CLAIMED', 'REGISTRATION_UNKNOWN'];

/** What has a case and does not end by itself; a closed case takes no task. */
const isForAPerson = ({ kind, aggregateType, aggregateId }: Finding) =>
  aggregateType === 'Case' &&
  findingKinds[kind] === 'BY_HAND' &&
  aggregateId !== ground.closed &&
  aggregateId !== 'somebody';

async function tasksFor(findings: readonly Finding[]): Promise<string[]> {
  const tasks = (await ground.items()).filter(({ sk }) => sk.startsWith('TASK#'));
  const open = tasks.filter(({ type, teamId }) => type === 'OPERATOR' && teamId === 'OPERATIONS');
  return findings.map(({ id }) => id).filter((id) => open.some(({ origin }) => origin === id));
}

const shown = new Set<FindingKind>();

describe('reconciliation', () => {
  it('finds nothing where nothing is wrong, and says at how much it looked', async () => {
    const report = await ground.reconcile();
    expect(report).toMatchObject({ open: [], repaired: [], unproven: 0, overflown: false });
    expect(report.met).toBeGreaterThanOrEqual(healthy.length); // and at what it writes down itself
    expect(report.looked).toBeGreaterThan(40);
  });

  it('has a corruption for every kind that it can find', () => {
    const found = [...new Set(corruptions.flatMap(({ finds }) => finds)), ...saidByParties];
    expect(found.sort()).toEqual(Object.keys(findingKinds).sort());
  });

  for (const { name, finds, spoil } of corruptions)
    it(`finds exactly ${finds.join(' and ')} after: ${name}`, async () => {
      await ground.restore(healthy);
      const spoilt = spoil(healthy);
      expect(spoilt).not.toEqual([]);
      for (const [key, item] of spoilt) await ground.put(key, item);

      const { open, repaired } = await ground.reconcile();
      const recomputed = finds.filter((kind) => isRecomputed({ kind }));
      expect([kindsOf(repaired), kindsOf(open)]).toEqual([recomputed, finds.filter((kind) => !isRecomputed({ kind }))]);
      for (const finding of [...open, ...repaired]) expect(finding.seen).toBeGreaterThan(1);
      expect(await tasksFor(open)).toEqual(open.filter(isForAPerson).map(({ id }) => id));

      if (finds.every((kind) => shown.has(kind))) return; // that its repair lasts was seen
      finds.forEach((kind) => shown.add(kind));
      const after = await ground.reconcile();
      expect([kindsOf(after.repaired), kindsOf(after.open)]).toEqual([[], kindsOf(open)]);
    });

  it(
    'finds everything at once, and leaves nothing wrong that follows from the records',
    { timeout: 90_000 },
    async () => {
      await ground.restore(healthy);
      const apart = /deleted|count|left behind/; // nothing is spoilt twice
      for (const { spoil } of corruptions.filter(({ name }) => apart.test(name)))
        for (const [key, item] of spoil(await ground.items())) await ground.put(key, item);
      const first = await ground.reconcile();
      const expected = new Set(corruptions.filter(({ name }) => apart.test(name)).flatMap(({ finds }) => finds));
      expect(new Set(kindsOf([...first.open, ...first.repaired]))).toEqual(expected);
      await ground.reconcile();
      const last = await ground.reconcile();
      expect(last.repaired).toEqual([]);
      expect(last.open.filter(isRecomputed)).toEqual([]);
      expect(new Set(kindsOf(last.open))).toEqual(new Set([...expected].filter((kind) => !isRecomputed({ kind }))));
    },
  );
});
