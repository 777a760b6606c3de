import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AnyCommand, Envelope } from '../../domain/command.ts';
import { refused } from '../../domain/refusal.ts';
import { commands } from '../../domain/catalogue.ts';
import type { Found, Reads } from '../../domain/refs.ts';
import { givenOf, newSalt } from '../../store/given.ts';
import { execute } from '../../store/execute.ts';
import { keysOf, keyText } from '../../store/keys.ts';
import { entityOf, readSet } from '../../store/read.ts';
import type { Item } from '../../store/table-port.ts';
import { generationOf, liveRecord } from '../../store/record.ts';
import { toldBy, toldByCreation } from '../../store/told.ts';
import { planOf } from '../../store/writes.ts';
import { drawCaseNumber } from '../../store/caseNumber.ts';
import type { Execute } from './client.ts';
import { simulation } from './simulatedGround.ts';
import { newTally, tellStory } from './story.ts';

/**
 * What is usually written: the same reads, decision and transaction, but any failed condition is reported as a
 * conflict, a refusal is answered without asking the record again, and a time-out is tried once more and then failed.
 */
export const naively: Execute = async (store, envelope, command) => {
  const given = givenOf(envelope, command, store.now());
  const definition = commands.get(command.type)!;
  const keys = keysOf(given.tenant);
  const [item] = await store.table.batchGet([keys.command(given.commandId)]);
  const known = toldBy(liveRecord(item, store.now()), given);
  if (known && 'kind' in known) return { ...known, current: undefined };
  if (known) return { kind: 'done', ...known, replayed: true, current: undefined };

  const first = await readSet(store, given.tenant, definition.reads(command, given));
  const more = await readSet(store, given.tenant, definition.then?.(first, command, given) ?? {});
  const found = { ...first, ...more } as Found<Reads>;
  const caseNumber = definition.drawsCaseNumber ? await drawCaseNumber(store, given.tenant, '2026') : undefined;
  const next = definition.decide(found, command, { ...given, ...(caseNumber !== undefined && { caseNumber }) });
  if (next.kind === 'refused') return { ...next, current: undefined };
  const plan = planOf(next, command, given, generationOf(item), newSalt());
  for (let attempt = 1; ; attempt++) {
    try {
      await store.table.transactWrite(plan.writes, plan.token);
      return { kind: 'done', ...plan.result, replayed: false, current: plan.after };
    } catch (error) {
      if ((error as Error).name === 'TransactionCanceledException')
        return { ...refused('VERSION_CONFLICT', 'somebody else was faster'), current: undefined };
      if (attempt === 2) throw error;
    }
  }
};

/** Refusals that were not true when they were given, per thousand requests: naively and by our engine, in one and the same stories. */
export async function falseRefusals(seeds: number) {
  return { seeds, naive: await counted(seeds, naively), ours: await counted(seeds, execute) };
}

async function counted(seeds: number, how: Execute) {
  const tally = newTally();
  let refusals = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const { ground, scheduler, table } = simulation(seed);
    const judged: Execute = async (store, envelope, command) => {
      const answer = await how(store, envelope, command);
      if (answer.kind === 'refused' && !isTrue(envelope, command, table.dump(), ground.now())) refusals++;
      return answer;
    };
    await Promise.all([tellStory(ground, tally, judged), scheduler.run()]);
  }
  const { requests } = tally;
  return { requests, refusals, perThousand: Math.round((refusals / requests) * 10_000) / 10 };
}

/** Whether the command would be refused now, by somebody who sees everything at once. */
function isTrue(envelope: Envelope, command: AnyCommand, stored: readonly Item[], nowMs: number): boolean {
  const given = givenOf(envelope, command, nowMs);
  const keys = keysOf(given.tenant);
  const byKey = new Map(stored.map((item) => [keyText(item), item]));
  const told = toldBy(liveRecord(byKey.get(keyText(keys.command(given.commandId))), nowMs), given);
  if (told) return 'kind' in told;
  const definition = commands.get(command.type)!;
  const find = (reads: Reads) =>
    Object.fromEntries(
      Object.entries(reads).map(([name, about]) => [name, entityOf(byKey.get(keyText(keys.of(about))))]),
    ) as Found<Reads>;
  const first = find(definition.reads(command, given));
  const found = { ...first, ...find(definition.then?.(first, command, given) ?? {}) };
  if (toldByCreation(found, given)) return false;
  return definition.decide(found, command, { ...given, caseNumber: 'any' }).kind === 'refused';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await falseRefusals(Number(process.argv[2] ?? 1_000));
  mkdirSync('bench/results', { recursive: true });
  writeFileSync('bench/results/naive.json', `${JSON.stringify(figures, null, 2)}\n`);
  console.log(figures);
}
