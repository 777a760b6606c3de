import { describe, expect, it } from 'vitest';
import { commands } from '../../domain/catalogue.ts';
import { ref, type Ref } from '../../domain/refs.ts';
import type { Transition } from '../../domain/transition.ts';
import { c1, cai, officer, rob } from './builders.ts';
import { documentScenes } from './documentScenes.ts';
import { operationScenes } from './operationScenes.ts';
import { beginnings, officerScenes } from './otherScenes.ts';
import { scenes } from './scenes.ts';
import { taskScenes } from './taskScenes.ts';
import { ask, but, nameOf, premisesOf, type Scene } from './ask.ts';
import { broken, transitionOf } from './stage.ts';

const everyScene: Record<string, Scene> = {
  ...beginnings,
  ...officerScenes,
  ...scenes,
  ...taskScenes,
  ...documentScenes,
  ...operationScenes,
};

describe('every command', () => {
  it('has a scene in which it is done', () => {
    expect(Object.keys(everyScene).sort()).toEqual([...commands.keys()].sort());
  });

  for (const [name, scene] of Object.entries(everyScene)) {
    it(`${name} is decided on premises that hold`, () => {
      expect(broken(transitionOf(scene), scene.items)).toEqual([]);
    });

    it(`${name} writes down everything it was decided on`, () => {
      const { reads, found, answer } = ask(scene);
      const written = new Set(premisesOf(answer as Transition).map(({ ref: about }) => nameOf(about)));
      const unwritten = Object.entries(reads)
        .filter(([read, about]) => found[read] !== undefined && !written.has(nameOf(about)))
        .filter(([read, about]) => !isConfiguration(about) && !isList(about) && !isUnused(scene, read))
        .map(([read]) => read);
      expect(unwritten).toEqual([]);
    });

    it(`${name} mutates no key twice`, () => {
      const next = transitionOf(scene);
      const mutated = [next.aggregate.ref, ...next.changes.filter(({ kind }) => kind !== 'check').map((c) => c.ref)];
      expect(new Set(mutated.map(nameOf)).size).toBe(mutated.length);
    });

    it(`${name} tells consumers ids and enum values only`, () => {
      const told = JSON.stringify(transitionOf(scene).payload);
      for (const personal of ['Ira', 'ira@example.org', 'Jalan', 'Wim', 'eva@example.org', 'dan.new'])
        expect(told).not.toContain(personal);
    });
  }

  it('of an investigator stands on the membership that let them in', () => {
    const scene = but(scenes.recordContravention, { actor: cai });
    const removed = but(scene, { items: [[ref.investigator(c1, cai.id), undefined]] });
    expect(broken(transitionOf(scene), removed.items)).toEqual(['investigator']);
  });

  it('says what an item that was validated must still be, so that a change in between is noticed', () => {
    const scene = but(scenes.assignReviewer, { command: { reviewerId: rob.id } });
    const next = transitionOf(scene);
    const leaving = but(scene, { items: [[ref.officer(rob.id), officer(rob.id, { state: 'LEAVING' })]] });
    expect(broken(next, leaving.items)).toEqual(['officer']);
    const declared = but(scene, { items: [[ref.exclusion(c1, rob.id), { officerId: rob.id }]] });
    expect(broken(next, declared.items)).toEqual(['exclusion']);
  });
});

/** A list read after the case stands on the case's audit sequence, which whatever changes it moves. */
const isList = (about: Ref) => about.of === 'openTasks';

/** A tenant's settings are configuration: as a premise they would be one hot item for all its cases. */
const isConfiguration = (about: Ref) => about.of === 'tenant';

/** Who investigates, and which teams the actor is in, is read to know what that grants; where it granted nothing, the decision is the same without it. */
function isUnused(scene: Scene, read: string): boolean {
  const granting: Record<string, Ref> = {
    investigatorGuard: ref.investigatorGuard(c1),
    actor: ref.officer(scene.actor.id),
  };
  const about = granting[read];
  if (!about) return false;
  const without = but(scene, { items: [[about, undefined]] });
  return JSON.stringify(ask(without).answer) === JSON.stringify(ask(scene).answer);
}
