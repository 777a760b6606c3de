import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginReconciliation, untilQuarterPastFour } from '../../workflows/reconciliation/begin.ts';
import { corruptions } from '../../local/corruption.ts';
import { demo } from '../store/world.ts';
import { startGround } from './ground.ts';

let ground: Awaited<ReturnType<typeof startGround>>;
beforeAll(async () => void (ground = await startGround()));
afterAll(() => ground.stop());

describe('every night', () => {
  it('one pass looks twice, a minute apart, sets right what it can, and reports', async () => {
    const altered = ['guard altered', 'counter shard altered', 'audit event altered'];
    const items = await ground.items();
    for (const { spoil } of corruptions.filter(({ name }) => altered.includes(name)))
      for (const [key, item] of spoil(items)) await ground.put(key, item);

    const { deps } = ground.host;
    Object.assign(deps, { scan: ground.pass().scan });
    const begins = async () => {
      await beginReconciliation(deps, demo.id);
      await beginReconciliation(deps, demo.id); // told twice
    };
    const executions = await ground.host.carryOut('reconciliation', {}, { polls: false, later: [[0, begins]] });
    expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED'])); // asked for twice, one report
    expect(executions[0]!.states).toContain('LetSettle');
    const reports = ground.stage.log.filter(({ reconciliation }) => reconciliation === 'done');
    expect(reports).toEqual([expect.objectContaining({ repaired: 2, open: 1, unproven: 0 })]);
    expect(ground.stage.log).toContainEqual(expect.objectContaining({ alarm: 'findings are open', open: 1 }));
  });

  it('begins at a quarter past four where the tenant is', () => {
    const at = (zone: string, now: string) => {
      const then = Date.parse(now) + untilQuarterPastFour(zone, Date.parse(now));
      return new Date(then).toISOString();
    };
    expect(at('Asia/Jakarta', '2026-07-06T12:00:00.500Z')).toBe('2026-07-06T21:15:00.000Z');
    expect(at('Asia/Jakarta', '2026-07-06T21:15:00.000Z')).toBe('2026-07-07T21:15:00.000Z');
    expect(at('America/New_York', '2026-01-06T09:14:59.000Z')).toBe('2026-01-06T09:15:00.000Z');
  });
});
