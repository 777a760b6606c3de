import { attemptsOf, policy } from '../../store/attempts.ts';
import { keysOf } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';
import type { Plan } from '../../store/writes.ts';
import { answered } from '../store/faults.ts';
import type { Item } from '../../store/table-port.ts';
import { ask, newRequest } from './client.ts';
import { noFaults } from './faultPlan.ts';
import { lostSends } from './lostSends.ts';
import { addParty, counted, hashOf, key, play, recordOf, result, type Rule } from './played.ts';
import type { Between, Simulation } from './simulatedGround.ts';

/** The rules that do not hold, each with why. */
export async function rulesBroken(between: Between = (table) => table): Promise<[says: string, fault: string][]> {
  const broken: [string, string][] = [];
  for (const { says, holds } of rules) {
    const held = await holds(between).catch((error: unknown) => (error as Error).message);
    if (held !== true) broken.push([says, held === false ? 'does not hold' : held]);
  }
  return broken;
}

export const rules: readonly Rule[] = [
  ...lostSends,
  {
    says: 'a run in progress is answered with its handle',
    holds: async (between) => {
      const { request } = await play(between, { record: { status: 'IN_PROGRESS', executionName: 'run-1', result } });
      return request.answer?.kind === 'done' && request.answer.run === 'run-1' && request.answer.replayed;
    },
  },
  {
    says: 'a replay leaves the record as it is, hash and all',
    holds: async (between) => {
      let before = '';
      const record = (stored: readonly Item[]) => JSON.stringify(stored.find(({ sk }) => sk === 'COMMAND'));
      const { request, stored } = await play(between, {
        afterwards: async ({ ground, table }) => {
          before = record(table.dump());
          await ask(ground, ground.start(noFaults), newRequest(ground, addParty.actor, addParty.command, key));
        },
      });
      return request.outcome === 'ok' && before === record(stored);
    },
  },
  {
    says: 'a final failure is answered with its refusal',
    holds: async (between) => {
      const refusal = { kind: 'refused', code: 'HOLD_ACTIVE', message: 'held', details: {} } as const;
      const { request } = await play(between, { record: { status: 'FAILED_FINAL', refusal } });
      return request.answer?.kind === 'refused' && request.answer.code === 'HOLD_ACTIVE';
    },
  },
  {
    says: 'a failure that may be retried is resumed, with its generation raised',
    holds: async (between) => {
      const { request, stored } = await play(between, { record: { status: 'FAILED_RETRYABLE', generation: 4 } });
      const record = stored.find(({ sk }) => sk === 'COMMAND');
      return request.outcome === 'ok' && record?.['generation'] === 5 && record['status'] === 'COMPLETED';
    },
  },
  {
    says: 'a run that ends while it is taken up again is not replaced',
    holds: async (between) => {
      // A redrive completes the round that was read as failed: its generation stays, its status does not.
      let world: Simulation | undefined;
      const ending: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: (writes, token) => {
          const record = { status: 'COMPLETED', generation: 4, requestHash: hash, expiresAt: 4e9, result } as const;
          world!.table.put(...recordOf(world!.ground, request, record));
          return between(table, request).transactWrite(writes, token);
        },
      });
      const hash = await hashOf(addParty);
      const begun = (begun: Simulation) => void (world = begun);
      const { request } = await play(ending, { record: { status: 'FAILED_RETRYABLE', generation: 4 }, begun });
      return request.answer?.kind === 'done' && request.answer.replayed;
    },
  },
  {
    says: 'the last attempt is made at the last moment that leaves time for a fence',
    holds: async () => {
      let at = 0;
      const sleep = (ms: number) => Promise.resolve(void (at += ms));
      const store = { now: () => at, monotonic: () => at, random: () => 0.999, sleep } as unknown as Store;
      const attempts = attemptsOf(store, policy.attempt + policy.reservedForFence + 500);
      for (let i = 0; i < 5; i++) await attempts.pause('IN_PROGRESS');
      return Math.round(at) === 500 && !attempts.mayTry();
    },
  },
  {
    says: 'a table that contradicts itself is an alarm after a second read, and neither a conflict nor a success',
    holds: async (between) => {
      const stray = { pk: keysOf('t1' as never).casePartition('c1' as never), sk: 'EVENT#0000000001', stray: true };
      const { request, stored } = await play(between, { items: [stray] });
      return request.error?.name === 'InvariantBreach' && stored.some((item) => item['stray'] === true);
    },
  },
  {
    says: 'a token known with other bytes is answered by the record',
    holds: async (between) => {
      const mismatched: Between = (table, request) => ({
        ...between(table, request),
        transactWrite: async (writes, token) => {
          await between(table, request).transactWrite(writes, token);
          throw answered('IdempotentParameterMismatchException', 400);
        },
      });
      const { request } = await play(mismatched);
      return request.answer?.kind === 'done' && request.answer.replayed;
    },
  },
  {
    says: 'a token is not used again nine minutes after its first use',
    holds: () => {
      let at = 0;
      const store = { now: () => 0, monotonic: () => at } as unknown as Store;
      const attempts = attemptsOf(store, undefined);
      const plan = { token: 'one', generation: 0 } as Plan;
      const before = attempts.mayResend(plan);
      at = policy.tokenLife + 1;
      return Promise.resolve(before && !attempts.mayResend(plan));
    },
  },
  {
    says: 'a deadline of zero has been reached',
    holds: async (between) => {
      let calls = 0;
      const counting: Between = (table, request) => counted(between(table, request), () => calls++);
      const { request } = await play(counting, { timeoutMs: 0 });
      return request.error?.name === 'Busy' && calls === 0;
    },
  },
  {
    says: 'a record that has expired and is still there counts as absent; records expire in whole seconds',
    holds: async (between) => {
      const record = { status: 'COMPLETED', requestHash: 'of another request', expiresAt: 1e9, result } as const;
      const { request, stored } = await play(between, { record });
      const expiresAt = stored.find(({ sk }) => sk === 'COMMAND')?.['expiresAt'] as number;
      return request.outcome === 'ok' && Number.isInteger(expiresAt) && expiresAt > 1e9 && expiresAt < 1e10;
    },
  },
];
