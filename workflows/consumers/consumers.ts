import type { Consumer } from '../../gateways/consumerEvents.ts';
import type { PublishedEvent } from '../../domain/ports.ts';
import type { Store } from '../../store/store.ts';
import { casesOpened } from './casesOpened.ts';
import { openCases } from './openCases.ts';

/** Everybody who follows events, by name. Each is harmless under duplicates and in any order. */
export const consumersOf = (store: Store): Consumer[] => [
  { name: 'openCases', handle: (event) => openCases(store, event) },
  { name: 'casesOpened', handle: (event) => casesOpened(store, event) },
];

/** One that fails does not keep the others from hearing; the first failure is thrown, and the event then comes again. */
export async function tellEach(consumers: readonly Consumer[], event: PublishedEvent): Promise<void> {
  const heard = await Promise.allSettled(consumers.map(({ handle }) => handle(event)));
  const failed = heard.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
