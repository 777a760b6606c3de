import { faultsIn } from './checks.ts';
import { simulation, type Between } from './simulatedGround.ts';
import { tellStory, type Tally } from './story.ts';
import type { Execute } from './client.ts';

/** Plays one seed on the simulated database and answers what is wrong afterwards. */
export async function faultsOfSeed(seed: number, tally: Tally, between?: Between, how?: Execute): Promise<string[]> {
  const { ground, scheduler } = simulation(seed, {}, between);
  let ended = false;
  const story = tellStory(ground, tally, how).then(() => (ended = true));
  await scheduler.run();
  if (!ended) return ['I10 the story did not end'];
  await story;
  const faults = faultsIn(ground.history, await ground.dump());
  return scheduler.waiting() > 0 ? [...faults, 'I10 somebody still waits'] : faults;
}
