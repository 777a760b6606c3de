import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  actionStatuses,
  actionTypes,
  noticeStatuses,
  type EnforcementAction,
  type Notice,
} from '../../domain/action/action.ts';
import { caseStatuses, classifications, type Case, type CaseStatus } from '../../domain/case/case.ts';
import { roles, type Actor, type Role } from '../../domain/command.ts';
import { documentStatuses } from '../../domain/document/document.ts';
import type { OfficerId } from '../../domain/ids.ts';
import {
  availableActions,
  availableActionsOn,
  availableActionsOnDocument,
  relationsOf,
  sees,
  type Access,
  type Availability,
  type Relation,
} from '../../domain/policy.ts';
import { ref } from '../../domain/refs.ts';
import {
  a1,
  action,
  approved,
  c1,
  cai,
  closed,
  d1,
  document,
  inEnforcement,
  n1,
  notice,
  officer,
  open,
  party,
  p1,
  registered,
  rejected,
  rob,
  underReview,
} from './builders.ts';
import { documentScenes, quarantined } from './documentScenes.ts';
import { beforeService, scenes, standing, type CaseCommand } from './scenes.ts';
import { ask, type Items, type Scene } from './ask.ts';

const eva = 'eva' as OfficerId;
const relations: readonly Relation[] = ['opener', 'lead', 'investigator', 'reviewer', 'submitter', 'excluded'];
const bases = {
  OPEN: open,
  UNDER_REVIEW: underReview,
  APPROVED: approved,
  REJECTED: rejected,
  ENFORCEMENT: inEnforcement,
  REGISTERED: registered,
  CLOSED: closed,
} satisfies Record<CaseStatus, () => Case>;

type Setting = { status: CaseStatus; held: readonly Relation[]; roles: readonly Role[]; restricted: boolean };

/** Eva, in these roles and with these relations to a case in this status. */
function settingOf({ status, held, roles, restricted }: Setting) {
  const actor: Actor = { id: eva, roles };
  const base: Case = bases[status]();
  const current: Case = {
    ...base,
    ...(held.includes('opener') && { openedBy: eva }),
    ...(held.includes('lead') && { leadOfficerId: eva }),
    ...(restricted && { classification: 'RESTRICTED' }),
    ...('review' in base && {
      review: {
        ...base.review,
        ...(held.includes('reviewer') && { reviewerId: eva }),
        ...(held.includes('submitter') && { submittedBy: eva }),
      },
    }),
  };
  const investigators = new Set(held.includes('investigator') ? [cai.id, eva] : [cai.id]);
  const excluded = held.includes('excluded');
  const items: Items = [
    [ref.case(c1), current],
    [ref.investigatorGuard(c1), { activeCount: investigators.size, officerIds: investigators }],
    [ref.officer(eva), officer(eva)],
    ...(held.includes('investigator') ? ([[ref.investigator(c1, eva), { officerId: eva }]] as const) : []),
    ...(excluded ? ([[ref.exclusion(c1, eva), { officerId: eva, reason: 'kin' }]] as const) : []),
  ];
  const access: Access = { actor, relations: relationsOf(eva, current, investigators, excluded) };
  return { actor, current, items, access };
}

const policyCodes = [
  'NOT_FOUND',
  'NOT_PERMITTED',
  'SEPARATION_OF_DUTIES',
  'NOT_THE_REVIEWER',
  'EXCLUDED',
  'ILLEGAL_TRANSITION',
];

const codeOf = (scene: Scene) => {
  const { answer } = ask(scene);
  return answer.kind === 'refused' ? answer.code : 'done';
};

/** What is offered is never refused by policy or status; what is not offered is refused with the code it names. */
function agrees({ refusal }: Availability, scene: Scene) {
  const code = codeOf(scene);
  if (refusal) expect(code).toBe(refusal.code);
  else expect(policyCodes).not.toContain(code);
}

function caseSceneOf(command: CaseCommand, setting: Setting): Scene & ReturnType<typeof settingOf> {
  const { actor, current, items, access } = settingOf(setting);
  const rest =
    command === 'assignReviewer'
      ? { reviewerId: setting.roles.includes('SUPERVISOR') ? rob.id : eva }
      : command === 'reassignLead'
        ? { expectedLeadOfficerId: current.leadOfficerId }
        : {};
  const scene = scenes[command];
  return {
    actor,
    current,
    access,
    command: { ...scene.command, ...rest },
    items: [...standing(current), ...items],
  };
}

const offered = availableActions(settingOf({ status: 'OPEN', held: [], roles: [], restricted: false }).access, open());
/** Those on documents, which are offered by their documents, have scenes of their own. */
const offeredCommands = offered.map((one) => one.command as CaseCommand);

describe('availableActions', () => {
  for (const command of offeredCommands)
    it(`says of ${command}, for every role, relation and status, what the command answers`, () => {
      for (const role of roles)
        for (const relation of [undefined, ...relations])
          for (const status of caseStatuses) {
            const held = relation ? [relation] : [];
            const scene = caseSceneOf(command, { status, held, roles: [role], restricted: false });
            if (!sees(scene.access, scene.current)) expect(codeOf(scene)).toBe('NOT_FOUND');
            else agrees(availabilityOf(command, availableActions(scene.access, scene.current)), scene);
          }
    });

  it('says the same for people with several roles and several parts in a case', () => {
    const settings = fc.record({
      command: fc.constantFrom(...offeredCommands),
      status: fc.constantFrom(...caseStatuses),
      held: fc.subarray([...relations]),
      roles: fc.subarray([...roles]),
      restricted: fc.boolean(),
    });
    fc.assert(
      fc.property(settings, ({ command, ...setting }) => {
        const scene = caseSceneOf(command, setting);
        if (!sees(scene.access, scene.current)) expect(codeOf(scene)).toBe('NOT_FOUND');
        else agrees(availabilityOf(command, availableActions(scene.access, scene.current)), scene);
      }),
      { numRuns: 3_000 },
    );
  });

  it('offers nothing that workflows do, and nothing about an action', () => {
    const names: string[] = offered.map(({ command }) => command);
    expect(names.filter((name) => name.startsWith('recordNotice') || name.startsWith('recordReg'))).toEqual([]);
    expect(names).not.toContain('serveNotice');
  });
});

