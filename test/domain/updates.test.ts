import { describe, expect, it } from 'vitest';
import { ref } from '../../domain/refs.ts';
import {
  approved,
  c1,
  cai,
  dan,
  inEnforcement,
  open,
  p1,
  party,
  sue,
  tenant,
  today,
  tomorrow,
  yesterday,
} from './builders.ts';
import { answerTo, ask, but } from './ask.ts';
import { scenes } from './scenes.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const suspended = { suspendedUntil: tomorrow };

describe('updateCase', () => {
  const scene = scenes.updateCase;
  const only = (command: object) => but(scene, { command: { title: undefined, priority: undefined, ...command } });

  it('changes what is named and nothing else, and says what it was', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({
      title: 'Unmarked weights',
      priority: 'HIGH',
      summary: 'A trader weighs with unmarked scales.',
      version: 6,
      contentVersion: 5,
      touched: { title: 6, priority: 6 },
    });
    expect(transitionOf(scene).event).toMatchObject({
      changed: ['title', 'priority'],
      details: { was: { title: 'Unmarked scales', priority: 'NORMAL' }, title: 'Unmarked weights', priority: 'HIGH' },
    });
  });

  it('does not write a field that is so already', () => {
    expect(transitionOf(only({ title: 'Unmarked scales', priority: 'LOW' })).event.changed).toEqual(['priority']);
  });

  it('of the due date alone leaves the content that a review pins', () => {
    const due = only({ dueAt: tomorrow });
    expect(after(due, ref.case(c1))).toMatchObject({ dueAt: tomorrow, version: 6, contentVersion: 4 });
    const without = { ...only({ dueAt: null, expectedVersion: 6 }), items: commit(transitionOf(due), due.items) };
    expect(after(without, ref.case(c1))).not.toHaveProperty('dueAt');
  });

  it('names the next working day where the due date is none', () => {
    const holidays = ['2026-07-10', '2026-07-13'];
    const { answer } = ask(but(only({ dueAt: '2026-07-10' }), { items: [[ref.tenant(), { ...tenant, holidays }]] }));
    expect(answer).toMatchObject({
      details: { rule: 'WORKING_DAY' },
      message: 'is no working day; the next one is 2026-07-14',
    });
  });

  it('of two with the same version lets one through', () => {
    const rival = transitionOf(only({ summary: 'Another.' }));
    expect(broken(rival, commit(transitionOf(scene), scene.items))).toEqual(['case']);
  });

  for (const [who, actor] of [
    ['an investigator', cai],
    ['a supervisor', sue],
  ] as const)
    it(`is open to ${who}`, () => expect(answerTo(but(scene, { actor }))).toBe('done'));

  refuses(scene, [
    ['NOT_PERMITTED', 'to somebody without a part in it', { actor: dan }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once the case is decided', { items: [[ref.case(c1), approved()]] }],
    ['NO_CHANGE', 'when nothing is named', { command: { title: undefined, priority: undefined } }],
    ['NO_CHANGE', 'when all is so already', { command: { title: 'Unmarked scales', priority: 'NORMAL' } }],
    ['PRECONDITION_FAILED(SUSPENDED)', 'while the case is suspended', { case: suspended }],
    ['VALIDATION_FAILED(REQUIRED)', 'with an empty title', { command: { title: ' ' } }],
    ['VALIDATION_FAILED(TOO_LONG)', 'with a long summary', { command: { summary: 'x'.repeat(4_001) } }],
    ['VALIDATION_FAILED(LOCAL_DATE)', 'due on a day that does not exist', { command: { dueAt: '2026-02-30' } }],
    ['VALIDATION_FAILED(NOT_IN_PAST)', 'due yesterday', { command: { dueAt: yesterday } }],
    ['VALIDATION_FAILED(WORKING_DAY)', 'due on a Saturday', { command: { dueAt: '2026-07-11' } }],
    ['VALIDATION_FAILED(TOO_FAR)', 'due in another age', { command: { dueAt: '2126-07-11' } }],
    ['PRECONDITION_FAILED(TENANT_SETTINGS)', 'without settings', { items: [[ref.tenant(), undefined]] }],
  ]);

  it('takes today for a due date', () => {
    expect(answerTo(only({ dueAt: today }))).toBe('done');
  });
});

