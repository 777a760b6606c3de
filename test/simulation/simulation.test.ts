import { describe, expect, it } from 'vitest';
import { crashCases, faultsOfCase, nameOf } from './crashPoints.ts';
import { playOnEngine } from './enginePart.ts';
import { faultsOfRival, rivalCases } from './rivals.ts';
import { faultsOfSeed } from './seeds.ts';
import { shapes, withoutShape } from './shapes.ts';
import { newTally } from './story.ts';

/** A part of `npm run test:faults`, small enough for every run; a failure names what repeats it. */
describe('commands under faults', () => {
  it('have a prepared state each, so that none is left out', () => expect(withoutShape).toEqual([]));

  it('keep every promise in 150 stories', { timeout: 60_000 }, async () => {
    const broken: string[] = [];
    for (let seed = 1; seed <= 150; seed++)
      broken.push(...(await faultsOfSeed(seed, newTally())).map((fault) => `seed ${seed}: ${fault}`));
    expect(broken).toEqual([]);
  });

  for (const name of ['addInvestigator', 'openCase'])
    it(`keep every promise wherever ${name} dies, however often it is sent`, { timeout: 60_000 }, async () => {
      const broken: string[] = [];
      const of = shapes.filter((shape) => shape.name === name);
      for await (const crash of crashCases(of))
        broken.push(...(await faultsOfCase(crash)).map((fault) => `${nameOf(crash)}: ${fault}`));
      expect(broken).toEqual([]);
    });

  for (const name of ['reassignLead', 'recordRegistration'])
    it(`end as if one came after the other, whoever races ${name}`, { timeout: 60_000 }, async () => {
      const broken: string[] = [];
      for await (const rival of rivalCases(shapes.filter((shape) => shape.name === name)))
        broken.push(...(await faultsOfRival(rival)).map((fault) => `${rival.name}: ${fault}`));
      expect(broken).toEqual([]);
    });

  it('keep every promise in six stories on the real engine', { timeout: 60_000 }, async () => {
    const { violations } = await playOnEngine([1, 2, 3, 4, 5, 6], 6);
    expect(violations).toEqual([]);
  });
});