const actionCommands = availableActionsOn(
  settingOf({ status: 'ENFORCEMENT', held: [], roles: [], restricted: false }).access,
  inEnforcement(),
  action(),
  notice(),
).map(({ command }) => command);

describe('availableActionsOn', () => {
  it('says of every command on an action what the command answers, wherever case, action and notice stand', () => {
    const settings = fc.record({
      command: fc.constantFrom(...actionCommands),
      status: fc.constantFrom(...caseStatuses),
      held: fc.subarray([...relations]),
      roles: fc.oneof(fc.subarray([...roles]), fc.constant<Role[]>(['SUPERVISOR'])),
      restricted: fc.boolean(),
      type: fc.constantFrom(...actionTypes),
      actionStatus: fc.constantFrom(...actionStatuses),
      noticeStatus: fc.constantFrom(undefined, ...noticeStatuses),
    });
    fc.assert(
      fc.property(settings, ({ command, type, actionStatus, noticeStatus, ...setting }) => {
        const { actor, current, access, items } = settingOf(setting);
        const stands: EnforcementAction = action({ type, status: actionStatus, noticeId: noticeStatus && n1 });
        const its: Notice | undefined = noticeStatus && notice({ status: noticeStatus });
        const scene: Scene = {
          actor,
          command: { ...scenes[command].command, expectedVersion: stands.version },
          items: [
            ...beforeService,
            ...items,
            [ref.party(c1, p1), party()],
            [ref.action(c1, a1), stands],
            [ref.notice(c1, n1), its],
          ],
        };
        if (sees(access, current))
          agrees(availabilityOf(command, availableActionsOn(access, current, stands, its)), scene);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('availableActionsOnDocument', () => {
  it('says of every command on a document what the command answers, wherever case and document stand', () => {
    const settings = fc.record({
      command: fc.constantFrom(...documentCommands),
      status: fc.constantFrom(...caseStatuses),
      held: fc.subarray([...relations]),
      roles: fc.subarray([...roles]),
      restricted: fc.boolean(),
      documentStatus: fc.constantFrom(...documentStatuses),
      secret: fc.constantFrom(...classifications),
      activeHolds: fc.constantFrom(0, 1),
    });
    fc.assert(
      fc.property(settings, ({ command, documentStatus, secret, activeHolds, ...setting }) => {
        const { actor, current: base, access, items } = settingOf(setting);
        const current: Case = { ...base, activeHolds, pendingDocuments: 1 };
        const stands = document({ status: documentStatus, classification: secret });
        const its = documentStatus === 'QUARANTINED' ? { ...stands, quarantine: quarantined.quarantine! } : stands;
        const scene: Scene = {
          actor,
          command: { ...documentScenes[command].command, documentId: d1, expectedVersion: its.version },
          items: [...standing(current), ...items, [ref.case(c1), current], [ref.document(c1, d1), its]],
        };
        if (!sees(access, current)) return void expect(codeOf(scene)).toBe('NOT_FOUND');
        const all = availableActionsOnDocument(access, current, its);
        const offer = all.find((one) => one.command === command)!;
        if (!sees(access, its)) expect(codeOf(scene)).toMatch(/NOT_FOUND|NOT_PERMITTED|EXCLUDED/);
        else if (offer.refusal) expect(codeOf(scene)).toBe(offer.refusal.code);
        else expect([...policyCodes, 'HOLD_ACTIVE']).not.toContain(codeOf(scene));
      }),
      { numRuns: 3_000 },
    );
  });
});
const documentCommands = Object.keys(documentScenes) as (keyof typeof documentScenes)[];

const availabilityOf = (wanted: CaseCommand, all: Availability[]) => all.find(({ command }) => command === wanted)!;

describe('visibility', () => {
  const seesAs = (roles: Role[], held: Relation[], classification: Case['classification']) =>
    sees({ actor: { id: eva, roles }, relations: new Set(held) }, { classification });

  it('shows a restricted case to who opened it and those named on it, supervisors, legal officers and auditors', () => {
    expect(seesAs(['CASE_OFFICER'], [], 'RESTRICTED')).toBe(false);
    expect(seesAs(['CASE_OFFICER'], ['opener'], 'RESTRICTED')).toBe(true);
    expect(seesAs(['CASE_OFFICER'], ['lead'], 'RESTRICTED')).toBe(true);
    expect(seesAs(['INVESTIGATOR'], ['investigator'], 'RESTRICTED')).toBe(true);
    expect(seesAs(['RECORDS_MANAGER'], [], 'RESTRICTED')).toBe(false);
    for (const role of ['SUPERVISOR', 'LEGAL_OFFICER', 'AUDITOR'] as const)
      expect(seesAs([role], [], 'RESTRICTED')).toBe(true);
  });

  it('shows an operator no case at all', () => {
    expect(seesAs(['OPERATOR'], ['lead'], 'STANDARD')).toBe(false);
  });
});
