import { Busy } from '../domain/answer.ts';
import { all, equals, exists, type Attributes } from '../domain/condition.ts';
import { finalStatuses, type LedgerRow, type LedgerStatus } from '../domain/effect.ts';
import { instantOf } from './calendar.ts';
import { readEffect, stepWrite, type EffectName, type Step } from './ledger.ts';
import { wakeMessage } from './outbox.ts';
import { keysOf } from './keys.ts';
import type { Store } from './store.ts';
import { applied } from './transact.ts';
import type { Write } from './table-port.ts';

const tries = 10;

/**
 * Moves a row without the task that waits for it (callback, poller, sweep): the step and the work request that wakes
 * somebody to record it are one transaction, under the next round (effects.md §3.8). Answers the row as it then stands;
 * a row that is final already stays as it is. Throws `Busy` where nothing could be stored: never taken for stored.
 */
export async function moveAndWake(
  store: Store,
  name: EffectName,
  to: Step['to'],
  set: Attributes,
  allowed: readonly LedgerStatus[],
): Promise<{ moved: boolean; row: LedgerRow }> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const row = await readEffect(store, name);
    if (finalStatuses.includes(row.status) || !allowed.includes(row.status)) return { moved: false, row };
    const round = row.round + 1;
    const step = stepWrite(store, name, { to, row, set: { ...set, round } });
    const moving = { ...step, when: all(step.when, equals('round', row.round)) };
    const waking = wakeMessage(name.tenant, row, round, instantOf(store.now()));
    if (await applied(store, [moving, waking])) return { moved: true, row: await readEffect(store, name) };
  }
  throw notStored();
}

/** Asks the effect's machine to look again, under the next round, without moving the row. */
export async function wakeAgain(store: Store, name: EffectName, row: LedgerRow): Promise<void> {
  const round = row.round + 1;
  const at = instantOf(store.now());
  const reserve: Write = {
    kind: 'update',
    key: keysOf(name.tenant).effect(name.provider, name.effectId),
    update: { set: { round, updatedAt: at } },
    when: all(exists, equals('status', row.status), equals('round', row.round)),
  };
  await applied(store, [reserve, wakeMessage(name.tenant, row, round, at)]); // otherwise somebody was faster
}

/** Whoever brought the word brings it again. */
const notStored = () => new Busy('the word could not be stored', 'CONTENTION');
