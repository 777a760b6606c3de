import { describe, expect, it } from 'vitest';
import { claim } from '../../domain/claim.ts';
import type { CaseId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { ana, ben, cai, now, officer, sue, tenant, today, yesterday } from './builders.ts';
import { ask, but } from './ask.ts';
import { beginnings, emailOf } from './otherScenes.ts';
import { after, broken, refuses, transitionOf } from './stage.ts';

describe('registerOfficer', () => {
  const scene = beginnings.registerOfficer;
  const taken = { items: [[emailOf('eva@example.org'), claim('Officer', 'dan', 'eva@example.org', now)]] } as const;

  it('begins with a load of 0 and the limit of the tenant, and claims the address', () => {
    const { created } = transitionOf(scene);
    expect(after(scene, ref.officer(created['officer'] as never))).toMatchObject({
      activeLoad: 0,
      maxLoad: 40,
      version: 1,
    });
    expect(broken(transitionOf(scene), but(scene, taken).items)).toEqual(['unique']);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to anybody but a supervisor', { actor: ana }],
    ['UNIQUE_VIOLATION', 'with an address that is, or was, taken', taken],
    ['VALIDATION_FAILED(OFFICER_ID)', 'with an id that no token has', { command: { officerId: 'a b' } }],
    ['VALIDATION_FAILED(EMAIL)', 'with what is no address', { command: { email: 'eva' } }],
    ['VALIDATION_FAILED(REGION)', 'in no region', { command: { region: 'the west' } }],
    ['VALIDATION_FAILED(TEAM)', 'in no team', { command: { teams: ['a team'] } }],
    ['VALIDATION_FAILED(AT_MOST)', 'in too many teams', { command: { teams: Array.from({ length: 21 }, () => 't') } }],
    ['VALIDATION_FAILED(RANGE)', 'with a limit of 0', { command: { maxLoad: 0 } }],
    ['PRECONDITION_FAILED(TENANT_SETTINGS)', 'without settings', { items: [[ref.tenant(), undefined]] }],
  ]);
});

describe('openCase', () => {
  const externalReference = { sourceSystem: 'REG', value: '2026-0001' };
  const scene = but(beginnings.openCase, {
    command: { leadOfficerId: ana.id, externalReference },
    items: [[ref.officer(ana.id), officer(ana.id)]],
  });
  const reference = ref.unique('EXTERNAL_REF', 'REG', '2026-0001');
  const taken = { items: [[reference, claim('Case', 'c9', '2026-0001', now)]] } as const;
  const led = (change: object) => ({ items: [[ref.officer(ana.id), officer(ana.id, change)]] }) as const;

  it('counts for its lead and its region, and claims its reference', () => {
    const id = transitionOf(scene).created['case'] as CaseId;
    expect(after(scene, ref.officer(ana.id))).toMatchObject({ activeLoad: 4 });
    expect(after(scene, ref.load(ana.id, id))).toMatchObject({ caseId: id });
    expect(after(scene, ref.openCases('WEST', 7))).toEqual({ count: 1 });
    expect(after(scene, reference)).toMatchObject({ status: 'CLAIMED', ownerId: id });
    expect(broken(transitionOf(scene), but(scene, taken).items)).toEqual(['unique']);
  });

  it('says which case holds a reference that is taken', () => {
    expect(ask(but(scene, taken)).answer).toMatchObject({ details: { field: 'externalReference', holder: 'c9' } });
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to a reviewer', { actor: ben }],
    ['NOT_PERMITTED', 'to an investigator', { actor: cai }],
    ['UNIQUE_VIOLATION', 'with a reference that is taken, for ever', taken],
    ['VALIDATION_FAILED(REGION)', 'in no region', { command: { region: 'the west' } }],
    [
      'VALIDATION_FAILED(SOURCE_SYSTEM)',
      'from no source system',
      { command: { externalReference: { sourceSystem: 'reg', value: '1' } } },
    ],
    ['REFERENCE_INVALID(leadOfficerId)', 'for a lead who does not exist', { command: { leadOfficerId: 'nobody' } }],
    ['PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)', 'for a lead who leaves', led({ state: 'LEAVING' })],
    [
      'PRECONDITION_FAILED(OFFICER_ABSENT)',
      'for a lead who is absent',
      led({ absentFrom: yesterday, absentTo: today }),
    ],
    ['LIMIT_REACHED', 'for a lead without room', led({ activeLoad: 40 })],
    ['PRECONDITION_FAILED(TENANT_SETTINGS)', 'without settings', { items: [[ref.tenant(), undefined]] }],
  ]);

  it('is open to a supervisor, for an officer below the limit that is their own', () => {
    const own = but(scene, { actor: sue, ...led({ activeLoad: 3, maxLoad: 4 }) });
    expect(transitionOf(own).announces).toBe('CaseOpened');
    expect(tenant.limits.defaultMaxLoad).toBe(40);
  });
});
