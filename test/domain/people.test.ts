import { describe, expect, it } from 'vitest';
import { ref } from '../../domain/refs.ts';
import {
  ana,
  ben,
  c1,
  cai,
  closed,
  dan,
  inEnforcement,
  officer,
  rob,
  sue,
  tenant,
  today,
  tomorrow,
  underReview,
  yesterday,
} from './builders.ts';
import { scenes, standing } from './scenes.ts';
import { ask, but } from './ask.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const guardOf = (activeCount: number) =>
  [[ref.investigatorGuard(c1), { activeCount, officerIds: new Set(['cai', 'x', 'y'].slice(0, activeCount)) }]] as const;
const absentNow = officer(dan.id, { absentFrom: yesterday, absentTo: today });

describe('addInvestigator', () => {
  const scene = scenes.addInvestigator;

  it('takes a place in the guard and puts the membership, without moving the version', () => {
    expect(after(scene, ref.investigatorGuard(c1))).toEqual({ activeCount: 2, officerIds: new Set([cai.id, dan.id]) });
    expect(after(scene, ref.investigator(c1, dan.id))).toMatchObject({ officerId: dan.id, addedBy: ana.id });
    expect(after(scene, ref.case(c1))).toMatchObject({ version: 5, contentVersion: 4, touched: { parties: 2 } });
  });

  it('gives the last place to one of two who ask for it', () => {
    const last = but(scene, { items: guardOf(2) });
    const other = transitionOf(but(last, { command: { officerId: rob.id } }));
    expect(broken(other, commit(transitionOf(last), last.items))).toEqual(['investigatorGuard']);
  });

  it('adds one officer once, whoever asks', () => {
    const bySue = transitionOf(but(scene, { actor: sue }));
    expect(broken(bySue, commit(transitionOf(scene), scene.items))).toContain('investigator');
  });

  it('states the limit and the count when there is no place', () => {
    expect(ask(but(scene, { items: guardOf(3) })).answer).toMatchObject({ details: { limit: 3, count: 3 } });
  });

  const stricter = (investigators: number) =>
    ({ items: [[ref.tenant(), { ...tenant, limits: { ...tenant.limits, investigators } }]] }) as const;
  refuses(scene, [
    ['NOT_PERMITTED', 'to an investigator', { actor: cai }],
    ['ILLEGAL_TRANSITION', 'while the case is under review', { items: [[ref.case(c1), underReview()]] }],
    ['ALREADY_MEMBER', 'for a member', { command: { officerId: cai.id } }],
    ['PRECONDITION_FAILED(IS_LEAD)', 'for the lead', { command: { officerId: ana.id } }],
    [
      'SEPARATION_OF_DUTIES',
      'for who decided it',
      { command: { officerId: ben.id }, items: [[ref.case(c1), inEnforcement()]] },
    ],
    ['EXCLUDED', 'for who declared a conflict of interest', { items: [[ref.exclusion(c1, dan.id), {}]] }],
    ['REFERENCE_INVALID(officerId)', 'for who does not exist', { command: { officerId: 'nobody' } }],
    [
      'PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)',
      'for who leaves',
      { items: [[ref.officer(dan.id), officer(dan.id, { state: 'LEAVING' })]] },
    ],
    ['PRECONDITION_FAILED(OFFICER_ABSENT)', 'for who is absent today', { items: [[ref.officer(dan.id), absentNow]] }],
    ['LIMIT_REACHED', 'beyond three', { items: guardOf(3) }],
    ['LIMIT_REACHED', 'beyond fewer where the tenant says so', stricter(1)],
    ['LIMIT_REACHED', 'beyond three though the tenant says more', { items: [...guardOf(3), ...stricter(9).items] }],
  ]);
});

