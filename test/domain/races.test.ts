import { describe, expect, it } from 'vitest';
import { actionStatuses, noticeStatuses } from '../../domain/action/action.ts';
import { caseStatuses, classifications, findings, linkDirections, partyRoles } from '../../domain/case/case.ts';
import type { Attributes } from '../../domain/condition.ts';
import { documentStatuses } from '../../domain/document/document.ts';
import { ledgerStatuses } from '../../domain/effect.ts';
import { officerStates } from '../../domain/officer/officer.ts';
import { taskStatuses } from '../../domain/task/task.ts';
import type { Ref } from '../../domain/refs.ts';
import { underReview } from './builders.ts';
import { documentScenes } from './documentScenes.ts';
import { officerScenes } from './otherScenes.ts';
import { scenes } from './scenes.ts';
import { taskScenes } from './taskScenes.ts';
import { answerTo, ask, but, nameOf, type Scene } from './ask.ts';
import { broken, transitionOf } from './stage.ts';

/** Every word that a status, finding or role may become, so that each is tried wherever one stands. */
const words = [
  ...actionStatuses,
  ...noticeStatuses,
  ...ledgerStatuses,
  ...findings,
  ...officerStates,
  ...partyRoles,
  ...caseStatuses,
  ...linkDirections,
  ...classifications,
  ...taskStatuses,
  ...documentStatuses,
];

/** What a rival may have made of an item since it was read: there or gone, or one word or number different. */
function rivalsOf(about: Ref, item: Attributes | undefined): (Attributes | undefined)[] {
  if (!item) return [{ ownerId: 'x', officerId: 'x', actionId: 'x', status: 'CLAIMED' }];
  // Every change of a versioned item moves its version; an officer's load moves without it.
  const moved = about.of !== 'officer' && typeof item['version'] === 'number' ? { version: item['version'] + 1 } : {};
  const changes = Object.entries(item).flatMap(([name, value]) => others(value).map((other) => ({ [name]: other })));
  // A case that comes under review has one.
  const review = about.of === 'case' ? { review: underReview().review } : {};
  return [undefined, ...changes.map((change) => ({ ...review, ...item, ...moved, ...change }))];
}

function others(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1, value - 1, 1_000];
  return (words as unknown[]).includes(value) ? words : [];
}

describe('a rival who changes what a command was decided on', () => {
  for (const [name, scene] of Object.entries({ ...scenes, ...taskScenes, ...documentScenes, ...officerScenes }) as [
    string,
    Scene,
  ][])
    it(`is noticed by ${name}, wherever the answer would have been another`, () => {
      const { reads, found } = ask(scene);
      const next = transitionOf(scene);
      const own = nameOf(next.aggregate.ref);
      const others = Object.entries(reads).filter(
        ([, about]) => !['tenant', 'openTasks'].includes(about.of) && nameOf(about) !== own,
      );
      for (const [read, about] of others)
        for (const rival of rivalsOf(about, found[read])) {
          const meanwhile = but(scene, { items: [[about, rival]] });
          if (answerTo(meanwhile) !== 'done')
            expect(broken(next, meanwhile.items), `${about.of} became ${JSON.stringify(rival)}`).not.toEqual([]);
        }
    });
});
