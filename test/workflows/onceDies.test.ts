import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Busy } from '../../domain/answer.ts';
import type { LedgerRow } from '../../domain/effect.ts';
import { leaseMs, skewMs, withLease } from '../../store/lease.ts';
import { readEffect } from '../../store/ledger.ts';
import type { Store } from '../../store/store.ts';
import { once, settle } from '../../workflows/once.ts';
import { nameOf, planned, stored } from '../store/effects.ts';
import { onMovedClock } from '../store/time.ts';
import { demo, startWorld, type World } from '../store/world.ts';
import { deaths, worker, type Fatal } from './mortal.ts';
import { effectOn, partyWith, type Party, type Reception } from './party.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

/** What a state machine does with an effect: send, ask where it is unknown, and do either again while it is told to wait. */
async function carriedOut(mortal: ReturnType<typeof worker>, row: LedgerRow, party: Party, wait: () => void) {
  const { store } = mortal;
  const effect = effectOn({ send: mortal.call(party.send), find: mortal.call(party.find) });
  const held = (work: typeof once) =>
    withLease(store, demo.id, row.caseId, 'worker', (lease) => work(store, nameOf(row), lease, effect));
  let next: typeof once = once;
  for (let turn = 0; turn < 30; turn++) {
    try {
      const { status } = await held(next);
      if (!['FAILED_RETRYABLE', 'PLANNED', 'UNKNOWN'].includes(status)) return;
      next = once;
    } catch (error) {
      if (mortal.isDead()) throw error;
      if (error instanceof Busy) wait();
      else next = settle;
    }
  }
  throw new Error('it never ended');
}

/** One effect, of one worker that dies and one that comes after it, on a row and a clock of their own. */
async function life(receptions: Reception[], fatal?: Fatal) {
  const { clock, store } = onMovedClock(world.store);
  const party = partyWith(clock.now, ...receptions);
  const { row } = await stored(store, planned('NOTICE_MAIL'));
  const guesses: string[] = [];
  const watched = watching(store, ({ status, attempt }) => {
    if (status === 'FAILED_RETRYABLE' && party.accepted.length > 0) guesses.push(`at attempt ${String(attempt)}`);
  });
  const wait = () => clock.move(20_000);
  const first = worker(watched, fatal);
  const ended = carriedOut(first, row, party, wait);
  if (fatal) {
    await ended.catch(() => undefined);
    clock.move(leaseMs + skewMs + 1);
    await carriedOut(worker(watched), row, party, wait);
  } else await ended;
  return { party, guesses, calls: first.calls(), row: await readEffect(store, nameOf(row)) };
}

/** Tells of every status that is written to the ledger. */
function watching(store: Store, tell: (set: Record<string, unknown>) => void): Store {
  const { table } = store;
  return {
    ...store,
    table: {
      ...table,
      write: async (write) => {
        const answer = await table.write(write);
        if (write.kind === 'update') tell(write.update.set ?? {});
        return answer;
      },
    },
  };
}

/** How often the party accepted, and how the row may end, if its worker did not die. */
const stories: [Reception[], number, LedgerRow['status']][] = [
  [['accepts'], 1, 'CONFIRMED'],
  [['refuses'], 0, 'FAILED_FINAL'],
  [['answers later'], 1, 'SENT'],
  [['is busy', 'accepts'], 1, 'CONFIRMED'],
  [['never takes it'], 0, 'FAILED_FINAL'],
  [['accepts, answer lost'], 1, 'CONFIRMED'],
  [['accepts late'], 1, 'CONFIRMED'],
  [['was not reached', 'accepts'], 1, 'CONFIRMED'],
  [['was not reached', 'accepts, answer lost'], 1, 'CONFIRMED'],
  [['accepts, then fails'], 1, 'CONFIRMED'],
  [['fails before', 'answers later'], 1, 'SENT'],
];

describe('an effect has one end, wherever its worker dies', () => {
  for (const [receptions, accepted, status] of stories)
    it(`when the party ${receptions.join(', then ')}`, async () => {
      const clean = await life([...receptions]);
      expect([clean.party.accepted.length, clean.row.status]).toEqual([accepted, status]);
      const lives = await Promise.all(
        deaths(clean.calls).map(async (fatal) => ({ fatal, ...(await life([...receptions], fatal)) })),
      );
      for (const { fatal, party, row, guesses } of lives) {
        const death = `died at call ${fatal.call}, ${fatal.landed ? 'after' : 'before'} it landed`;
        expect([death, party.accepted.length <= 1, new Set(party.sent).size <= 1, guesses]).toEqual([
          death,
          true,
          true,
          [],
        ]);
        // A death may use up a fault that the party had in store, so a refusal may become an acceptance, never a guess.
        const truth = {
          CONFIRMED: party.accepted.length === 1,
          SENT: party.accepted.length === 1,
          FAILED_FINAL: accepted === 0,
        };
        expect([death, row.status, truth[row.status as keyof typeof truth]]).toEqual([death, row.status, true]);
      }
    });
});
