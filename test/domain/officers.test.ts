import { describe, expect, it } from 'vitest';
import { claim } from '../../domain/claim.ts';
import { roles } from '../../domain/command.ts';
import { officerStates } from '../../domain/officer/officer.ts';
import { permits } from '../../domain/policy.ts';
import { ref } from '../../domain/refs.ts';
import { ana, dan, now, officer, rob, sue, today, tomorrow, yesterday } from './builders.ts';
import { answerTo, ask, but, itemIn, type Difference, type Scene } from './ask.ts';
import { emailOf, officerScenes } from './otherScenes.ts';
import { scenes } from './scenes.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const inState = (state: 'ACTIVE' | 'LEAVING' | 'INACTIVE'): Difference => ({
  items: [[ref.officer(dan.id), officer(dan.id, { state })]],
});

describe('a command on an officer', () => {
  for (const [name, scene] of Object.entries<Scene>(officerScenes)) {
    it(`${name} is for supervisors, about officers who are still here`, () => {
      for (const role of roles)
        for (const state of officerStates) {
          const actor = { id: ana.id, roles: [role] };
          const answer = answerTo(but(scene, { actor, ...inState(state) }));
          const unseen = permits('OFFICER_READ', actor) ? 'NOT_PERMITTED' : 'NOT_FOUND';
          const allowed = state === 'INACTIVE' ? 'ILLEGAL_TRANSITION' : 'done';
          expect(answer, `${role} ${state}`).toBe(role === 'SUPERVISOR' ? allowed : unseen);
        }
    });

    it(`${name} moves the officer's version, not the load`, () => {
      expect(after(scene, ref.officer(dan.id))).toMatchObject({ version: 2, activeLoad: 3, loadSeq: 3 });
    });

    it(`${name} lets a case come or go meanwhile, and no other change`, () => {
      const with_ = (change: object) => but(scene, { items: [[ref.officer(dan.id), officer(dan.id, change)]] }).items;
      expect(broken(transitionOf(scene), with_({ activeLoad: 4, loadSeq: 4 }))).toEqual([]);
      expect(broken(transitionOf(scene), with_({ version: 2 }))).toEqual(['officer']);
      expect(broken(transitionOf(scene), with_({ state: 'LEAVING' }))).toEqual(['officer']);
    });

    refuses(scene, [
      ['NOT_FOUND', 'for nobody', { command: { officerId: 'nobody' } }],
      ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 0 } }],
      ['VALIDATION_FAILED(REQUIRED)', 'without a version', { command: { expectedVersion: undefined } }],
    ]);
  }

  it('names the fields that moved since a stale version', () => {
    const moved = but(officerScenes.setOfficerLimit, {
      items: [[ref.officer(dan.id), officer(dan.id, { version: 3, touched: { email: 2, absence: 3 } })]],
      command: { expectedVersion: 2 },
    });
    expect(ask(moved).answer).toMatchObject({ details: { expected: 2, actual: 3, changedFields: ['absence'] } });
  });
});

describe('changeOfficerEmail', () => {
  const scene = officerScenes.changeOfficerEmail;
  const to = (email: string) => but(scene, { command: { email } });
  const taken = (status: 'CLAIMED' | 'RELEASED', ownerId: string): Difference => ({
    items: [[emailOf('dan.new@example.org'), { ...claim('Officer', ownerId, 'dan.new@example.org', now), status }]],
  });

  it('claims the new address and releases the old one, together', () => {
    const items = commit(transitionOf(scene), scene.items);
    expect(itemIn(items, ref.officer(dan.id))).toMatchObject({ email: 'dan.new@example.org', version: 2 });
    expect(itemIn(items, emailOf('dan.new@example.org'))).toMatchObject({ status: 'CLAIMED', ownerId: dan.id });
    expect(itemIn(items, emailOf('dan@example.org'))).toMatchObject({ status: 'RELEASED', ownerId: dan.id });
  });

  it('changes the display form only, where it is the same address', () => {
    const shown = to('Dan@Example.org');
    const { changes } = transitionOf(shown);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ kind: 'update', update: { set: { original: 'Dan@Example.org' } } });
    const { aggregate } = transitionOf(shown);
    expect(aggregate.after).toMatchObject({ email: 'Dan@Example.org' });
  });

  it('gives a released address back to who had it, and to nobody else', () => {
    const back = but(scene, taken('RELEASED', dan.id));
    expect(after(back, emailOf('dan.new@example.org'))).toMatchObject({ status: 'CLAIMED', ownerId: dan.id });
    expect(answerTo(but(scene, taken('RELEASED', 'eva')))).toBe('UNIQUE_VIOLATION');
    expect(broken(transitionOf(back), but(back, taken('CLAIMED', dan.id)).items)).toEqual(['unique']);
  });

  it('says who holds an address, and not who once did', () => {
    expect(ask(but(scene, taken('CLAIMED', 'eva'))).answer).toMatchObject({
      details: { field: 'email', holder: 'eva' },
    });
    const released = ask(but(scene, taken('RELEASED', 'eva'))).answer;
    expect(released).toMatchObject({ details: { field: 'email' } });
    expect(released).not.toHaveProperty('details.holder');
  });

  it('gives one of two who want it the address', () => {
    const rival = but(scene, taken('CLAIMED', 'eva'));
    expect(broken(transitionOf(scene), rival.items)).toEqual(['unique']);
  });

  refuses(scene, [
    ['NO_CHANGE', 'to what it is', { command: { email: 'dan@example.org' } }],
    ['VALIDATION_FAILED(EMAIL)', 'to what is no address', { command: { email: 'dan' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'to nothing', { command: { email: '' } }],
    ['UNIQUE_VIOLATION', 'to what belongs to somebody else', taken('CLAIMED', 'eva')],
    ['ILLEGAL_TRANSITION', 'of who is gone: their address is never reused', inState('INACTIVE')],
  ]);
});

