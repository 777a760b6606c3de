import { commands } from '../domain/catalogue.ts';
import type { AnyCommand, Envelope } from '../domain/command.ts';
import { isRefused, type Refused } from '../domain/refusal.ts';
import { givenOf } from './given.ts';
import { readSet } from './read.ts';
import type { Store } from './store.ts';

/** How the command would be decided as things stand: the refusal, or nothing. By its own rule, and without a trace. */
export async function wouldBe(store: Store, envelope: Envelope, command: AnyCommand): Promise<Refused | undefined> {
  const definition = commands.get(command.type)!;
  const given = givenOf(envelope, command, store.now());
  const first = await readSet(store, given.tenant, definition.reads(command, given));
  const more = definition.then?.(first, command, given) ?? {};
  const second = Object.keys(more).length > 0 ? await readSet(store, given.tenant, more) : {};
  const answer = definition.decide({ ...first, ...second }, command, given);
  return isRefused(answer) ? answer : undefined;
}