describe('removeInvestigator', () => {
  const scene = scenes.removeInvestigator;

  it('frees the place and deletes the membership', () => {
    expect(after(scene, ref.investigatorGuard(c1))).toEqual({ activeCount: 0, officerIds: new Set() });
    expect(after(scene, ref.investigator(c1, cai.id))).toBeUndefined();
    expect(after(scene, ref.case(c1))).toMatchObject({ version: 5 });
  });

  it('frees one place once, whoever asks', () => {
    const bySue = transitionOf(but(scene, { actor: sue }));
    expect(broken(bySue, commit(transitionOf(scene), scene.items))).toEqual(['investigatorGuard', 'investigator']);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to the member', { actor: cai }],
    ['ILLEGAL_TRANSITION', 'once the case is closed', { items: [[ref.case(c1), closed()]] }],
    ['PRECONDITION_FAILED(NOT_A_MEMBER)', 'for who is no member', { command: { officerId: dan.id } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
  ]);
});

describe('reassignLead', () => {
  const scene = scenes.reassignLead;

  it('moves the case and both loads', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({ leadOfficerId: dan.id, version: 6, contentVersion: 4 });
    expect(after(scene, ref.officer(ana.id))).toMatchObject({ activeLoad: 2, loadSeq: 4, version: 1 });
    expect(after(scene, ref.officer(dan.id))).toMatchObject({ activeLoad: 4, loadSeq: 4, version: 1 });
    expect(after(scene, ref.load(ana.id, c1))).toBeUndefined();
    expect(after(scene, ref.load(dan.id, c1))).toMatchObject({ officerId: dan.id, caseId: c1 });
  });

  it('takes the new lead out of the investigators', () => {
    const member = but(scene, { command: { leadOfficerId: cai.id } });
    expect(after(member, ref.investigatorGuard(c1))).toEqual({ activeCount: 0, officerIds: new Set() });
    expect(after(member, ref.investigator(c1, cai.id))).toBeUndefined();
  });

  it('leaves the case without a lead, and gives it one again', () => {
    const nobody = but(scene, { command: { leadOfficerId: null } });
    const items = commit(transitionOf(nobody), nobody.items);
    const again = { ...scene, items, command: { ...scene.command, expectedVersion: 6, expectedLeadOfficerId: null } };
    expect(after(nobody, ref.case(c1))).not.toHaveProperty('leadOfficerId');
    expect(after(again, ref.case(c1))).toMatchObject({ leadOfficerId: dan.id, version: 7 });
  });

  it('lets a supervisor override the limit, with a reason, and still counts', () => {
    const full = but(scene, { items: [[ref.officer(dan.id), officer(dan.id, { activeLoad: 40 })]] });
    const anyway = but(full, { command: { overrideLimitReason: 'nobody else knows the trade' } });
    expect(ask(full).answer).toMatchObject({ code: 'LIMIT_REACHED', details: { limit: 40, count: 40 } });
    expect(after(anyway, ref.officer(dan.id))).toMatchObject({ activeLoad: 41 });
    expect(transitionOf(anyway).event.details).toMatchObject({ overrideLimitReason: 'nobody else knows the trade' });
  });

  it('does not go through once the room is gone, the officer leaves, or becomes an investigator', () => {
    const next = transitionOf(scene);
    const full = [...scene.items, [ref.officer(dan.id), officer(dan.id, { activeLoad: 40 })]] as const;
    const leaving = [...scene.items, [ref.officer(dan.id), officer(dan.id, { state: 'LEAVING' })]] as const;
    const member = [...scene.items, [ref.investigator(c1, dan.id), { officerId: dan.id }]] as const;
    expect(broken(next, full)).toEqual(['officer']);
    expect(broken(next, leaving)).toEqual(['officer']);
    expect(broken(next, member)).toEqual(['investigator']);
  });

  const inReview = { items: [[ref.case(c1), underReview({ leadOfficerId: rob.id })]] } as const;
  const fromRob = { expectedLeadOfficerId: rob.id };
  refuses(scene, [
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['LEAD_CHANGED', 'when another leads by now', { command: { expectedLeadOfficerId: rob.id } }],
    ['LEAD_CHANGED', 'when nobody was thought to lead', { command: { expectedLeadOfficerId: null } }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once the case is closed', { items: [[ref.case(c1), closed()]] }],
    ['NO_CHANGE', 'for who leads already', { command: { leadOfficerId: ana.id } }],
    ['SEPARATION_OF_DUTIES', 'for the reviewer', { ...inReview, command: { ...fromRob, leadOfficerId: ben.id } }],
    ['SEPARATION_OF_DUTIES', 'for the submitter', { ...inReview, command: { ...fromRob, leadOfficerId: ana.id } }],
    [
      'SEPARATION_OF_DUTIES',
      'for who decided it',
      { items: standing(inEnforcement()), command: { leadOfficerId: ben.id } },
    ],
    ['EXCLUDED', 'for who declared a conflict of interest', { items: [[ref.exclusion(c1, dan.id), {}]] }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
    ['VALIDATION_FAILED(REQUIRED)', 'with an override and no reason for it', { command: { overrideLimitReason: ' ' } }],
    ['REFERENCE_INVALID(leadOfficerId)', 'for who does not exist', { command: { leadOfficerId: 'nobody' } }],
    ['PRECONDITION_FAILED(OFFICER_ABSENT)', 'for who is absent today', { items: [[ref.officer(dan.id), absentNow]] }],
  ]);

  it('is open to who is absent from tomorrow', () => {
    const soon = officer(dan.id, { absentFrom: tomorrow, absentTo: tomorrow });
    expect(transitionOf(but(scene, { items: [[ref.officer(dan.id), soon]] })).announces).toBe('LeadReassigned');
  });
});