describe('setOfficerLimit', () => {
  const scene = officerScenes.setOfficerLimit;

  it('takes nothing away below the load, and lets nothing in', () => {
    const lower = but(scene, { command: { maxLoad: 2 } });
    const items = commit(transitionOf(lower), lower.items);
    expect(itemIn(items, ref.officer(dan.id))).toMatchObject({ maxLoad: 2, activeLoad: 3 });
    const giving = but(scenes.reassignLead, { items: [[ref.officer(dan.id), itemIn(items, ref.officer(dan.id))]] });
    expect(answerTo(giving)).toBe('LIMIT_REACHED');
  });

  it('set meanwhile is noticed by who gives a case', () => {
    const lowered = but(scenes.reassignLead, { items: [[ref.officer(dan.id), officer(dan.id, { maxLoad: 3 })]] });
    expect(broken(transitionOf(scenes.reassignLead), lowered.items)).toEqual(['officer']);
  });

  refuses(scene, [
    ['NO_CHANGE', 'to what it is', { command: { maxLoad: 40 } }],
    ['VALIDATION_FAILED(RANGE)', 'below 1', { command: { maxLoad: 0 } }],
    ['VALIDATION_FAILED(RANGE)', 'above 1000', { command: { maxLoad: 1_001 } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
  ]);
});

describe('setOfficerAbsence', () => {
  const scene = officerScenes.setOfficerAbsence;
  const absent = (from: string, to: string, more: object = {}): Difference => ({
    command: { absence: { from, to, ...more } },
  });

  it('says when, and who stands in; and that somebody is back', () => {
    const items = commit(transitionOf(scene), scene.items);
    const gone = itemIn(items, ref.officer(dan.id));
    expect(gone).toMatchObject({ absentFrom: today, absentTo: tomorrow, delegateId: rob.id });
    const back = { ...scene, items, command: { ...scene.command, expectedVersion: 2, absence: null } };
    for (const name of ['absentFrom', 'absentTo', 'delegateId'])
      expect(after(back, ref.officer(dan.id))).not.toHaveProperty(name);
  });

  it('keeps new work away from the first day on', () => {
    const items = commit(transitionOf(scene), scene.items);
    const giving = but(scenes.reassignLead, { items: [[ref.officer(dan.id), itemIn(items, ref.officer(dan.id))]] });
    expect(answerTo(giving)).toBe('PRECONDITION_FAILED(OFFICER_ABSENT)');
  });

  refuses(scene, [
    ['NO_CHANGE', 'for who is not absent', { command: { absence: null } }],
    ['VALIDATION_FAILED(ENDS_BEFORE_IT_BEGINS)', 'that ends before it begins', absent(tomorrow, today)],
    ['VALIDATION_FAILED(NOT_IN_PAST)', 'that is over', absent(yesterday, yesterday)],
    ['VALIDATION_FAILED(LOCAL_DATE)', 'from a day that does not exist', absent('2026-02-30', tomorrow)],
    ['VALIDATION_FAILED(NOT_ITSELF)', 'with oneself to stand in', absent(today, today, { delegateId: dan.id })],
    ['REFERENCE_INVALID(delegateId)', 'with nobody to stand in', absent(today, today, { delegateId: 'nobody' })],
    [
      'PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)',
      'with somebody who leaves',
      { items: [[ref.officer(rob.id), officer(rob.id, { state: 'LEAVING' })]] },
    ],
    ['PRECONDITION_FAILED(TENANT_SETTINGS)', 'without settings', { items: [[ref.tenant(), undefined]] }],
  ]);

  it('may have begun already, and needs nobody to stand in', () => {
    expect(answerTo(but(scene, { ...absent(yesterday, today), actor: sue }))).toBe('done');
  });
});