describe('updateParty', () => {
  const scene = scenes.updateParty;
  const enforcing = (more: object = {}) => ({ items: [[ref.case(c1), inEnforcement(more)]] }) as const;

  it('changes what is named, on the version of the party that was read', () => {
    expect(after(scene, ref.party(c1, p1))).toMatchObject({ addressLines: ['Jalan 3'], name: 'Ira', version: 2 });
    expect(after(scene, ref.case(c1))).toMatchObject({ version: 6, contentVersion: 5, touched: { parties: 6 } });
    const moved = but(scene, { items: [[ref.party(c1, p1), party({ version: 2 })]] });
    expect(broken(transitionOf(scene), moved.items)).toEqual(['party']);
  });

  it('holds personal values in the details of the party they are about', () => {
    expect(transitionOf(scene).event).toMatchObject({
      about: [p1],
      details: { partyId: p1, was: { addressLines: ['Jalan 1'] }, addressLines: ['Jalan 3'] },
    });
  });

  const counted = [
    ['SUBJECT', 'WITNESS', 0],
    ['WITNESS', 'SUBJECT', 2],
    ['WITNESS', 'COMPLAINANT', 1],
  ] as const;
  for (const [was, role, subjects] of counted)
    it(`counts ${subjects} subjects after one ${was} became ${role}`, () => {
      const there = but(scene, { command: { role }, items: [[ref.party(c1, p1), party({ role: was })]] });
      expect(after(there, ref.case(c1))).toMatchObject({ subjects });
    });

  it('takes the e-mail address away where service is by post', () => {
    const byPost = but(scene, { command: { email: null, serviceChannel: 'POST' } });
    const stored = after(byPost, ref.party(c1, p1));
    expect(stored).toMatchObject({ serviceChannel: 'POST' });
    expect(stored).not.toHaveProperty('email');
  });

  it('changes contact data during enforcement', () => {
    const there = but(scene, {
      ...enforcing({ openEffects: 1 }),
      command: { email: 'ira@new.example', safetyFlag: true },
    });
    expect(after(there, ref.party(c1, p1))).toMatchObject({ email: 'ira@new.example', safetyFlag: true });
    expect(after(there, ref.case(c1))).toMatchObject({ status: 'ENFORCEMENT', version: 6 });
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to somebody without a part in it', { actor: dan }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once the case is decided', { items: [[ref.case(c1), approved()]] }],
    ['REFERENCE_INVALID(partyId)', 'for a party of no such case', { command: { partyId: 'p2' } }],
    ['NO_CHANGE', 'when all is so already', { command: { addressLines: ['Jalan 1'], name: 'Ira' } }],
    ['PRECONDITION_FAILED(SUSPENDED)', 'while the case is suspended', { case: suspended }],
    [
      'PRECONDITION_FAILED(CONTACT_DATA_ONLY)',
      'of a name during enforcement',
      { ...enforcing(), command: { name: 'Ina' } },
    ],
    [
      'EFFECT_IN_FLIGHT',
      'of the address to which a notice may be on its way',
      { ...enforcing({ openEffects: 1 }), command: { email: null, serviceChannel: 'POST' } },
    ],
    ['VALIDATION_FAILED(REQUIRED)', 'without a name', { command: { name: '' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'of the address that service needs', { command: { email: null } }],
    ['VALIDATION_FAILED(EMAIL)', 'to what is no address', { command: { email: 'ira' } }],
    [
      'PRECONDITION_FAILED(TOO_MANY_PARTIES)',
      'to one subject too many',
      {
        command: { role: 'SUBJECT' },
        case: { subjects: 500 },
        items: [[ref.party(c1, p1), party({ role: 'WITNESS' })]],
      },
    ],
  ]);

  it('is open while the case is open only, where it is about who the party is', () => {
    expect(answerTo(but(scene, { command: { kind: 'ORGANISATION' }, items: [[ref.case(c1), open()]] }))).toBe('done');
  });
});
