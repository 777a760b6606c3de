import { refused } from '../../domain/refusal.ts';
import { commands } from '../../domain/catalogue.ts';
import type { Found, Reads } from '../../domain/refs.ts';
import { givenOf, newSalt } from '../../store/given.ts';
import { keysOf } from '../../store/keys.ts';
import { readSet } from '../../store/read.ts';
import { generationOf, liveRecord } from '../../store/record.ts';
import { toldBy } from '../../store/told.ts';
import { planOf } from '../../store/writes.ts';
import { drawCaseNumber } from '../../store/caseNumber.ts';
import type { Execute } from './client.ts';
import { faultsOfSeed } from './seeds.ts';
import { newTally } from './story.ts';

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

/** False refusals per thousand requests, naively and by our engine, in the same stories. */
export async function falseRefusals(seeds: number) {
  const count = async (how?: Execute) => {
    const tally = newTally();
    let refusals = 0;
    for (let seed = 1; seed <= seeds; seed++)
      refusals += (await faultsOfSeed(seed, tally, undefined, how)).filter((fault) => fault.startsWith('I5')).length;
    return { requests: tally.requests, refusals, perThousand: Math.round((refusals / tally.requests) * 10_000) / 10 };
  };
  return { seeds, naive: await count(naively), ours: await count() };
}
